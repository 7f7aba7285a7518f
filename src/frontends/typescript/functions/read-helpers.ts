/** Functions that help others: `@complete` and `@list`. */
import { nearest } from '../../../../templates/runtime/validate.ts';
import type { Capability, FunctionCompletion, FunctionResource } from '../../../model/source-model.ts';
import type { DocTag } from '../docs/read-docs.ts';
import { firstWord } from '../tags/tag-values.ts';
import { type ItemContext, reportUnfitFunction, bindFunction } from './item.ts';
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
    const suggestion = nearest(firstWord(tag), names) ?? '';
    const values = { tag: tag.name, target: firstWord(tag), wanted: 'a resource template', suggestion };
    // A tag without one word has been reported already.
    if (/^\S+$/.test(tag.text))
      context.source.diagnostics.report('helper-without-target', values, {
        at: context.source.originOfTag(tag),
      });
    return;
  }
  if (target.list !== undefined) reportUnfitFunction(tagged, tag, 'another function has the same', context);
  const hasContext = signatureParameters(tagged.signature, context.source.checker).length > 0;
  target.list ??= {
    ...bindFunction(tagged, context),
    parameters: [],
    ...(hasContext ? { contextAt: 0 } : {}),
  };
}
