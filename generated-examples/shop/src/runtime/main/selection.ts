/**
 * `--include` and `--exclude` when a server starts: `tag:` exact, `path:` glob (`*` within a segment, `**` anything),
 * `op:` glob on the tool's name, `method:`. Repeats of one kind are alternatives, kinds must all match, exclude wins.
 */
import type { Binding, Bindings, ResourceBinding } from '../bindings.ts';
import type { CatalogStore } from '../core/catalog-store.ts';
import { UsageError } from './settings.ts';

const KINDS = ['tag', 'path', 'op', 'method'] as const;
type Kind = (typeof KINDS)[number];

/** What selectors look at. */
interface Item {
  name: string | undefined;
  tags: readonly string[];
  work: Binding | undefined;
}

interface Selector {
  kind: Kind;
  matches: (item: Item) => boolean;
}

/** A resource stays when what it does stays. @throws {UsageError} on a selector that can't be read. */
export function selectItems(
  catalog: CatalogStore,
  bindings: Bindings,
  { include, exclude }: { include: readonly string[]; exclude: readonly string[] },
): void {
  const wanted = include.map(parseSelector);
  const unwanted = exclude.map(parseSelector);
  const stays = (item: Item): boolean =>
    matchesAll(wanted, item) && !(unwanted.length > 0 && matchesAll(unwanted, item));
  const tool = (name: string): Item => {
    const binding = own(bindings.tools, name);
    return { name, tags: binding?.tags ?? [], work: binding?.do };
  };
  const resource = (binding: ResourceBinding | undefined): Item => {
    const work = binding?.do;
    return work?.kind === 'tool' ? tool(work.name) : { name: undefined, tags: [], work };
  };
  catalog.change('tools', (items) => items.filter(({ name }) => stays(tool(name))));
  catalog.change('resources', (items) =>
    items.filter(({ uri }) => stays(resource(own(bindings.resources, uri)))),
  );
  catalog.change('resourceTemplates', (items) =>
    items.filter(({ uriTemplate }) => stays(resource(own(bindings.resourceTemplates, uriTemplate)))),
  );
}

function own<T>(items: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(items, key) ? items[key] : undefined;
}

function matchesAll(selectors: readonly Selector[], item: Item): boolean {
  return KINDS.every((kind) => {
    const alternatives = selectors.filter((selector) => selector.kind === kind);
    return alternatives.length === 0 || alternatives.some(({ matches }) => matches(item));
  });
}

function parseSelector(text: string): Selector {
  const colon = text.indexOf(':');
  const kind = KINDS.find((each) => each === text.slice(0, Math.max(0, colon)).trim());
  const value = text.slice(colon + 1).trim();
  if (kind !== undefined && value !== '') return { kind, matches: testOf(kind, value) };
  throw new UsageError(
    `The selector ${JSON.stringify(text)} must be one of tag:, path:, op:, method: and a value.`,
  );
}

function testOf(kind: Kind, value: string): Selector['matches'] {
  switch (kind) {
    case 'tag':
      return ({ tags }) => tags.includes(value);
    case 'method':
      return ({ work }) => work?.kind === 'http' && work.method.toUpperCase() === value.toUpperCase();
    case 'op': {
      const test = globTest(value.replace(/\*+/g, '**'));
      return ({ name }) => name !== undefined && test(name);
    }
    case 'path': {
      const test = globTest(/^[/*]/.test(value) ? value : `/${value}`);
      return ({ work }) => work?.kind === 'http' && test(work.path);
    }
  }
}

/** Every character but `*` is itself, braces too: paths are full of `{parameters}`. */
function globTest(glob: string): (text: string) => boolean {
  const parts = glob.split(/(\*+)/).map((part) => {
    if (part.startsWith('*')) return part === '*' ? '[^/]*' : '.*';
    return part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  });
  const pattern = new RegExp(`^${parts.join('')}$`, 's');
  return (text) => pattern.test(text);
}
