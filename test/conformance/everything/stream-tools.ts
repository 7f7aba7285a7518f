/** Tools that say something before they answer. */
import { setTimeout } from 'node:timers/promises';
import type { Context, ExtraTool } from '../../../templates/runtime/index.ts';
import { NO_ARGUMENTS } from './samples.ts';

/** Far enough apart for a client to see one after the other. */
const PAUSE_MS = 50;

export const streamTools: ExtraTool[] = [
  {
    name: 'test_tool_with_logging',
    description: 'Logs three messages while at work.',
    inputSchema: NO_ARGUMENTS,
    handler: async (_, context) => {
      await logged(context, ['Tool execution started', 'Tool processing data', 'Tool execution completed']);
      return 'Logged three messages.';
    },
  },
  {
    name: 'test_logging_tool',
    description: 'Logs a message.',
    inputSchema: NO_ARGUMENTS,
    handler: async (_, { log }) => {
      await log('info', 'At work.');
      return 'Logged a message.';
    },
  },
  {
    name: 'test_tool_with_progress',
    description: 'Reports progress in three steps.',
    inputSchema: NO_ARGUMENTS,
    handler: async (_, { progress, signal }) => {
      for (const done of [0, 50, 100]) {
        await progress(done, 100);
        await setTimeout(PAUSE_MS, undefined, { signal });
      }
      return 'Reported progress.';
    },
  },
  {
    name: 'test_reconnection',
    description: 'Closes the stream of its call before it answers.',
    inputSchema: NO_ARGUMENTS,
    handler: async (_, { closeStream, signal }) => {
      closeStream();
      await setTimeout(PAUSE_MS, undefined, { signal });
      return 'Answered after the stream was closed.';
    },
  },
];

async function logged({ log, signal }: Context, messages: readonly string[]): Promise<void> {
  for (const message of messages) {
    await log('info', message);
    await setTimeout(PAUSE_MS, undefined, { signal });
  }
}
