/** Decides which matchers the lists of a model need. */
import { listRarePatterns } from '../../templates/runtime/contract/patterns.ts';
import type { ListNeed } from '../../templates/runtime/features.ts';
import { isPlainTemplate } from '../../templates/runtime/uri-template/plain-template.ts';
import type { ServerModel } from '../model/server-model.ts';

export const needsOfLists: Record<ListNeed, (model: ServerModel) => boolean> = {
  patterns: ({ tools, prompts, codecs, mock, mocks }) => {
    const schemas = tools.map(({ inputSchema, outputSchema, binding }) =>
      binding.kind === 'http' ? [inputSchema, outputSchema] : [inputSchema, outputSchema, binding],
    );
    const answers = [mock, ...Object.values(mocks ?? {})].flatMap((each) =>
      Object.values(each?.schemas ?? {}),
    );
    const texts = answers.filter((text) => /"pattern(?:Properties)?":/.test(text));
    const rare = listRarePatterns([schemas, prompts, codecs, texts.map((text): unknown => JSON.parse(text))]);
    return rare.next().done === false;
  },
  'uri-templates': ({ resourceTemplates }) =>
    !resourceTemplates.every(({ uriTemplate }) => isPlainTemplate(uriTemplate)),
};
