/** Tools that ask the client. */
import type { Context, ExtraTool } from '../../../templates/runtime/index.ts';
import type { ObjectSchema } from '../../../templates/runtime/schema/json-schema.ts';
import { NO_ARGUMENTS, textForm } from './samples.ts';

const withDefaults: ObjectSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};

const options = ['option1', 'option2', 'option3'];

function titled(noun: string): { const: string; title: string }[] {
  return ['First', 'Second', 'Third'].map((word, index) => ({
    const: `value${index + 1}`,
    title: `${word} ${noun}`,
  }));
}

/** Every way to offer a choice. */
const withChoices: ObjectSchema = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: { type: 'string', oneOf: titled('Option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
    titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
  },
};

export const askingTools: ExtraTool[] = [
  {
    name: 'test_sampling',
    description: "Asks the client's model.",
    inputSchema: textForm('prompt'),
    handler: async ({ prompt }, context) => `LLM response: ${await answerTo(String(prompt), context)}`,
  },
  {
    name: 'test_missing_capability',
    description: "Can't do without the client's model.",
    inputSchema: NO_ARGUMENTS,
    handler: async (_, context) => answerTo('Hello?', context),
  },
  {
    name: 'test_elicitation',
    description: 'Asks the person for a name and an address.',
    inputSchema: textForm('message'),
    handler: async ({ message }, { elicit }) => {
      const answer = await elicit(String(message), {
        type: 'object',
        properties: {
          username: { type: 'string', description: "User's response" },
          email: { type: 'string', description: "User's email address" },
        },
        required: ['username', 'email'],
      });
      return `User response: ${JSON.stringify(answer)}`;
    },
  },
  {
    name: 'test_streaming_elicitation',
    description: 'Reports progress, and asks the person.',
    inputSchema: NO_ARGUMENTS,
    handler: async (_, { elicit, progress }) => {
      await progress(1, 2);
      return `User response: ${JSON.stringify(await elicit('What is your name?', textForm('name')))}`;
    },
  },
  asking('test_elicitation_sep1034_defaults', 'Asks by a form with defaults.', withDefaults),
  asking('test_elicitation_sep1330_enums', 'Asks by a form with choices.', withChoices),
];

function asking(name: string, description: string, form: ObjectSchema): ExtraTool {
  return {
    name,
    description,
    inputSchema: NO_ARGUMENTS,
    handler: async (_, { elicit }) => {
      const { action, content = {} } = await elicit('Please fill in the form.', form);
      return `Elicitation completed: action=${action}, content=${JSON.stringify(content)}`;
    },
  };
}

async function answerTo(prompt: string, { sample }: Context): Promise<string> {
  const { content } = await sample({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens: 100,
  });
  return [content]
    .flat()
    .map(({ text }) => String(text))
    .join('\n');
}
