/** Merges the tags of a method with those of the methods it overrides. */
import type { ts } from 'ts-morph';
import { type Block, readBlock, type Tag } from '../tags/read-block.ts';
import { isItemTag, TAG_NAMES, type TagName, TAGS } from '../tags/tag-registry.ts';

/**
 * Joins the scopes of all overriding and overridden methods, so that none is lost. For hints the nearest method
 * counts. `declared` lists the declarations, the nearest class first.
 */
export function withOverridden(block: Block, declared: readonly ts.Node[]): Block {
  if (declared.length < 2) return block;
  const blocks = declared.map(readBlock);
  const items = block.tags.map(({ name }) => name).filter(isItemTag);
  const names = TAG_NAMES.filter((name) => {
    const { inherited, about = [] } = TAGS[name];
    return inherited !== undefined && items.some((item) => about.includes(item));
  });
  const inherited = names.flatMap((name) => tagsThatCount(name, blocks));
  const own = block.tags.filter((tag) => !names.some((name) => name === tag.name));
  return { ...block, tags: [...own, ...inherited] };
}

function tagsThatCount(name: TagName, blocks: readonly Block[]): Tag[] {
  const said = blocks.map(({ tags }) => tags.filter((tag) => tag.name === name));
  return TAGS[name].inherited === 'beside' ? said.flat() : (said.find((tags) => tags.length > 0) ?? []);
}
