/** The server that rule 13 is tried on: the tool `x`, whose calls may become tasks, and clients of both eras. */
import { expect, vi } from 'vitest';
import { META, RpcError } from '../../../templates/runtime/json-rpc.ts';
import type { Server } from '../../../templates/runtime/server.ts';
import type { ExtraTool } from '../../../templates/runtime/types.ts';
import { makeClient } from '../core.ts';
import { hello, newServer, type Reply, type ServerParts } from '../harness.ts';
import { metaOf } from './subject.ts';

/** The revisions that have tasks. */
export const CORE = '2025-11-25';
export const EXTENSION = '2026-07-28';
export const TASK_REVISIONS = [CORE, EXTENSION] as const;

/** A client's declaration of the extension. */
export const DECLARED = { extensions: { [`${META}tasks`]: {} } };
export const FORM = { type: 'object', properties: { name: { type: 'string' } } } as const;
export const named = (name: string) => ({ action: 'accept', content: { name } });
export const unknownTask = (taskId: string) => ({
  code: -32602,
  message: `Unknown task: ${taskId}`,
});

/** What a handler throws to answer with an error of the protocol. */
export const refusal = (code: number, message: string, data: object): Error =>
  new RpcError(code, message, { data });

/** Work that ends when it is stopped. */
export const untilStopped: ExtraTool['handler'] = async (_, { signal }) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve('too late')));

export interface TaskParts {
  support?: 'forbidden' | 'optional' | 'required' | undefined;
  /** Further members of the tool. */
  tool?: Partial<ExtraTool>;
  limits?: ServerParts['limits'];
  /** Whether another tool has tasks, so that they are declared. Default true. */
  declared?: boolean;
}

export interface Sent {
  /** Ahead of a request's answer, or of none. */
  on: 'request' | 'session';
  id?: unknown;
  method: string;
  params?: object;
}

export type Task = Record<string, unknown>;

export function taskServer(handler: ExtraTool['handler'] = () => 'done', parts: TaskParts = {}) {
  const { support = 'optional', tool = {}, limits = {}, declared = true } = parts;
  let runs = 0;
  const x: ExtraTool = {
    name: 'x',
    inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
    execution: { taskSupport: support },
    ...tool,
    handler: (args, context) => {
      runs++;
      return handler(args, context);
    },
  };
  const other: ExtraTool = { ...x, name: 'other', execution: { taskSupport: 'optional' } };
  const handlers = { extraTools: declared ? [x, other] : [x] };
  const { server, reported } = newServer({ handlers, limits });
  return {
    server,
    handlers,
    reported,
    /** How often the handler began. */
    ran: () => runs,
    client: (revision: string, who: Who = {}) => clientOf(connect(server, who), revision, who),
  };
}

interface Who {
  subject?: string;
  /** Beside the extension, which modern clients declare here. */
  capabilities?: Record<string, unknown>;
}

export type TaskClient = Awaited<ReturnType<typeof clientOf>>;

interface Connection {
  sent: Sent[];
  send: (message: object) => Promise<Reply | undefined>;
  /** Questions that the client has not answered. */
  openQuestions: () => number;
}

function connect(server: Server, { subject }: Who): Connection {
  const sent: Sent[] = [];
  const client = makeClient(server, [], undefined, (message) => {
    sent.push({ on: 'request', ...message } as Sent);
  });
  const { session } = client;
  session.push = (message) => void sent.push({ on: 'session', ...message } as Sent);
  if (subject !== undefined) session.caller = { subject };
  const send = async (message: object) =>
    client.send({ jsonrpc: '2.0', ...message }) as Promise<Reply | undefined>;
  return { sent, send, openQuestions: () => session.replies.size };
}

async function clientOf(
  { sent, send, openQuestions }: Connection,
  revision: string,
  { capabilities = {} }: Who,
) {
  const isModern = revision === EXTENSION;
  let id = 0;
  const meta = isModern ? { [`${META}clientCapabilities`]: { ...DECLARED, ...capabilities } } : {};
  const ask = async (method: string, params: object = {}, more: Record<string, unknown> = {}) => {
    const all = isModern ? metaOf({ ...meta, ...more }) : more;
    const reply = await send({ id: ++id, method, params: { ...params, _meta: all } });
    if (reply === undefined) throw new Error(`${method} was not answered`);
    return reply;
  };
  if (!isModern) {
    await ask('initialize', { ...hello(revision), capabilities });
    await send({ method: 'notifications/initialized' });
  }
  /** A call of `x` that wants to be a task. */
  const call = (params: object = {}, more: Record<string, unknown> = {}) =>
    ask('tools/call', { name: 'x', arguments: {}, ...(isModern ? {} : { task: {} }), ...params }, more);
  const create = async (params: object = {}): Promise<string> => {
    const { result = {} } = await call(params);
    return String((isModern ? result : (result['task'] as Task))['taskId']);
  };
  const get = async (taskId: string): Promise<Task> => (await ask('tasks/get', { taskId })).result ?? {};
  const until = async (taskId: string, statuses: string[]): Promise<Task> =>
    vi.waitFor(
      async () => {
        const task = await get(taskId);
        expect(statuses).toContain(task['status']);
        return task;
      },
      { interval: 1 },
    );
  return {
    ask,
    send,
    call,
    create,
    get,
    sent,
    openQuestions,
    methods: () => sent.map(({ method }) => method),
    working: (taskId: string) => until(taskId, ['working']),
    /** The task, once a question waits. */
    asking: (taskId: string) => until(taskId, ['input_required']),
    /** The request that the client was sent, once it was: the `nth`, from 0. */
    asked: (nth = 0): Promise<Sent> =>
      vi.waitFor(
        () => {
          const request = sent.filter((each) => each.id !== undefined)[nth];
          if (request === undefined) throw new Error('nothing was asked');
          return request;
        },
        { interval: 1 },
      ),
    /** The task, once it has ended. */
    ended: (taskId: string) => until(taskId, ['completed', 'failed', 'cancelled']),
  };
}
