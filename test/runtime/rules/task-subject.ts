/** The server that rule 13 is tried on: the tool `x`, whose calls may become tasks, and clients of both eras. */
import { expect, vi } from 'vitest';
import { type RequestContext, answerToObject } from '../../../templates/runtime/core/call.ts';
import { Channel, Session } from '../../../templates/runtime/core/session.ts';
import type { AuthDefinition, Context, ExtraTool } from '../../../templates/runtime/definition.ts';
import type { Limits } from '../../../templates/runtime/contract/feature.ts';
import { META, type Revision, TASKS_EXTENSION } from '../../../templates/runtime/protocol/revisions.ts';
import { readReceived } from '../../../templates/runtime/protocol/json-rpc.ts';
import { callerOf, withoutScopes } from '../../support/caller.ts';
import { createCheckedCore } from '../../support/checked-core.ts';
import { hello, newServer, type Reply } from '../core/harness.ts';
import { metaOf } from './subject.ts';

/** The revisions that have tasks. */
export const CORE = '2025-11-25';
export const EXTENSION = '2026-07-28';
export const TASK_REVISIONS = [CORE, EXTENSION] as const;

/** A client's declaration of the extension. */
export const DECLARED = { extensions: { [TASKS_EXTENSION]: {} } };
export const FORM: Parameters<Context['elicit']>[1] = {
  type: 'object',
  properties: { name: { type: 'string' } },
};
export const named = (name: string) => ({ action: 'accept', content: { name } });
export const unknownTask = (taskId: string) => ({
  code: -32602,
  // A server with a secret, which may have other nodes, says more: test/runtime/redis/tasks.test.ts.
  message: expect.stringMatching(new RegExp(`^Unknown task: ${taskId}(?:$|\\. Without Redis)`)) as string,
});

/** Work that ends when it is stopped. */
export const untilStopped: ExtraTool['handler'] = async (_, { signal }) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve('too late')));

export interface TaskParts {
  support?: 'forbidden' | 'optional' | 'required' | undefined;
  /** Further members of the tool. */
  tool?: Partial<ExtraTool>;
  limits?: Partial<Limits>;
  /** Where clients are asked who they are. */
  auth?: AuthDefinition;
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
  const { support = 'optional', tool = {}, limits = {}, declared = true, auth } = parts;
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
  const { server, reported } = newServer({
    handlers: { extraTools: declared ? [x, other] : [x] },
    limits,
    ...(auth === undefined ? {} : { auth }),
  });
  if (auth === undefined) withoutScopes(server);
  return {
    server,
    reported,
    /** How often the handler began. */
    ran: () => runs,
    client: async (revision: Revision, who: Who = {}) => clientOf(createCheckedCore(server), revision, who),
  };
}

interface Who {
  subject?: string;
  /** Of the token of that subject. Default none. */
  scopes?: string[];
  /** Beside the extension, which modern clients declare here. */
  capabilities?: Record<string, unknown>;
}

export type TaskClient = Awaited<ReturnType<typeof clientOf>>;

async function clientOf(
  core: ReturnType<typeof createCheckedCore>,
  revision: Revision,
  { subject, scopes, capabilities = {} }: Who,
) {
  const isModern = revision === EXTENSION;
  const sent: Sent[] = [];
  const session = isModern ? undefined : new Session();
  if (session !== undefined) session.push = (message) => void sent.push({ on: 'session', ...message });
  const context: RequestContext = {
    channel: session ?? new Channel(),
    session,
    send: async (message) => void sent.push({ on: 'request', ...message }),
    caller: subject === undefined ? undefined : callerOf(subject, scopes),
  };
  const send = async (message: object): Promise<Reply | undefined> => {
    const answer = await core(readReceived({ jsonrpc: '2.0', ...message }), context);
    if (answer === undefined || Array.isArray(answer)) return undefined;
    return { ...answerToObject(answer), ...(answer.kind === 'error' ? { origin: answer.origin } : {}) };
  };
  let id = 0;
  const meta = isModern ? { [META.clientCapabilities]: { ...DECLARED, ...capabilities } } : {};
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
    session,
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
