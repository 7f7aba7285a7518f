/** Whether each tag of a block is known, and says something about what the block makes. */
import { nearMiss } from '../../../../templates/runtime/schema/near-miss.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { DETAIL_TAGS, isItemTag, isKnown, isOurs, type ItemTag, OUR_TAGS } from './known-tags.ts';
import type { Block } from './read-block.ts';

/** What a thing with each tag is, in messages. */
const NOUNS: Record<ItemTag, string> = {
  tool: 'a tool',
  resource: 'a resource',
  prompt: 'a prompt',
  complete: 'a completion',
  list: 'a list of resources',
  prepare: 'what prepares a call',
  started: 'what runs at the start',
};

export function checkTags({ tags }: Block, { diagnostics, originOfTag }: SourceProgram): void {
  const items = tags.map(({ name }) => name).filter(isItemTag);
  for (const tag of tags) {
    const at = originOfTag(tag);
    if (!isKnown(tag.name)) {
      const meant = nearMiss(tag.name, OUR_TAGS) ?? '';
      diagnostics.report('unknown-tag', { tag: tag.name, meant }, { at });
    } else if (isOurs(tag.name) && !isItemTag(tag.name)) {
      const belongs = DETAIL_TAGS[tag.name] ?? [];
      const what = items.map((item) => NOUNS[item]).join(' and ');
      if (!items.some((item) => belongs.includes(item)))
        diagnostics.report('misplaced-tag', { tag: tag.name, what }, { at });
    }
  }
}
