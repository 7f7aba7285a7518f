/** Functions that help others: `@complete`, `@list` and `@prepare`. */
import { ts } from 'ts-morph';

import { nearest } from '../../../../templates/runtime/validate.ts';
import type {
  Capability,
  FunctionCompletion,
  FunctionResource,
  FunctionTool,
} from '../../../model/source-model.ts';
import type { DocTag } from '../docs/read-docs.ts';
import { unionMembers } from '../program/checker-queries.ts';
import { findTag, firstWord } from '../tags/tag-values.ts';
import { type ItemContext, reportUnfitFunction, bindFunction } from './item.ts';
import { readArguments } from './parameters.ts';
import { findReturnedType } from './results.ts';
import { signatureParameters } from './signature-parameters.ts';
import type { Tagged } from './tagged.ts';
import { isContext } from './type-kinds.ts';

/** `@complete prompt.argument`, or `@complete scheme://template/{variable} variable`. */
export function readCompletion(
  tagged: Tagged,
  tag: DocTag,
  context: ItemContext,
): FunctionCompletion | undefined {
  const target = /^(?:(\S+)\.|(\S+:\S+)[ \t]+)(\S+)$/.exec(tag.text);
  if (target === null) return reportUnfitFunction(tagged, tag, 'its tag names no argument', context);
  const problem = findCompletionProblem(tagged, context);
  // A problem of the function is reported once, however many arguments it completes.
  if (problem !== undefined && findTag(tagged.block, 'complete') !== tag) return undefined;
  if (problem !== undefined) return reportUnfitFunction(tagged, tag, problem, context);
  const [, dotted, template = '', argument = ''] = target;
  const { source } = context;
  const { parameters } = tagged.signature;
  const contextAt = parameters.findIndex((parameter) =>
    isContext(source.checker.getTypeOfSymbol(parameter), source),
  );
  return {
    kind: 'function-completion',
    origin: source.originOfTag(tag),
    of: dotted === undefined ? template : `${tagged.prefix ?? ''}${dotted}`,
    argument,
    binding: {
      ...bindFunction(tagged, context),
      parameters: ['typed', 'others'].slice(0, parameters.length - (contextAt === -1 ? 0 : 1)),
      ...(contextAt === -1 ? {} : { contextAt }),
    },
  };
}

function findCompletionProblem(tagged: Tagged, { source }: ItemContext): string | undefined {
  const { checker } = source;
  const parameters = signatureParameters(tagged.signature, checker);
  const [typed, , more] = parameters.filter(({ type }) => !isContext(type, source));
  if (more !== undefined) return 'it has more parameters than what was typed and the other arguments';
  if (typed !== undefined && !checker.isTypeAssignableTo(checker.getStringType(), typed.type))
    return 'its first parameter takes no string';
  const item = findListItem(tagged, { source });
  const isTexts = item !== undefined && checker.isTypeAssignableTo(item, checker.getStringType());
  return isTexts ? undefined : 'it does not return a list of strings';
}

/** Returns the type of an item of the list that a function returns. */
function findListItem(tagged: Tagged, { source }: Pick<ItemContext, 'source'>): ts.Type | undefined {
  const { type, streams } = findReturnedType(tagged, source);
  return streams === false && source.checker.isArrayType(type)
    ? source.checker.getTypeArguments(type as ts.TypeReference)[0]
    : undefined;
}

/** Adds a function to the template whose resources it lists, or to the tool that it prepares. */
export function attachHelper(
  tagged: Tagged,
  tag: DocTag,
  capabilities: readonly Capability[],
  context: ItemContext,
): void {
  if (tag.name === 'list') attachLister(tagged, tag, capabilities, context);
  if (tag.name === 'prepare') attachPreparer(tagged, tag, capabilities, context);
}

/** `@list <URI template>`: returns URIs, or objects with `uri` or the template's `variables`. */
function attachLister(
  tagged: Tagged,
  tag: DocTag,
  capabilities: readonly Capability[],
  context: ItemContext,
): void {
  const templates = capabilities.filter(
    (capability): capability is FunctionResource =>
      capability.kind === 'function-resource' && capability.uri.includes('{'),
  );
  const target = templates.find(({ uri, name }) => [uri, name].includes(firstWord(tag)));
  if (target === undefined) {
    const names = templates.flatMap(({ uri, name }) => [uri, name]);
    return reportUnknownTarget(tag, 'a resource template', names, context);
  }
  if (target.list !== undefined) reportUnfitFunction(tagged, tag, 'another function has the same', context);
  const problem = findListerProblem(tagged, context);
  if (problem !== undefined) return reportUnfitFunction(tagged, tag, problem, context);
  const hasContext = signatureParameters(tagged.signature, context.source.checker).length > 0;
  target.list ??= {
    ...bindFunction(tagged, context),
    parameters: [],
    ...(hasContext ? { contextAt: 0 } : {}),
  };
}

function findListerProblem(tagged: Tagged, { source }: ItemContext): string | undefined {
  const { checker } = source;
  const [first, second] = signatureParameters(tagged.signature, checker);
  const takesMore = first !== undefined && !isContext(first.type, source);
  if (takesMore || second !== undefined) return 'it takes something else than a `Context`';
  const item = findListItem(tagged, { source });
  const isEntry = (type: ts.Type): boolean =>
    (type.flags & ts.TypeFlags.StringLike) !== 0 ||
    ['uri', 'variables'].some((name) => checker.getPropertyOfType(type, name) !== undefined);
  return item !== undefined && unionMembers(item).every(isEntry)
    ? undefined
    : 'it does not return a list of URIs, or of objects with `uri` or `variables`';
}

/** `@prepare <tool>`: takes some of the tool's arguments, and returns values for its parameters. */
function attachPreparer(
  tagged: Tagged,
  tag: DocTag,
  capabilities: readonly Capability[],
  context: ItemContext,
): void {
  const tools = capabilities.filter(
    (capability): capability is FunctionTool => capability.kind === 'function-tool',
  );
  const tool = tools.find(({ name }) => name === `${tagged.prefix ?? ''}${firstWord(tag)}`);
  if (tool === undefined) {
    const names = tools.map(({ name }) => name);
    return reportUnknownTarget(tag, 'a tool', names, context);
  }
  if (tool.prepare !== undefined) reportUnfitFunction(tagged, tag, 'another function has the same', context);
  const { call, input } = readArguments(tagged, context.source, context.types);
  const unknown = Object.keys(input.properties ?? {}).find(
    (name) => !Object.hasOwn(tool.input.properties ?? {}, name),
  );
  const { type, streams } = findReturnedType(tagged, context.source);
  const isObject = (type.flags & ts.TypeFlags.Object) !== 0 && !context.source.checker.isArrayType(type);
  const problem =
    (tool.execution?.taskSupport ?? 'forbidden') === 'forbidden'
      ? `${tool.name} is never a task (\`@task\`), so it can ask by itself`
      : unknown !== undefined
        ? `it takes ${unknown}, which is no argument of ${tool.name}`
        : streams === false && isObject
          ? undefined
          : 'it does not return an object of arguments';
  if (problem !== undefined) return reportUnfitFunction(tagged, tag, problem, context);
  tool.prepare ??= { ...bindFunction(tagged, context), ...call };
}

function reportUnknownTarget(
  tag: DocTag,
  expected: string,
  candidates: readonly string[],
  { source }: ItemContext,
): void {
  // A tag without one word has been reported already.
  if (!/^\S+$/.test(tag.text)) return;
  const suggestion = nearest(firstWord(tag), candidates) ?? '';
  const values = { tag: tag.name, target: firstWord(tag), wanted: expected, suggestion };
  source.diagnostics.report('helper-without-target', values, { at: source.originOfTag(tag) });
}
