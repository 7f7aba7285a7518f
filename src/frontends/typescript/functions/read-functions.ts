import type { Capability, FunctionPrompt, FunctionStart, FunctionTool } from '../../../model/source-model.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { checkTags } from '../tags/check-tags.ts';
import type { DocTag } from '../docs/read-docs.ts';
import { readTaskTag, readCleanName, readMimeTypeTag, readToolAnnotations } from '../tags/tag-values.ts';
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
import { attachLister, attachPreparer, readCompletion } from './read-helpers.ts';
import { readResource } from './read-resource.ts';
import { readResult, findReturnedType } from './results.ts';
import { signatureParameters } from './signature-parameters.ts';
import type { Tagged } from './tagged.ts';

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
    for (const tag of tagged.block.tags) {
      if (tag.name === 'list') attachLister(tagged, tag, capabilities, context);
      if (tag.name === 'prepare') attachPreparer(tagged, tag, capabilities, context);
    }
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

/** It may take the running server, a `ServerHandle`. */
function readStart(tagged: Tagged, tag: DocTag, context: ItemContext): FunctionStart | undefined {
  const { method, signature } = tagged;
  const problem = 'its class has an instance for each session, and there is none yet';
  if (method?.instance === 'session') return reportUnfitFunction(tagged, tag, problem, context);
  const parameters = signatureParameters(signature, context.source.checker);
  return {
    kind: 'function-start',
    origin: context.source.originOfTag(tag),
    binding: { ...bindFunction(tagged, context), parameters: parameters.map(({ name }) => name) },
  };
}
