import { ts } from 'ts-morph';
import type { FunctionCompletion } from '../../../model/source-model.ts';
import type { DocTag } from '../docs/read-docs.ts';
import { findTag } from '../tags/tag-values.ts';
import { mayBeAbsent } from '../schema/member.ts';
import { isContext } from './type-kinds.ts';
import { type ItemContext, bindFunction } from './item.ts';
import { findReturnedType } from './results.ts';
import { signatureParameters } from './signature-parameters.ts';
import type { Tagged } from './tagged.ts';

/** `@complete prompt.argument`, or `@complete scheme://template/{variable} variable`. */
export function readCompletion(
  tagged: Tagged,
  tag: DocTag,
  context: ItemContext,
): FunctionCompletion | undefined {
  const { source } = context;
  const target = /^(?:(\S+)\.|(\S+:\S+)[ \t]+)(\S+)$/.exec(tag.text);
  if (target === null) return reportBadCompletion(tagged, tag, 'its tag names no argument', context);
  const problem = findCompletionProblem(tagged, context);
  // A problem of the function is reported once, however many arguments it completes.
  if (problem !== undefined)
    return findTag(tagged.block, 'complete') === tag
      ? reportBadCompletion(tagged, tag, problem, context)
      : undefined;
  const [, dotted, template, argument = ''] = target;
  const of = dotted === undefined ? (template ?? '') : `${tagged.prefix ?? ''}${dotted}`;
  const { parameters } = tagged.signature;
  const contextAt = parameters.findIndex((parameter) =>
    isContext(source.checker.getTypeOfSymbol(parameter), source),
  );
  return {
    kind: 'function-completion',
    origin: source.originOfTag(tag),
    of,
    argument,
    binding: {
      ...bindFunction(tagged, context),
      parameters: ['typed', 'others'].slice(0, parameters.length - (contextAt === -1 ? 0 : 1)),
      ...(contextAt === -1 ? {} : { contextAt }),
    },
  };
}

function reportBadCompletion(
  { name }: Tagged,
  tag: DocTag,
  problem: string,
  { source }: ItemContext,
): undefined {
  source.diagnostics.report(
    'unfit-function',
    { name, tag: 'complete', problem },
    { at: source.originOfTag(tag) },
  );
}

function findCompletionProblem(tagged: Tagged, { source }: ItemContext): string | undefined {
  const { checker } = source;
  const all = signatureParameters(tagged.signature, checker);
  const ownParameters = all.filter(({ type }) => !isContext(type, source));
  const [typed, otherArguments, more] = ownParameters;
  if (more !== undefined) return 'it has more parameters than what was typed and the other arguments';
  if (typed !== undefined && !checker.isTypeAssignableTo(checker.getStringType(), typed.type))
    return 'its first parameter takes no string';
  if (otherArguments !== undefined && !acceptsTextsByName(otherArguments.type, checker))
    return 'its second parameter takes no texts by name, each of which may be absent';
  const { type, streams } = findReturnedType(tagged, source);
  const item =
    streams === false && checker.isArrayType(type)
      ? checker.getTypeArguments(type as ts.TypeReference)[0]
      : undefined;
  const isTexts = item !== undefined && checker.isTypeAssignableTo(item, checker.getStringType());
  return isTexts ? undefined : 'it does not return a list of strings';
}

function acceptsTextsByName(type: ts.Type, checker: ts.TypeChecker): boolean {
  const plain = checker.getNonNullableType(type);
  if ((plain.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0) return true;
  if ((plain.flags & ts.TypeFlags.Object) === 0) return false;
  const isText = (value: ts.Type): boolean => checker.isTypeAssignableTo(checker.getStringType(), value);
  const index = checker.getIndexInfoOfType(plain, ts.IndexKind.String);
  return (
    (index === undefined || isText(index.type)) &&
    checker
      .getPropertiesOfType(plain)
      .every((member) => mayBeAbsent(member, checker) && isText(checker.getTypeOfSymbol(member)))
  );
}
