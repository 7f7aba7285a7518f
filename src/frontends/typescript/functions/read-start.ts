import type { ts } from 'ts-morph';
import type { FunctionStart } from '../../../model/source-model.ts';
import type { Tag } from '../tags/read-block.ts';
import { isRuntimeType } from './arguments-object.ts';
import { type ItemContext, refuseHelper, targetOf } from './item.ts';
import type { Tagged } from './tagged.ts';

/** `@started`: runs once, with the running server. */
export function readStart(tagged: Tagged, tag: Tag, context: ItemContext): FunctionStart | undefined {
  const problem = problemOf(tagged, context);
  if (problem !== undefined) return refuseHelper(tagged, tag, problem, context);
  const { parameters } = tagged.signature;
  return {
    kind: 'function-start',
    origin: context.source.originOfTag(tag),
    binding: { ...targetOf(tagged, context), parameters: parameters.map(({ name }) => name) },
  };
}

function problemOf({ method, signature }: Tagged, { source }: ItemContext): string | undefined {
  if (method?.instance === 'session')
    return 'its class has an instance for each session, and there is none yet';
  const { parameters } = signature;
  const typeOf = (symbol: ts.Symbol): ts.Type => source.checker.getTypeOfSymbol(symbol);
  const isFit =
    parameters.length <= 1 && parameters.every((each) => isRuntimeType(typeOf(each), 'ServerHandle', source));
  return isFit ? undefined : 'it takes something else than one `ServerHandle`';
}
