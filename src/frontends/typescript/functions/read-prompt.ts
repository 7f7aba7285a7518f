import type { FunctionPrompt } from '../../../model/source-model.ts';
import { givenName, type Tag } from '../tags/read-block.ts';
import { argumentOrigins, type ItemContext, itemText, targetOf } from './item.ts';
import { refuseHeaders } from './headers.ts';
import { readParameters } from './parameters.ts';
import { returnedBy } from './results.ts';
import type { Tagged } from './tagged.ts';
import { checkTexts } from './text-arguments.ts';

/** `@prompt [name]` */
export function readPrompt(tagged: Tagged, tag: Tag, context: ItemContext): FunctionPrompt {
  const parameters = readParameters(tagged, context.source, context.types);
  const { streams } = returnedBy(tagged, context.source);
  refuseHeaders(parameters, context.source);
  context.types.later(() => {
    checkTexts(parameters, 'the arguments of prompts', context, { lists: false });
  });
  return {
    kind: 'function-prompt',
    name: givenName(tag) || tagged.name,
    ...itemText(tagged, context),
    input: parameters.input,
    argumentOrigins: argumentOrigins(parameters, context),
    binding: {
      ...targetOf(tagged, context),
      ...parameters.call,
      ...(streams === false ? {} : { streams }),
    },
  };
}
