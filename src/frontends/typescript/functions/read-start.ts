import type { FunctionStart } from '../../../model/source-model.ts';
import type { Tag } from '../tags/read-block.ts';
import { isRuntimeType } from './arguments-object.ts';
import { type ItemContext, refuseHelper, targetOf } from './item.ts';
import { signatureParameters } from './signature-parameters.ts';
import type { Tagged } from './tagged.ts';

/** `@started`: runs once, with the running server. */
export function readStart(tagged: Tagged, tag: Tag, context: ItemContext): FunctionStart | undefined {
  const problem = findStartProblem(tagged, context);
  if (problem !== undefined) return refuseHelper(tagged, tag, problem, context);
  const parameters = signatureParameters(tagged.signature, context.source.checker);
  return {
    kind: 'function-start',
    origin: context.source.originOfTag(tag),
    binding: { ...targetOf(tagged, context), parameters: parameters.map(({ name }) => name) },
  };
}

function findStartProblem({ method, signature }: Tagged, { source }: ItemContext): string | undefined {
  if (method?.instance === 'session')
    return 'its class has an instance for each session, and there is none yet';
  const parameters = signatureParameters(signature, source.checker);
  const isFit =
    parameters.length <= 1 && parameters.every(({ type }) => isRuntimeType(type, 'ServerHandle', source));
  return isFit ? undefined : 'it takes something else than one `ServerHandle`';
}
