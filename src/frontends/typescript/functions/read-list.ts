import { ts } from 'ts-morph';
import type { FunctionBinding } from '../../../../templates/runtime/contract/bindings.ts';
import type { FunctionResource } from '../../../model/source-model.ts';
import type { Tag } from '../tags/read-block.ts';
import { isContext } from './arguments-object.ts';
import { alternatives } from './content-types.ts';
import { type ItemContext, refuseHelper, targetOf } from './item.ts';
import { variablesProblem } from './list-variables.ts';
import { returnedBy } from './results.ts';
import { signatureParameters } from './signature-parameters.ts';
import type { Tagged } from './tagged.ts';

/** `@list <URI template>`: returns URIs, or objects with `uri` or the template's `variables`. */
export function listerOf(
  tagged: Tagged,
  tag: Tag,
  template: FunctionResource,
  context: ItemContext,
): FunctionBinding | undefined {
  const problem = findListProblem(tagged, template, context);
  if (problem !== undefined) return refuseHelper(tagged, tag, problem, context);
  const hasContext = signatureParameters(tagged.signature, context.source.checker).length > 0;
  return { ...targetOf(tagged, context), parameters: [], ...(hasContext ? { contextAt: 0 } : {}) };
}

function findListProblem(
  tagged: Tagged,
  template: FunctionResource,
  { source }: ItemContext,
): string | undefined {
  const { checker } = source;
  const [first, second] = signatureParameters(tagged.signature, checker);
  const takesMore = first !== undefined && !isContext(first.type, source);
  if (takesMore || second !== undefined) return 'it takes something else than a `Context`';
  const { type, streams } = returnedBy(tagged, source);
  const items =
    streams === false && checker.isArrayType(type)
      ? alternatives(checker.getTypeArguments(type as ts.TypeReference)[0] ?? type)
      : [];
  const isEntry = (item: ts.Type): boolean =>
    (item.flags & ts.TypeFlags.StringLike) !== 0 ||
    ['uri', 'variables'].some((name) => checker.getPropertyOfType(item, name) !== undefined);
  if (items.length === 0 || !items.every(isEntry))
    return 'it does not return a list of URIs, or of objects with `uri` or `variables`';
  for (const item of items) {
    const variables = checker.getPropertyOfType(item, 'variables');
    const problem = variables && variablesProblem(checker.getTypeOfSymbol(variables), template, checker);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
