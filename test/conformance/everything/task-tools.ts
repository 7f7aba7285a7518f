/** Tools whose work may be a task. */
import { setTimeout } from 'node:timers/promises';
import { type Context, type ExtraTool, ProtocolError } from '../../../templates/runtime/index.ts';
import { nameOf } from './round-tools.ts';
import { NO_ARGUMENTS, textForm } from './samples.ts';

const INTERNAL_ERROR = -32603;

export const taskTools: ExtraTool[] = [
  {
    name: 'greet',
    description: 'Greets; never a task.',
    inputSchema: textForm('name'),
    handler: ({ name }) => `Hello, ${String(name)}!`,
  },
  {
    name: 'slow_compute',
    description: 'Takes so many seconds.',
    inputSchema: {
      type: 'object',
      properties: { seconds: { type: 'number', minimum: 0 }, label: { type: 'string' } },
      required: ['seconds'],
    },
    execution: { taskSupport: 'optional' },
    handler: async ({ seconds, label = 'work' }, { signal }) => {
      await setTimeout(Number(seconds) * 1_000, undefined, { signal });
      return `${String(label)} took ${String(seconds)} seconds.`;
    },
  },
  {
    name: 'failing_job',
    description: 'Fails after a second; always a task.',
    inputSchema: NO_ARGUMENTS,
    execution: { taskSupport: 'required' },
    handler: async (_, { signal }) => {
      await setTimeout(1_000, undefined, { signal });
      throw new Error('The job failed, as it always does.');
    },
  },
  {
    name: 'protocol_error_job',
    description: 'Ends in an error of the protocol.',
    inputSchema: NO_ARGUMENTS,
    execution: { taskSupport: 'optional' },
    handler: () => {
      throw new ProtocolError(INTERNAL_ERROR, 'The job broke.');
    },
  },
  {
    name: 'confirm_delete',
    description: 'Asks before it deletes (nothing, really).',
    inputSchema: textForm('filename'),
    execution: { taskSupport: 'optional' },
    handler: async ({ filename }, context) =>
      (await isConfirmed(`Delete ${String(filename)}?`, 'confirm', context)) ? 'Deleted.' : 'Kept.',
  },
  {
    name: 'multi_input',
    description: 'Asks two things at once.',
    inputSchema: NO_ARGUMENTS,
    execution: { taskSupport: 'optional' },
    handler: async (_, context) => {
      const asked = ['first', 'second'].map((key) => isConfirmed(`The ${key} thing?`, key, context));
      return `Confirmed: ${JSON.stringify(await Promise.all(asked))}`;
    },
  },
  {
    name: 'test_tool_with_task',
    description: 'Asks for a name, then goes on as a task.',
    inputSchema: NO_ARGUMENTS,
    execution: { taskSupport: 'required' },
    prepare: async (_, context) => ({ name: await nameOf(context) }),
    handler: ({ name }) => `Hello, ${String(name)}!`,
  },
];

async function isConfirmed(question: string, key: string, { elicit }: Context): Promise<boolean> {
  const form = {
    type: 'object',
    properties: { confirm: { type: 'boolean' } },
    required: ['confirm'],
  } as const;
  const { action, content } = await elicit(question, { ...form, required: ['confirm'] }, { key });
  return action === 'accept' && content?.['confirm'] === true;
}
