/** Lists that change while the server runs, and a resource that is watched. */
import type { ExtraTool, ServerHandle } from '../../../templates/runtime/index.ts';
import { NO_ARGUMENTS } from './samples.ts';

const CHANGING = 'test_changing';

let handle: ServerHandle | undefined;

/** Runs when the server starts. */
export function started(server: ServerHandle): () => void {
  handle = server;
  return () => (handle = undefined);
}

export const changingTools: ExtraTool[] = [
  trigger('test_trigger_tool_change', 'Adds a tool and takes it away again.', (server) => {
    server.addTool({
      name: CHANGING,
      description: 'There for a moment.',
      inputSchema: NO_ARGUMENTS,
      handler: () => '',
    });
    server.removeTool(CHANGING);
  }),
  trigger('test_trigger_prompt_change', 'Adds a prompt and takes it away again.', (server) => {
    server.addPrompt(CHANGING, { description: 'There for a moment.', handler: () => '' });
    server.removePrompt(CHANGING);
  }),
];

function trigger(name: string, description: string, change: (server: ServerHandle) => void): ExtraTool {
  return {
    name,
    description,
    inputSchema: NO_ARGUMENTS,
    handler: () => {
      if (handle === undefined) throw new Error('The server has not started.');
      change(handle);
      return 'Changed.';
    },
  };
}
