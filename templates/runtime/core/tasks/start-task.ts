// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Answers a tool call with a task, runs the tool behind it, and keeps its questions until the client fetches them. */
import { ProtocolError } from '../../protocol/protocol-error.ts';
import type { OutgoingNotification, ServerRequest } from '../../protocol/json-rpc.ts';
import { answerTo } from '../answer.ts';
import type { AuditedCall, Call, RequestContext } from '../call.ts';
import {
  ownerOf,
  type Task,
  type TaskOutcome,
  tasksOf,
  coreTask,
  extensionTask,
  related,
  wantedTtl,
} from './task.ts';
import { AskError, WaitingRequester } from '../client-requests.ts';

/** Runs the tool for a call of its own. */
export type TaskWork = (call: Call) => Promise<object>;

/** @throws {ProtocolError} when there are too many tasks; what aborted the call, if it was */
export function startTask(call: Call, work: TaskWork): object {
  const { server, context } = call;
  const { limits } = server;
  // A cancelled call gets no answer, so nobody could ask for its task.
  call.inFlight.signal.throwIfAborted();
  const task = tasksOf(server).open(ownerOf(context), wantedTtl(call), call.reach?.needed);
  task.inFlight.audited = call.inFlight.audited?.becomes(task.id);
  task.onChange(() => tellEnd(task, task.inFlight.audited));
  task.onChange(() => server.bus.publish({ kind: 'task-changed', taskId: task.id }));
  const isCore = call.agreement.features.tasks === 'core';
  if (isCore) call.session?.needs(task.scopes);
  if (isCore) task.onChange(() => sayStatus(task, call));
  // The client learns of the task before its tool starts.
  const created = isCore
    ? { task: coreTask(task, limits) }
    : { resultType: 'task', ...extensionTask(task, limits) };
  void finish(task, call, work);
  return created;
}

async function finish(task: Task, call: Call, work: TaskWork): Promise<void> {
  const outcome = await runTask(task, call, work);
  // The call is answered first, also where the tool ends at once.
  await new Promise((resolve) => setImmediate(resolve));
  const isFailed = 'error' in outcome || (call.agreement.features.tasks === 'core' && failed(outcome.result));
  task.end(
    isFailed ? 'failed' : 'completed',
    outcome,
    'error' in outcome ? outcome.error.message : undefined,
  );
  task.inFlight.done = true;
}

async function runTask(task: Task, call: Call, work: TaskWork): Promise<TaskOutcome> {
  const { limits, report } = call.server;
  const requester = new TaskRequester(task, limits.askTimeoutMs);
  try {
    const result = await work({
      ...call,
      inFlight: task.inFlight,
      context: contextFor(task, call),
      requester,
    });
    return { result: call.session === undefined ? { resultType: 'complete', ...result } : result };
  } catch (thrown) {
    const { code, message, data } = answerTo(
      call.id,
      thrown,
      task.inFlight.cancelled ? () => undefined : report,
    );
    return { error: { code, message, ...(data === undefined ? {} : { data }) } };
  }
}

/**
 * Progress and logs go on in 2025-11-25, where nothing else is under way; the extension has none for tasks. The stream of
 * the call is not the task's to end.
 */
function contextFor(task: Task, { context, session }: Call): RequestContext {
  const send = async (message: OutgoingNotification | ServerRequest): Promise<void> => {
    session?.push({ ...message, params: related(message.params ?? {}, task) });
  };
  return { ...context, send, closeStream: () => undefined };
}

function tellEnd({ hasEnded, outcome }: Task, audited: AuditedCall | undefined): void {
  if (!hasEnded) return;
  if (outcome === undefined) audited?.cancelled();
  else if ('result' in outcome) audited?.done(outcome.result);
  else audited?.failed(new ProtocolError(outcome.error.code, outcome.error.message));
}

function sayStatus(task: Task, { server, session }: Call): void {
  if (session?.ready !== true) return;
  session.push({
    jsonrpc: '2.0',
    method: 'notifications/tasks/status',
    params: coreTask(task, server.limits),
  });
}

function failed(result: object): boolean {
  return 'isError' in result && result.isError === true;
}

/** Keeps a task's questions until its client fetches them. */
class TaskRequester extends WaitingRequester {
  readonly #task: Task;
  readonly #timeoutMs: number;

  constructor(task: Task, timeoutMs: number) {
    super();
    this.#task = task;
    this.#timeoutMs = timeoutMs;
  }

  protected override async ask(
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
        this.#task.put(key, { method, params, answer, fail });
      });
    } finally {
      clearTimeout(timer);
      if (giveUp !== undefined) signal.removeEventListener('abort', giveUp);
      this.#task.take(key);
    }
  }
}
