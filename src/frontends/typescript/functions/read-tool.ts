import type { FunctionTool } from '../../../model/source-model.ts';
import { type Block, givenName, type Tag, tagNamed } from '../tags/read-block.ts';
import { executionOf, mimeTypeOf, refuse, toolAnnotations } from '../tags/tag-values.ts';
import { argumentOrigins, type ItemContext, itemText, targetOf } from './item.ts';
import { readHeaders } from './headers.ts';
import { readParameters } from './parameters.ts';
import { readResult } from './results.ts';
import type { Tagged } from './tagged.ts';
import { definedMembers } from '../../../util/defined-members.ts';

/** `@tool [name]` */
export function readTool(tagged: Tagged, tag: Tag, context: ItemContext): FunctionTool {
  const { source, types } = context;
  const { block } = tagged;
  const parameters = readParameters(tagged, source, types);
  const { call, input, docs } = parameters;
  const { binding, ...result } = readResult(tagged, mimeTypeOf(block, source), source, types);
  if (tagNamed(block, 'tool') === tag) checkMimeType(block, binding.result, source);
  readHeaders(input, docs, source);
  const execution = executionOf(block, source);
  return {
    kind: 'function-tool',
    name: givenName(tag) || tagged.name,
    ...itemText(tagged, context),
    annotations: toolAnnotations(block, source),
    ...definedMembers({ execution }),
    input,
    argumentOrigins: argumentOrigins(parameters, context),
    ...result,
    binding: { ...targetOf(tagged, context), ...call, ...binding },
  };
}

/** The tag may belong to a resource that the same function makes. */
function checkMimeType(
  block: Block,
  result: FunctionTool['binding']['result'],
  source: ItemContext['source'],
): void {
  const tag = tagNamed(block, 'mimeType');
  const isUsed = result?.as === 'bytes' || result?.as === 'text' || tagNamed(block, 'resource') !== undefined;
  if (tag === undefined || isUsed) return;
  refuse(tag, 'says nothing here: of what a tool returns, only bytes or one text have a media type', source);
}
