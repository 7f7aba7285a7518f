// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The entry module of tasks: `startTask` and the methods `tasks/…`. */
import { omitUndefined } from '../../contract/json-value.ts';
import {
  type OutgoingNotification,
  ProtocolError,
  type ServerRequest,
  invalidParamsError,
} from '../../protocol/json-rpc.ts';
import { type AuditedCall, type Call, type Method, type RequestContext, toErrorAnswer } from '../call.ts';
import { parseInputResponses } from '../rounds.ts';
import type { FeatureLoaders } from '../../feature-loaders.ts';
import type { ServerInstance } from '../server-instance.ts';
import { WaitingRequester, askClient } from '../client-requests.ts';
import { AskError } from '../session.ts';
import {
  type FoundTask,
  type SharedTasksStore,
  type Task,
  type TaskOutcome,
  type TaskQuestion,
  toCoreTask,
  toDetailedTask,
  toExtensionTask,
  requireTasksCapability,
  makeTaskOwner,
  withRelatedTask,
  getTaskStore,
  makeUnknownTaskError,
  parseRequestedTtl,
} from './task.ts';

export { shouldRunAsTask, requireTasksCapability } from './task.ts';

export async function readTaskDetails(server: ServerInstance, taskId: string): Promise<object | undefined> {
  const nodes = await findSharedStore(server);
  const task = nodes === undefined ? getTaskStore(server).findById(taskId) : await nodes.findById(taskId);
  return task && toDetailedTask(task, server.limits);
}

export async function findOwnTask(
  server: ServerInstance,
  taskId: string,
  subject: string | undefined,
): Promise<FoundTask | undefined> {
  const nodes = await findSharedStore(server);
  return (nodes ?? getTaskStore(server)).findOwned(taskId, subject);
}

interface TaskFeatures extends FeatureLoaders {
  sharedTasks?: () => Promise<{ openSharedTasks(server: ServerInstance): SharedTasksStore }>;
}

const opened = new WeakMap<ServerInstance['state'], Promise<SharedTasksStore> | undefined>();

/** Finds the store that nodes share. Undefined if this process serves alone. */
async function findSharedStore(server: ServerInstance): Promise<SharedTasksStore | undefined> {
  const { shared, state } = server;
  if (!shared.isShared) return undefined;
  if (!opened.has(state)) {
    const { sharedTasks: load } = server.features as TaskFeatures;
    opened.set(
      state,
      load?.().then(({ openSharedTasks }) => openSharedTasks(server)),
    );
  }
  return opened.get(state);
}

export const getTask: Method = async (call: Call) => {
  const task = await requireTask(call);
  const { limits } = call.server;
  return call.session === undefined ? toDetailedTask(task, limits) : toCoreTask(task, limits);
};

/** Cancelling an ended task is an error for legacy clients only. */
export const cancelTask: Method = async (call: Call) => {
  const task = await requireTask(call);
  const isModern = call.session === undefined;
  if (task.hasEnded && !isModern)
    throw invalidParamsError(`The task has ended already: it is ${task.status}.`);
  await task.cancel('The client cancelled the task.');
  return isModern ? {} : toCoreTask(task, call.server.limits);
};

/** Ignores answers to no open question ("Task Update Requests"). */
export const updateTask: Method = async (call: Call) => {
  const task = await requireTask(call);
  const { inputResponses } = call.params;
  if (inputResponses === undefined) throw invalidParamsError('`inputResponses` must be an object.');
  for (const [key, response] of Object.entries(parseInputResponses(call.params)))
    await task.take(key)?.answer(response);
  return {};
};

/** Lists the session's own tasks whose scopes the token has. */
export const listTasks: Method = async ({ server, context, params, reach }: Call) => {
  if (params['cursor'] !== undefined) throw invalidParamsError('`cursor` is none that this server gave.');
  const nodes = await findSharedStore(server);
  const own =
    nodes === undefined
      ? getTaskStore(server).listTasksOf(makeTaskOwner(context))
      : await nodes.listOwned(context);
  const tasks = own.filter(({ scopes }) => reach?.covers(scopes) ?? true);
  return { tasks: tasks.map((task) => toCoreTask(task, server.limits)) };
};

async function requireTask(call: Call): Promise<FoundTask> {
  requireTasksCapability(call);
  const { server, context, params } = call;
  const { taskId } = params;
  if (typeof taskId !== 'string') throw invalidParamsError('`taskId` must be a string.');
  const task = await findOwnTask(server, taskId, context.caller?.subject);
  if (task === undefined) throw makeUnknownTaskError(taskId, server);
  return task;
}

export const taskResult: Method = async (call: Call) => {
  const task = await requireTask(call);
  await waitUntilEnded(task, call);
  const { outcome } = task;
  if (outcome === undefined) throw invalidParamsError('The task was cancelled: it has no result.');
  if ('result' in outcome) return withRelatedTask(outcome.result, task);
  const { code, message, data } = outcome.error;
  throw new ProtocolError(code, message, 'work', data);
};

async function waitUntilEnded(task: FoundTask, call: Call): Promise<void> {
  const { signal } = call.inFlight;
  const asked = new Map<string, AbortController>();
  let stop: (() => void) | undefined;
  await new Promise<void>((resolve) => {
    const followQuestions = (): void => {
      const isOver = task.hasEnded || signal.aborted;
      for (const [key, asking] of asked) if (isOver || !task.questions.has(key)) asking.abort();
      if (isOver) return resolve();
      for (const [key, question] of task.questions) {
        if (asked.has(key)) continue;
        const asking = new AbortController();
        asked.set(key, asking);
        void askQuestion(task, key, question, { call, signal: asking.signal });
      }
    };
    stop = task.onChange(followQuestions);
    signal.addEventListener('abort', followQuestions, { once: true });
    followQuestions();
  });
  stop?.();
}

/** Several requests may wait for one result: the first answer counts. */
async function askQuestion(
  task: FoundTask,
  key: string,
  question: TaskQuestion,
  { call: { session, server, context }, signal }: { call: Call; signal: AbortSignal },
): Promise<void> {
  if (session === undefined) return;
  try {
    const answer = await askClient(session, question.method, withRelatedTask(question.params ?? {}, task), {
      send: (message) => context.send(message),
      signal,
      timeoutMs: server.limits.askTimeoutMs,
    });
    await task.take(key)?.answer(answer);
  } catch (thrown) {
    if (!signal.aborted && thrown instanceof AskError) task.take(key)?.fail(thrown.message);
  }
}

export type TaskWork = (call: Call) => Promise<object>;

/**
 * Answers with a task and runs the tool behind it.
 * @throws {ProtocolError} if there are too many tasks; the reason of the abort, if the call was aborted
 */
export async function startTask(call: Call, work: TaskWork): Promise<object> {
  const { server, context } = call;
  const { limits } = server;
  // A cancelled call gets no answer, so its client would never learn of the task.
  call.inFlight.signal.throwIfAborted();
  const task = getTaskStore(server).createTask(
    makeTaskOwner(context),
    parseRequestedTtl(call),
    call.reach?.needed,
  );
  const nodes = await findSharedStore(server);
  if (nodes !== undefined) await shareTaskOrDrop(task, nodes, call);
  task.inFlight.audited = call.inFlight.audited?.continueAsTask(task.id);
  task.onChange(() => auditTaskEnd(task, task.inFlight.audited));
  // With a shared store, the event is published there, once other nodes can see the change.
  if (nodes === undefined)
    task.onChange(() => server.bus.publishEvent({ kind: 'task-changed', taskId: task.id }));
  const isCore = call.agreement.features.tasks === 'core';
  if (isCore) call.session?.needs(task.scopes);
  if (isCore) task.onChange(() => notifyTaskStatus(task, call));
  const created = isCore
    ? { task: toCoreTask(task, limits) }
    : { resultType: 'task', ...toExtensionTask(task, limits) };
  void runAndEndTask(task, call, work);
  return created;
}

async function shareTaskOrDrop(task: Task, nodes: SharedTasksStore, call: Call): Promise<void> {
  try {
    await nodes.shareTask(task, call.context);
    call.inFlight.signal.throwIfAborted();
  } catch (thrown) {
    task.cancel('The call was not answered.');
    getTaskStore(call.server).dropTask(task);
    throw thrown;
  }
}

async function runAndEndTask(task: Task, call: Call, work: TaskWork): Promise<void> {
  const outcome = await runTask(task, call, work);
  // The call is answered first, even if the tool ends at once.
  await new Promise((resolve) => setImmediate(resolve));
  const isFailed =
    'error' in outcome || (call.agreement.features.tasks === 'core' && isErrorResult(outcome.result));
  const words = 'error' in outcome ? outcome.error.message : undefined;
  task.endTask(isFailed ? 'failed' : 'completed', outcome, words);
  task.inFlight.done = true;
}

async function runTask(task: Task, call: Call, work: TaskWork): Promise<TaskOutcome> {
  const { limits, report } = call.server;
  const requester = new TaskRequester(task, limits.askTimeoutMs);
  try {
    const { inFlight } = task;
    const result = await work({ ...call, inFlight, context: taskContext(task, call), requester });
    return { result: call.session === undefined ? { resultType: 'complete', ...result } : result };
  } catch (thrown) {
    const reportFailure = task.inFlight.cancelled ? () => undefined : report;
    const { code, message, data } = toErrorAnswer(call.id, thrown, reportFailure, call.context.caller);
    return { error: { code, message, ...omitUndefined({ data }) } };
  }
}

/** Progress and logs go on in 2025-11-25 only. The stream of the call stays open. */
function taskContext(task: Task, { context, session }: Call): RequestContext {
  const send = async (message: OutgoingNotification | ServerRequest): Promise<void> => {
    session?.push({ ...message, params: withRelatedTask(message.params ?? {}, task) });
  };
  const needs: RequestContext['needs'] = (scopes) => context.needs?.(scopes);
  return { ...context, send, needs, closeStream: () => undefined };
}

function auditTaskEnd({ hasEnded, outcome }: Task, audited: AuditedCall | undefined): void {
  if (!hasEnded) return;
  if (outcome === undefined) audited?.cancelled();
  else if ('result' in outcome) audited?.done(outcome.result);
  else audited?.failed(new ProtocolError(outcome.error.code, outcome.error.message));
}

function notifyTaskStatus(task: Task, { server, session }: Call): void {
  if (session?.ready !== true) return;
  const params = toCoreTask(task, server.limits);
  session.push({ jsonrpc: '2.0', method: 'notifications/tasks/status', params });
}

function isErrorResult(result: object): boolean {
  return 'isError' in result && result.isError === true;
}

/** Keeps questions until the client fetches them. */
class TaskRequester extends WaitingRequester {
  readonly #task: Task;
  readonly #timeoutMs: number;

  constructor(task: Task, timeoutMs: number) {
    super();
    this.#task = task;
    this.#timeoutMs = timeoutMs;
  }

  override async ask(
    key: string,
    method: string,
    params: object | undefined,
  ): Promise<Record<string, unknown>> {
    const { signal } = this.#task.inFlight;
    let timer: NodeJS.Timeout | undefined;
    let giveUp: (() => void) | undefined;
    try {
      return await new Promise((answer, fail) => {
        const stop = (reason: string): void => fail(new AskError(`${method} was given up: ${reason}`));
        giveUp = () => stop('the task has ended.');
        if (signal.aborted) return giveUp();
        signal.addEventListener('abort', giveUp, { once: true });
        timer = setTimeout(() => stop(`no answer came in ${this.#timeoutMs} ms.`), this.#timeoutMs);
        this.#task.addQuestion(key, { method, params, answer, fail: (reason) => fail(new AskError(reason)) });
      });
    } finally {
      clearTimeout(timer);
      if (giveUp !== undefined) signal.removeEventListener('abort', giveUp);
      this.#task.take(key);
    }
  }
}
