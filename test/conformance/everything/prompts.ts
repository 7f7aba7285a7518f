import type { ContentBlock, PromptDefinition, PromptResult } from '../../../templates/runtime/index.ts';
import { PNG, textForm } from './samples.ts';

export const prompts: Record<string, PromptDefinition> = {
  test_simple_prompt: {
    description: 'A prompt without arguments.',
    handler: () => 'This is a simple prompt for testing.',
  },
  test_prompt_with_arguments: {
    description: 'A prompt with two arguments.',
    arguments: [
      { name: 'arg1', description: 'First test argument', required: true },
      { name: 'arg2', description: 'Second test argument', required: true },
    ],
    handler: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  },
  test_prompt_with_embedded_resource: {
    description: 'A prompt that carries a resource.',
    arguments: [{ name: 'resourceUri', description: 'URI of the resource to embed', required: true }],
    handler: ({ resourceUri = '' }) =>
      byUser(
        {
          type: 'resource',
          resource: {
            uri: resourceUri,
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        },
        { type: 'text', text: 'Please process the embedded resource above.' },
      ),
  },
  test_prompt_with_image: {
    description: 'A prompt that carries an image.',
    handler: () =>
      byUser(
        { type: 'image', data: PNG, mimeType: 'image/png' },
        { type: 'text', text: 'Please analyze the image above.' },
      ),
  },
  test_input_required_result_prompt: {
    description: 'A prompt that asks for its context.',
    handler: async (_, { elicit }) => {
      const { content } = await elicit('What context should the prompt use?', textForm('context'), {
        key: 'user_context',
      });
      return `Use this context: ${String(content?.['context'])}`;
    },
  },
};

function byUser(...content: ContentBlock[]): PromptResult {
  return { messages: content.map((one) => ({ role: 'user', content: one })) };
}
