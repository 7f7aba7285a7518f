import type { ServerDefinition } from '../../../templates/runtime/index.ts';
import { askingTools } from './asking-tools.ts';
import { changingTools, started } from './changes.ts';
import { contentTools } from './content-tools.ts';
import { prompts } from './prompts.ts';
import { resources, resourceTemplates } from './resources.ts';
import { roundTools } from './round-tools.ts';
import { streamTools } from './stream-tools.ts';
import { taskTools } from './task-tools.ts';

export const server: ServerDefinition = {
  info: { name: 'everything', version: '1.0.0', title: 'Everything' },
  instructions: 'Has one item for each thing that the conformance suite looks at.',
  generated: new URL('generated/', import.meta.url),
  handlers: {
    extraTools: [
      ...contentTools,
      ...streamTools,
      ...askingTools,
      ...roundTools,
      ...changingTools,
      ...taskTools,
    ],
    prompts,
    resources,
    resourceTemplates,
    completions: {
      test_prompt_with_arguments: {
        arg1: (typed) => ['paris', 'park', 'party'].filter((one) => one.startsWith(typed)),
      },
    },
    started,
  },
};
