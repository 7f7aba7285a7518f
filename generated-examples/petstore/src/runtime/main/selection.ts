// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Selects items by `--include` and `--exclude`, as the compiler does: `tag:` exact, `path:` glob (`*` within a segment, `**`
 * anything), `op:` glob on the item's name or the document's operationId, `method:`. Repeats of one kind are alternatives,
 * kinds must all match, exclude wins.
 */
import type { Binding, Bindings, ResourceBinding } from '../contract/bindings.ts';
import { globTest, suggest } from '../contract/names.ts';
import type { CatalogStore } from '../core/catalog-store.ts';
import { UsageError } from './settings.ts';

const KINDS = ['tag', 'path', 'op', 'method'] as const;
type Kind = (typeof KINDS)[number];

/** The values of an item that selectors match, by kind. */
type Item = Readonly<Record<Kind, readonly string[]>>;

interface Selector {
  /** The selector as the user wrote it. */
  text: string;
  kind: Kind;
  value: string;
  matches: (item: Item) => boolean;
}

/**
 * Removes the items that are not selected; a resource stays if the tool that reads it does.
 *
 * @returns a warning for each selector without effect
 * @throws {UsageError} if a selector can't be read, or nothing is left to serve
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
  const warnings = idle.map((selector) => describeIdle(selector, seen));
  if (isAnyLeft) return warnings;
  const refusal = '--include and --exclude leave nothing to serve. Kinds must all match, and exclude wins.';
  throw new UsageError([refusal, ...warnings].join(' '));
}

function filterCatalog(catalog: CatalogStore, bindings: Bindings, stays: (item: Item) => boolean): void {
  const { tools, resources, resourceTemplates } = bindings;
  const tool = (name: string): Item => {
    const binding = own(tools, name);
    return toItem(name, binding?.do, binding?.tags);
  };
  const resource = (name: string, binding: ResourceBinding | undefined): Item =>
    binding?.do.kind === 'tool' ? tool(binding.do.name) : toItem(name, binding?.do, binding?.tags);
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

function toItem(name: string, binding: Binding | undefined, tags: readonly string[] = []): Item {
  if (binding?.kind !== 'http') return { op: [name], tag: tags, path: [], method: [] };
  const { operationId, method, path } = binding;
  const op = operationId === undefined ? [name] : [name, operationId];
  return { op, tag: tags, path: [path], method: [method] };
}

function matchesAll(selectors: readonly Selector[], item: Item): boolean {
  return KINDS.every((kind) => {
    const alternatives = selectors.filter((selector) => selector.kind === kind);
    return alternatives.length === 0 || alternatives.some(({ matches }) => matches(item));
  });
}

function describeIdle({ text, kind, value }: Selector, items: readonly Item[]): string {
  const near = suggest(value, new Set(items.flatMap((item) => item[kind])));
  return `The selector ${JSON.stringify(text)} matches nothing.${near === undefined ? '' : ` Did you mean ${kind}:${near}?`}`;
}

function parseSelector(text: string): Selector {
  const colon = text.indexOf(':');
  const kind = KINDS.find((each) => each === text.slice(0, Math.max(0, colon)).trim());
  const value = text.slice(colon + 1).trim();
  if (kind !== undefined && value !== '') {
    const test = compileTest(kind, value);
    return { text, kind, value, matches: (item) => item[kind].some(test) };
  }
  throw new UsageError(
    `The selector ${JSON.stringify(text)} must be one of tag:, path:, op:, method: and a value.`,
  );
}

function compileTest(kind: Kind, value: string): (text: string) => boolean {
  if (kind === 'tag') return (tag) => tag === value;
  if (kind === 'method') return (method) => method.toUpperCase() === value.toUpperCase();
  if (kind === 'op') return globTest(value.replace(/\*+/g, '**'));
  return globTest(/^[/*]/.test(value) ? value : `/${value}`);
}
