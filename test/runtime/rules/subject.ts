/** The server that the rules are tried on: one of everything, and a count of the handlers that ran. */
import { META } from '../../../templates/runtime/json-rpc.ts';
import type { Context, Handlers } from '../../../templates/runtime/types.ts';
import { newServer, type Reply, type ServerParts, type TestServer } from '../harness.ts';

export type Work = (context: Context, args: Record<string, unknown>) => unknown;

/** Metadata of a modern request; `more` replaces or adds. */
export function metaOf(more: Record<string, unknown> = {}): Record<string, unknown> {
  return { [`${META}protocolVersion`]: '2026-07-28', [`${META}clientCapabilities`]: {}, ...more };
}

export interface Subject extends TestServer {
  /** How often any handler began. */
  ran: () => number;
  /** A modern request. */
  modern: (method: string, params?: object, meta?: Record<string, unknown>) => Promise<Reply>;
}

/** `work` is done by the tool `x`, the prompt `p`, the resource `own://r`, its template, and the completion. */
export function subject(work: Work = () => 'done', parts: ServerParts = {}): Subject {
  const counted = { runs: 0 };
  const server = newServer({ ...parts, handlers: { ...handlersFor(work, counted), ...parts.handlers } });
  return {
    ...server,
    ran: () => counted.runs,
    modern: async (method, params = {}, meta = {}) => server.ask(method, { ...params, _meta: metaOf(meta) }),
  };
}

/** One of everything, each of which does the work. */
export function handlersFor(work: Work, counted: { runs: number }): Handlers<object> {
  const run = (context: Context, args: Record<string, unknown> = {}) => {
    counted.runs++;
    return work(context, args);
  };
  const read = async (_uri: string, variables: Record<string, string>, context: Context) => {
    const text = await run(context, variables);
    return text === undefined ? undefined : String(text);
  };
  return {
    extraTools: [
      {
        name: 'x',
        inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
        handler: (args, context) => run(context, args),
      },
    ],
    prompts: {
      p: {
        arguments: [{ name: 'who', required: true }],
        handler: async (args, context) => String(await run(context, args)),
      },
    },
    resources: { 'own://r': { name: 'r', read } },
    resourceTemplates: { 'own://t/{id}': { name: 't', read } },
    completions: { p: { who: async (_typed, _others, context) => [String(await run(context))] } },
  };
}

/** A request for each method that does the project's own work, and for each that lists. */
export const REQUESTS = {
  call: ['tools/call', { name: 'x' }],
  prompt: ['prompts/get', { name: 'p', arguments: { who: 'Ada' } }],
  read: ['resources/read', { uri: 'own://r' }],
  complete: [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'who', value: '' } },
  ],
} as const;

export const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'] as const;
