/** Functions that help others: `@complete`, `@list` and `@prepare`. */
import { nearest } from '../../../../templates/runtime/validate.ts';
import type {
  Capability,
  FunctionCompletion,
  FunctionResource,
  FunctionTool,
} from '../../../model/source-model.ts';
import type { DocTag } from '../docs/read-docs.ts';
import { firstWord } from '../tags/tag-values.ts';
import { type ItemContext, reportUnfitFunction, bindFunction } from './item.ts';
import { readArguments } from './parameters.ts';
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

/** `@list <URI template>`: returns URIs, or objects with `uri` or the template's `variables`. */
export function attachLister(
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
  const hasContext = signatureParameters(tagged.signature, context.source.checker).length > 0;
  target.list ??= {
    ...bindFunction(tagged, context),
    parameters: [],
    ...(hasContext ? { contextAt: 0 } : {}),
  };
}

/** `@prepare <tool>`: takes some of the tool's arguments, and returns values for its parameters. */
export function attachPreparer(
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
  const { call, input } = readArguments(tagged, context.source, context.types);
  const unknown = Object.keys(input.properties ?? {}).find(
    (name) => !Object.hasOwn(tool.input.properties ?? {}, name),
  );
  let problem = unknown && `it takes ${unknown}, which is no argument of ${tool.name}`;
  if (tool.prepare !== undefined) problem = 'another function has the same';
  if ((tool.execution?.taskSupport ?? 'forbidden') === 'forbidden')
    problem = `${tool.name} is never a task (\`@task\`), so it can ask by itself`;
  if (problem !== undefined) return reportUnfitFunction(tagged, tag, problem, context);
  tool.prepare = { ...bindFunction(tagged, context), ...call };
}

function reportUnknownTarget(
  tag: DocTag,
  wanted: string,
  candidates: readonly string[],
  { source }: ItemContext,
): void {
  // A tag without one word has been reported already.
  if (!/^\S+$/.test(tag.text)) return;
  const suggestion = nearest(firstWord(tag), candidates) ?? '';
  const values = { tag: tag.name, target: firstWord(tag), wanted, suggestion };
  source.diagnostics.report('helper-without-target', values, { at: source.originOfTag(tag) });
}
