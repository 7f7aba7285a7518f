/** Answers a tool call with a task, and does the work behind it. */
import { ProtocolError } from '../../protocol/protocol-error.ts';
import type { OutgoingNotification, ServerRequest } from '../../protocol/json-rpc.ts';
import { answerTo } from '../answer.ts';
import type { AuditedCall } from '../audit.ts';
import type { Call, RequestContext } from '../call.ts';
import { ownerOf, type Task, type TaskOutcome } from './task.ts';
import { TaskAsker } from './task-asker.ts';
import { tasksOf } from './task-store.ts';
import { wantedTtl } from './task-support.ts';
import { coreTask, extensionTask, related } from './task-views.ts';

/** The tool's work, as if it were a call of its own. */
export type TaskWork = (call: Call) => Promise<object>;

/** @throws {ProtocolError} when there are too many tasks; what aborted the call, if it was */
export function startTask(call: Call, work: TaskWork): object {
  const { server, context } = call;
  const { limits } = server;
  // A task of which no answer can tell would be worked at, and kept, for nobody.
  call.inFlight.signal.throwIfAborted();
  const task = tasksOf(server).open(ownerOf(context), wantedTtl(call), call.reach?.needed);
  task.inFlight.audited = call.inFlight.audited?.becomes(task.id);
  task.onChange(() => tellEnd(task, task.inFlight.audited));
  task.onChange(() => server.bus.publish({ kind: 'task-changed', taskId: task.id }));
  const isCore = call.agreement.features.tasks === 'core';
  if (isCore) call.session?.needs(task.scopes);
  if (isCore) task.onChange(() => sayStatus(task, call));
  // What was created is told before anything of it happens.
  const created = isCore
    ? { task: coreTask(task, limits) }
    : { resultType: 'task', ...extensionTask(task, limits) };
  void finish(task, call, work);
  return created;
}

async function finish(task: Task, call: Call, work: TaskWork): Promise<void> {
  const outcome = await outcomeOf(task, call, work);
  const isFailed = 'error' in outcome || (call.agreement.features.tasks === 'core' && failed(outcome.result));
  task.end(isFailed ? 'failed' : 'completed', outcome, wordsOf(outcome));
  task.inFlight.done = true;
}

async function outcomeOf(task: Task, call: Call, work: TaskWork): Promise<TaskOutcome> {
  const { limits, report } = call.server;
  const asker = new TaskAsker(task, limits.askTimeoutMs);
  try {
    const result = await work({ ...call, inFlight: task.inFlight, context: exchangeOf(task, call), asker });
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
function exchangeOf(task: Task, { context, session }: Call): RequestContext {
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

function wordsOf(outcome: TaskOutcome): string | undefined {
  return 'error' in outcome ? outcome.error.message : undefined;
}
