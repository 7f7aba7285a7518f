import { ts } from 'ts-morph';

import type { FunctionBinding } from '../../../../templates/runtime/contract/bindings.ts';
import { suggestNearest } from '../../../../templates/runtime/contract/feature.ts';
import type { Capability, FunctionResource, FunctionTool } from '../../../model/source-model.ts';
import type { DocTag } from '../docs/read-docs.ts';
import { firstWord } from '../tags/tag-values.ts';
import { type ItemContext, reportUnfitFunction, bindFunction } from './item.ts';
import { readArguments } from './parameters.ts';
import { findReturnedType } from './results.ts';
import { signatureParameters } from './signature-parameters.ts';
import type { Tagged } from './tagged.ts';
import { unionMembers } from '../program/checker-queries.ts';
import { isContext } from './type-kinds.ts';

interface Read {
  capability: Capability;
  tagged: Tagged;
}

export function attachHelper(tagged: Tagged, tag: DocTag, read: readonly Read[], context: ItemContext): void {
  if (tag.name === 'list') attachLister(tagged, tag, read, context);
  if (tag.name === 'prepare') attachPreparer(tagged, tag, read, context);
}

function attachLister(tagged: Tagged, tag: DocTag, read: readonly Read[], context: ItemContext): void {
  const templates = read.flatMap(({ capability }) => (isTemplate(capability) ? [capability] : []));
  const listTemplateNames = (template: FunctionResource): string[] => [template.uri, template.name];
  const target = templates.find((template) => listTemplateNames(template).includes(firstWord(tag)));
  if (target === undefined)
    return reportUnknownTarget(tag, 'a resource template', templates.flatMap(listTemplateNames), context);
  if (target.list !== undefined) reportUnfitFunction(tagged, tag, 'another function has the same', context);
  const list = readLister(tagged, tag, context);
  if (list !== undefined) target.list ??= list;
}

function attachPreparer(tagged: Tagged, tag: DocTag, read: readonly Read[], context: ItemContext): void {
  const tools = read.flatMap((item) =>
    isTool(item.capability) ? [{ tool: item.capability, of: item.tagged }] : [],
  );
  const preparedTool = tools.find(({ tool }) => tool.name === `${tagged.prefix ?? ''}${firstWord(tag)}`);
  if (preparedTool === undefined)
    return reportUnknownTarget(
      tag,
      'a tool',
      tools.map(({ tool }) => tool.name),
      context,
    );
  const { tool, of } = preparedTool;
  if (tool.prepare !== undefined) reportUnfitFunction(tagged, tag, 'another function has the same', context);
  const prepare = readPreparer(tagged, tag, { tool, tagged: of }, context);
  if (prepare !== undefined) tool.prepare ??= prepare;
}

function isTemplate(capability: Capability): capability is FunctionResource {
  return capability.kind === 'function-resource' && capability.uri.includes('{');
}

function isTool(capability: Capability): capability is FunctionTool {
  return capability.kind === 'function-tool';
}

function reportUnknownTarget(
  tag: DocTag,
  expected: string,
  candidates: readonly string[],
  { source }: ItemContext,
): void {
  // A tag without one word has been reported already.
  if (!/^\S+$/.test(tag.text)) return;
  const meant = suggestNearest(firstWord(tag), candidates) ?? '';
  const values = { tag: tag.name, target: firstWord(tag), wanted: expected, meant };
  source.diagnostics.report('helper-without-target', values, { at: source.originOfTag(tag) });
}

/** `@list <URI template>`: returns URIs, or objects with `uri` or the template's `variables`. */
function readLister(tagged: Tagged, tag: DocTag, context: ItemContext): FunctionBinding | undefined {
  const problem = findListerProblem(tagged, context);
  if (problem !== undefined) return reportUnfitFunction(tagged, tag, problem, context);
  const hasContext = signatureParameters(tagged.signature, context.source.checker).length > 0;
  return { ...bindFunction(tagged, context), parameters: [], ...(hasContext ? { contextAt: 0 } : {}) };
}

function findListerProblem(tagged: Tagged, { source }: ItemContext): string | undefined {
  const { checker } = source;
  const [first, second] = signatureParameters(tagged.signature, checker);
  const takesMore = first !== undefined && !isContext(first.type, source);
  if (takesMore || second !== undefined) return 'it takes something else than a `Context`';
  const { type, streams } = findReturnedType(tagged, source);
  const items =
    streams === false && checker.isArrayType(type)
      ? unionMembers(checker.getTypeArguments(type as ts.TypeReference)[0] ?? type)
      : [];
  const isEntry = (item: ts.Type): boolean =>
    (item.flags & ts.TypeFlags.StringLike) !== 0 ||
    ['uri', 'variables'].some((name) => checker.getPropertyOfType(item, name) !== undefined);
  if (items.length === 0 || !items.every(isEntry))
    return 'it does not return a list of URIs, or of objects with `uri` or `variables`';
  return undefined;
}

interface Target {
  tool: FunctionTool;
  tagged: Tagged;
}

/** `@prepare <tool>`: takes some of the tool's arguments, and returns values for its parameters. */
function readPreparer(
  tagged: Tagged,
  tag: DocTag,
  target: Target,
  context: ItemContext,
): FunctionBinding | undefined {
  const { call, input } = readArguments(tagged, context.source, context.types);
  const problem = findPrepareProblem(tagged, Object.keys(input.properties ?? {}), target, context);
  if (problem !== undefined) return reportUnfitFunction(tagged, tag, problem, context);
  return { ...bindFunction(tagged, context), ...call };
}

function findPrepareProblem(
  tagged: Tagged,
  takenNames: readonly string[],
  { tool, tagged: target }: Target,
  { source }: ItemContext,
): string | undefined {
  const { checker } = source;
  if ((tool.execution?.taskSupport ?? 'forbidden') === 'forbidden')
    return `${tool.name} is never a task (\`@task\`), so it can ask by itself`;
  const unknown = takenNames.find((name) => !Object.hasOwn(tool.input.properties ?? {}, name));
  if (unknown !== undefined) return `it takes ${unknown}, which is no argument of ${tool.name}`;
  const { type, streams } = findReturnedType(tagged, source);
  const members = checker.getPropertiesOfType(type);
  if (
    streams !== false ||
    type.isUnion() ||
    (type.flags & ts.TypeFlags.Object) === 0 ||
    checker.isArrayType(type)
  )
    return 'it does not return an object of arguments';
  const parameters = mapParameters(target, tool, checker);
  for (const member of members) {
    const parameterType = parameters.get(member.name);
    if (parameterType === undefined)
      return `it returns ${member.name}, which is no parameter of ${tool.name}`;
    if (!checker.isTypeAssignableTo(checker.getTypeOfSymbol(member), parameterType))
      return `it returns a ${member.name} that ${tool.name} does not take`;
  }
  return undefined;
}

/** Maps all parameters, also hidden ones. */
function mapParameters(
  { signature }: Tagged,
  { binding: { parameters: names, contextAt } }: FunctionTool,
  checker: ts.TypeChecker,
): ReadonlyMap<string, ts.Type> {
  const ownParameters = signatureParameters(signature, checker).filter((_, index) => index !== contextAt);
  const [only] = ownParameters;
  if (names !== 'object' || only === undefined)
    return new Map(ownParameters.map(({ name, type }) => [name, type]));
  const members = checker.getPropertiesOfType(checker.getNonNullableType(only.type));
  return new Map(members.map((member) => [member.name, checker.getTypeOfSymbol(member)]));
}
