/**
 * What the server lists. Holds the catalog as text for as long as nobody looks inside: the answer to a first
 * `tools/list` is the file's own text, so a thousand tools cost no parsing and no second copy of them.
 */
import type { Catalog } from '../contract/catalog.ts';
import { splitCatalog } from './split-catalog.ts';

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
