import type { FunctionTool } from '../../../model/source-model.ts';
import { givenName, type Tag } from '../tags/read-block.ts';
import { executionOf, mimeTypeOf, toolAnnotations } from '../tags/tag-values.ts';
import { argumentOrigins, type ItemContext, itemText, targetOf } from './item.ts';
import { readHeaders } from './headers.ts';
import { readParameters } from './parameters.ts';
import { readResult } from './results.ts';
import type { Tagged } from './tagged.ts';

/** `@tool [name]` */
export function readTool(tagged: Tagged, tag: Tag, context: ItemContext): FunctionTool {
  const { source, types } = context;
  const { block } = tagged;
  const parameters = readParameters(tagged, source, types);
  const { call, input, docs } = parameters;
  const { binding, ...result } = readResult(tagged, mimeTypeOf(block, source), source, types);
  readHeaders(input, docs, source);
  const execution = executionOf(block, source);
  return {
    kind: 'function-tool',
    name: givenName(tag) || tagged.name,
    ...itemText(tagged, context),
    annotations: toolAnnotations(block, source),
    ...(execution === undefined ? {} : { execution }),
    input,
    argumentOrigins: argumentOrigins(parameters, context),
    ...result,
    binding: { ...targetOf(tagged, context), ...call, ...binding },
  };
}
