import type { Tag } from '../tags/read-block.ts';
import { isItemTag } from '../tags/tag-registry.ts';

/** Tags that are served, or that a diagnostic explains. */
export class ToldTags {
  readonly #places: Set<string>;

  constructor(others?: ToldTags) {
    this.#places = new Set(others === undefined ? [] : others.#places);
  }

  add(tags: readonly Tag[]): void {
    for (const tag of tags) this.#places.add(tagKey(tag));
  }

  has(tags: readonly Tag[]): boolean {
    return tags.some((tag) => isItemTag(tag.name) && this.includes(tag));
  }

  includes(tag: Tag): boolean {
    return this.#places.has(tagKey(tag));
  }
}

function tagKey({ file, offset }: Tag): string {
  return `${file.fileName}:${offset}`;
}
