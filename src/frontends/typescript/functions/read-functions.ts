import type { Capability } from '../../../model/source-model.ts';
import { checkTags } from '../tags/check-tags.ts';
import type { Tag } from '../tags/read-block.ts';
import type { ItemContext } from './item.ts';
import { readCompletion } from './read-completion.ts';
import { readHelper } from './read-helper.ts';
import { readPrompt } from './read-prompt.ts';
import { readResource } from './read-resource.ts';
import { readStart } from './read-start.ts';
import { readTool } from './read-tool.ts';
import type { Tagged } from './tagged.ts';

/** Keeps the order; `@hidden` functions are left out. Schemas are final after the types are finished. */
export function readFunctions(context: ItemContext, found: readonly Tagged[]): Capability[] {
  const { source } = context;
  if (found.length === 0) reportNothing(context);
  for (const { block } of found) checkTags(block, source);
  const shown = found.filter(({ block }) => !block.tags.some(({ name }) => name === 'hidden'));
  const read = shown.flatMap((tagged) =>
    tagged.block.tags.flatMap((tag) => {
      const capability = readItem(tagged, tag, context);
      return capability === undefined ? [] : [{ capability, tagged }];
    }),
  );
  for (const tagged of shown) for (const tag of tagged.block.tags) readHelper(tagged, tag, read, context);
  return read.map(({ capability }) => capability);
}

function readItem(tagged: Tagged, tag: Tag, context: ItemContext): Capability | undefined {
  switch (tag.name) {
    case 'tool':
      return readTool(tagged, tag, context);
    case 'resource':
      return readResource(tagged, tag, context);
    case 'prompt':
      return readPrompt(tagged, tag, context);
    case 'complete':
      return readCompletion(tagged, tag, context);
    case 'started':
      return readStart(tagged, tag, context);
    default:
      return undefined;
  }
}

function reportNothing({ source: { files, diagnostics, originAt, check } }: ItemContext): void {
  check();
  const [first] = files;
  if (first === undefined || diagnostics.hasErrors) return;
  const named = originAt(first, 0);
  const others = files.length - 1;
  const words = others === 0 ? named.file : `${named.file} and ${others} more`;
  diagnostics.report('no-tagged-export', { files: words }, { at: named });
}
