import { ts } from 'ts-morph';

import type { Capability, FunctionPrompt, FunctionStart, FunctionTool } from '../../../model/source-model.ts';
import { omitUndefined } from '../../../util/collections.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { checkTags } from '../tags/check-tags.ts';
import type { DocTag } from '../docs/read-docs.ts';
import {
  readTaskTag,
  readCleanName,
  readMimeTypeTag,
  findTag,
  readToolAnnotations,
} from '../tags/tag-values.ts';
import {
  reportNonTextArguments,
  applyHeaderTags,
  reportHeaderTags,
  type ItemContext,
  originsOfArguments,
  readItemText,
  reportUnfitFunction,
  bindFunction,
} from './item.ts';
import { readArguments } from './parameters.ts';
import { attachHelper, readCompletion } from './read-helpers.ts';
import { readResource } from './read-resource.ts';
import { readResult, findReturnedType } from './results.ts';
import { signatureParameters } from './signature-parameters.ts';
import type { Tagged } from './tagged.ts';
import { unionMembers } from '../program/checker-queries.ts';
import { isRuntimeType } from './type-kinds.ts';

/** `@hidden` functions are left out. The schemas are final after the types are finished. */
export function readFunctions(context: ItemContext, taggedFunctions: readonly Tagged[]): Capability[] {
  const { source } = context;
  if (taggedFunctions.length === 0) reportNoTaggedExport(context);
  for (const { block } of taggedFunctions) checkTags(block, source);
  const shown = taggedFunctions.filter(({ block }) => !block.tags.some(({ name }) => name === 'hidden'));
  const capabilities = shown.flatMap((tagged) =>
    tagged.block.tags.flatMap((tag) => readItem(tagged, tag, context) ?? []),
  );
  for (const tagged of shown)
    for (const tag of tagged.block.tags) attachHelper(tagged, tag, capabilities, context);
  return capabilities;
}

function readItem(tagged: Tagged, tag: DocTag, context: ItemContext): Capability | undefined {
  switch (tag.name) {
    case 'tool':
      return readTool(tagged, tag, context);
    case 'resource':
      return readResource(tagged, tag, context);
    case 'prompt':
      return readPrompt(tagged, tag, context);
    case 'complete':
      return readCompletion(tagged, tag, context);
    case 'started':
      return readStart(tagged, tag, context);
    default:
      return undefined;
  }
}

function reportNoTaggedExport({ source: { files, diagnostics, originAt, check } }: ItemContext): void {
  check();
  const [first] = files;
  if (first === undefined || diagnostics.hasErrors) return;
  const firstPlace = originAt(first, 0);
  const more = files.length - 1;
  const words = more === 0 ? firstPlace.file : `${firstPlace.file} and ${more} more`;
  diagnostics.report('no-tagged-export', { files: words }, { at: firstPlace });
}

function readTool(tagged: Tagged, tag: DocTag, context: ItemContext): FunctionTool {
  const { source, types } = context;
  const { block } = tagged;
  const parameters = readArguments(tagged, source, types);
  const { call, input, docs } = parameters;
  const { binding, ...result } = readResult(tagged, readMimeTypeTag(block, source), source, types);
  applyHeaderTags(input, docs, source);
  const execution = readTaskTag(block, source);
  return {
    kind: 'function-tool',
    name: `${tagged.prefix ?? ''}${readCleanName(tag) || tagged.name}`,
    ...readItemText(tagged, context),
    annotations: readToolAnnotations(block, source),
    ...omitUndefined({ execution }),
    input,
    argumentOrigins: originsOfArguments(parameters, context),
    ...result,
    binding: { ...bindFunction(tagged, context), ...call, ...binding },
  };
}

function readPrompt(tagged: Tagged, tag: DocTag, context: ItemContext): FunctionPrompt {
  const parameters = readArguments(tagged, context.source, context.types);
  const { streams } = findReturnedType(tagged, context.source);
  reportHeaderTags(parameters, context.source);
  checkResult(tagged, tag, context);
  context.types.reader.runLater(() => {
    reportNonTextArguments(parameters, 'the arguments of prompts', context, { lists: false });
  });
  return {
    kind: 'function-prompt',
    name: `${tagged.prefix ?? ''}${readCleanName(tag) || tagged.name}`,
    ...readItemText(tagged, context),
    input: parameters.input,
    argumentOrigins: originsOfArguments(parameters, context),
    binding: {
      ...bindFunction(tagged, context),
      ...parameters.call,
      ...(streams === false ? {} : { streams }),
    },
  };
}

function checkResult(tagged: Tagged, tag: DocTag, context: ItemContext): void {
  if (findTag(tagged.block, 'prompt') !== tag) return;
  const problem = findPromptProblem(tagged, context.source);
  if (problem !== undefined) reportUnfitFunction(tagged, tag, problem, context);
}

/** A text, messages or content blocks are never one of these alone. */
const NO_PROMPT =
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BigIntLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.ESSymbolLike |
  ts.TypeFlags.VoidLike |
  ts.TypeFlags.Null;

function findPromptProblem(tagged: Tagged, source: SourceProgram): string | undefined {
  const { type } = findReturnedType(tagged, source);
  const isUseless = ({ flags }: ts.Type): boolean => (flags & NO_PROMPT) !== 0;
  const isUnfit =
    unionMembers(type).every(isUseless) ||
    unionMembers(source.checker.getNonNullableType(type)).some(isUseless);
  return isUnfit ? 'it does not return a text, messages or content blocks' : undefined;
}

function readStart(tagged: Tagged, tag: DocTag, context: ItemContext): FunctionStart | undefined {
  const problem = findStartProblem(tagged, context);
  if (problem !== undefined) return reportUnfitFunction(tagged, tag, problem, context);
  const parameters = signatureParameters(tagged.signature, context.source.checker);
  return {
    kind: 'function-start',
    origin: context.source.originOfTag(tag),
    binding: { ...bindFunction(tagged, context), parameters: parameters.map(({ name }) => name) },
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
