// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * The lists of tools, resources and prompts. The catalog stays text until its items are needed: the first `tools/list` is
 * answered with the file's own text, so a thousand tools cost no parsing and no second copy.
 */
import type { Catalog } from '../contract/catalog.ts';
export const LIST_NAMES = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const;

export type ListName = (typeof LIST_NAMES)[number];

export type Listed<L extends ListName> = Catalog[L][number];

/** One list: its JSON text, or its items, or both once both were needed. */
interface List<T> {
  text: string | undefined;
  items: T[] | undefined;
}

export class CatalogStore {
  /** Whether the bindings have completions; undefined when the catalog doesn't say. */
  readonly completions: boolean | undefined;
  readonly #lists: { [L in ListName]: List<Listed<L>> };

  /** @throws {SyntaxError} when `text` is not JSON, which for a well laid out text is found on first use only. */
  constructor(text: string) {
    const { completions, ...lists } = splitCatalog(text);
    this.#lists = lists;
    this.completions = completions;
  }

  isEmpty(list: ListName): boolean {
    const { text, items } = this.#lists[list];
    return items === undefined ? text === '[]' : items.length === 0;
  }

  /** The list as JSON text, on one line. */
  text(list: ListName): string {
    const entry = this.#lists[list];
    return (entry.text ??= JSON.stringify(entry.items));
  }

  items<L extends ListName>(list: L): readonly Listed<L>[] {
    return this.#itemsOf(list);
  }

  /** Puts what `change` returns in the list's place. For the start only: lists must not change under a client. */
  change<L extends ListName>(list: L, change: (items: Listed<L>[]) => Listed<L>[]): void {
    const entry: List<Listed<L>> = this.#lists[list];
    entry.items = change(this.#itemsOf(list));
    entry.text = undefined;
  }

  #itemsOf<L extends ListName>(list: L): Listed<L>[] {
    const entry: List<Listed<L>> = this.#lists[list];
    return (entry.items ??= JSON.parse(entry.text ?? '[]') as Listed<L>[]);
  }
}

/** A list as text, without line breaks, or as items where the text had to be parsed. */
export type SplitCatalog = {
  [L in 'tools' | 'resources' | 'resourceTemplates' | 'prompts']: {
    text: string | undefined;
    items: Catalog[L] | undefined;
  };
} & { completions: boolean | undefined };

/** The members in the compiler's order. */
const MEMBERS = ['tools', 'resources', 'resourceTemplates', 'prompts', 'completions'] as const;

/**
 * In the layout that the compiler writes (see `Catalog`), each member begins a line with its name, and no item has a member
 * of such a name. Any other layout is parsed.
 */
export function splitCatalog(text: string): SplitCatalog {
  const values = cutMembers(text);
  const [tools, resources, resourceTemplates, prompts, completions] = values;
  if ([tools, resources, resourceTemplates, prompts].some((value) => !isList(value)))
    return parseCatalog(text);
  const list = (value: string | undefined) => ({ text: value?.replaceAll('\n', ''), items: undefined });
  return {
    tools: list(tools),
    resources: list(resources),
    resourceTemplates: list(resourceTemplates),
    prompts: list(prompts),
    completions: completions === undefined ? undefined : completions === 'true',
  };
}

/** The text of each member's value; shorter than `MEMBERS` where one is not found in its place. */
function cutMembers(text: string): string[] {
  const starts: number[] = [];
  const ends: number[] = [];
  let from = text.startsWith('{\n"tools":') ? 1 : text.length;
  for (const name of MEMBERS) {
    const head = `\n"${name}":`;
    const at = text.indexOf(head, from);
    if (at === -1) break;
    ends.push(at - 1);
    starts.push((from = at + head.length));
  }
  ends.push(text.lastIndexOf('\n}'));
  return starts.map((start, index) => text.slice(start, ends[index + 1]));
}

function isList(value: string | undefined): boolean {
  return value === '[]' || (value !== undefined && value.startsWith('[\n{') && value.endsWith('}\n]'));
}

function parseCatalog(text: string): SplitCatalog {
  const catalog: Partial<Catalog> = JSON.parse(text);
  const list = <T>(items: T[] = []) => ({ text: undefined, items });
  return {
    tools: list(catalog.tools),
    resources: list(catalog.resources),
    resourceTemplates: list(catalog.resourceTemplates),
    prompts: list(catalog.prompts),
    completions: catalog.completions,
  };
}
