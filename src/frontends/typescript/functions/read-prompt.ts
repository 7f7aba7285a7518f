import type { FunctionPrompt } from '../../../model/source-model.ts';
import { givenName, type Tag, tagNamed } from '../tags/read-block.ts';
import { argumentOrigins, type ItemContext, itemText, targetOf } from './item.ts';
import { refuseHeaders } from './headers.ts';
import { readParameters } from './parameters.ts';
import { promptProblem } from './prompt-result.ts';
import { returnedBy } from './results.ts';
import type { Tagged } from './tagged.ts';
import { checkTexts } from './text-arguments.ts';

/** `@prompt [name]` */
export function readPrompt(tagged: Tagged, tag: Tag, context: ItemContext): FunctionPrompt {
  const parameters = readParameters(tagged, context.source, context.types);
  const { streams } = returnedBy(tagged, context.source);
  refuseHeaders(parameters, context.source);
  checkResult(tagged, tag, context);
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

/** Reports a function with several `@prompt` tags once. */
function checkResult(tagged: Tagged, tag: Tag, { source }: ItemContext): void {
  if (tagNamed(tagged.block, 'prompt') !== tag) return;
  const problem = promptProblem(tagged, source);
  if (problem === undefined) return;
  source.diagnostics.report('bad-prompt', { name: tagged.name, problem }, { at: source.originOfTag(tag) });
}
