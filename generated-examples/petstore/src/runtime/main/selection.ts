/**
 * `--include` and `--exclude` when a server starts: `tag:` exact, `path:` glob (`*` within a segment, `**` anything),
 * `op:` glob on the item's name or the document's operationId, `method:`. Repeats of one kind are alternatives, kinds
 * must all match, exclude wins. As the compiler selects.
 */
import type { Binding, Bindings, ResourceBinding } from '../contract/bindings.ts';
import { globTest } from '../contract/glob.ts';
import type { CatalogStore } from '../core/catalog-store.ts';
import { suggest } from '../contract/suggest.ts';
import { UsageError } from './settings.ts';

const KINDS = ['tag', 'path', 'op', 'method'] as const;
type Kind = (typeof KINDS)[number];

/** What selectors look at: the values of each kind. */
type Item = Readonly<Record<Kind, readonly string[]>>;

interface Selector {
  /** As written. */
  text: string;
  kind: Kind;
  value: string;
  matches: (item: Item) => boolean;
}

/**
 * A resource stays when what it does stays. Gives a sentence for each selector without effect.
 *
 * @throws {UsageError} on a selector that can't be read, and when nothing is left to serve
 */
export function selectItems(
  catalog: CatalogStore,
  bindings: Bindings,
  { include, exclude }: { include: readonly string[]; exclude: readonly string[] },
): string[] {
  const wanted = include.map(parseSelector);
  const unwanted = exclude.map(parseSelector);
  const seen: Item[] = [];
  let isAnyLeft = false;
  filterCatalog(catalog, bindings, (item) => {
    seen.push(item);
    const stays = matchesAll(wanted, item) && !(unwanted.length > 0 && matchesAll(unwanted, item));
    isAnyLeft ||= stays;
    return stays;
  });
  const idle = [...wanted, ...unwanted].filter((selector) => !seen.some(selector.matches));
  const words = idle.map((selector) => idleWords(selector, seen));
  if (isAnyLeft) return words;
  const refusal = '--include and --exclude leave nothing to serve. Kinds must all match, and exclude wins.';
  throw new UsageError([refusal, ...words].join(' '));
}

function filterCatalog(catalog: CatalogStore, bindings: Bindings, stays: (item: Item) => boolean): void {
  const { tools, resources, resourceTemplates } = bindings;
  const tool = (name: string): Item => {
    const binding = own(tools, name);
    return itemOf(name, binding?.do, binding?.tags);
  };
  const resource = (name: string, binding: ResourceBinding | undefined): Item =>
    binding?.do.kind === 'tool' ? tool(binding.do.name) : itemOf(name, binding?.do, binding?.tags);
  catalog.change('tools', (listed) => listed.filter(({ name }) => stays(tool(name))));
  catalog.change('resources', (listed) =>
    listed.filter(({ name, uri }) => stays(resource(name, own(resources, uri)))),
  );
  catalog.change('resourceTemplates', (listed) =>
    listed.filter(({ name, uriTemplate }) => stays(resource(name, own(resourceTemplates, uriTemplate)))),
  );
}

function own<T>(items: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(items, key) ? items[key] : undefined;
}

function itemOf(name: string, work: Binding | undefined, tags: readonly string[] = []): Item {
  if (work?.kind !== 'http') return { op: [name], tag: tags, path: [], method: [] };
  const { operationId, method, path } = work;
  const op = operationId === undefined ? [name] : [name, operationId];
  return { op, tag: tags, path: [path], method: [method] };
}

function matchesAll(selectors: readonly Selector[], item: Item): boolean {
  return KINDS.every((kind) => {
    const alternatives = selectors.filter((selector) => selector.kind === kind);
    return alternatives.length === 0 || alternatives.some(({ matches }) => matches(item));
  });
}

function idleWords({ text, kind, value }: Selector, items: readonly Item[]): string {
  const near = suggest(value, new Set(items.flatMap((item) => item[kind])));
  return `The selector ${JSON.stringify(text)} matches nothing.${near === undefined ? '' : ` Did you mean ${kind}:${near}?`}`;
}

function parseSelector(text: string): Selector {
  const colon = text.indexOf(':');
  const kind = KINDS.find((each) => each === text.slice(0, Math.max(0, colon)).trim());
  const value = text.slice(colon + 1).trim();
  if (kind !== undefined && value !== '') {
    const test = testOf(kind, value);
    return { text, kind, value, matches: (item) => item[kind].some(test) };
  }
  throw new UsageError(
    `The selector ${JSON.stringify(text)} must be one of tag:, path:, op:, method: and a value.`,
  );
}

function testOf(kind: Kind, value: string): (text: string) => boolean {
  if (kind === 'tag') return (tag) => tag === value;
  if (kind === 'method') return (method) => method.toUpperCase() === value.toUpperCase();
  if (kind === 'op') return globTest(value.replace(/\*+/g, '**'));
  return globTest(/^[/*]/.test(value) ? value : `/${value}`);
}
