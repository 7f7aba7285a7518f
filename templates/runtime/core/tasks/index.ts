// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `tasks/get`, `tasks/result`, `tasks/list`, `tasks/cancel`, `tasks/update`: the entry module of tasks. */
import type { ServerInstance } from '../server-instance.ts';
import {
  tasksOf,
  detailedTask,
  ownerOf,
  type Task,
  coreTask,
  mustDeclareTasks,
  type TaskQuestion,
  related,
} from './task.ts';
import { invalidParams, ProtocolError } from '../../protocol/protocol-error.ts';
import type { Call, Method } from '../call.ts';
import { readResponses } from '../rounds/round.ts';
import { AskError } from '../client-requests.ts';

export { startTask } from './start-task.ts';
export { becomesTask, mustDeclareTasks } from './task.ts';

/** The present state of a task; undefined if it is gone. */
export function changedTask(server: ServerInstance, taskId: string): object | undefined {
  const task = tasksOf(server).withId(taskId);
  return task && detailedTask(task, server.limits);
}

export const getTask: Method = async (call: Call) => {
  const task = taskOf(call);
  const { limits } = call.server;
  return call.session === undefined ? detailedTask(task, limits) : coreTask(task, limits);
};

/** Cancelling an ended task is an error for legacy clients, and ignored for modern ones. */
export const cancelTask: Method = async (call: Call) => {
  const task = taskOf(call);
  if (call.session === undefined) {
    task.cancel('The client cancelled the task.');
    return {};
  }
  if (task.hasEnded) throw invalidParams(`The task has ended already: it is ${task.status}.`);
  task.cancel('The client cancelled the task.');
  return coreTask(task, call.server.limits);
};

/** Answers to no open question are ignored ("Task Update Requests"). */
export const updateTask: Method = async (call: Call) => {
  const task = taskOf(call);
  const { inputResponses } = call.params;
  if (inputResponses === undefined) throw invalidParams('`inputResponses` must be an object.');
  for (const [key, response] of Object.entries(readResponses(call.params))) task.take(key)?.answer(response);
  return {};
};

/** Lists the session's own tasks whose scopes the token has. */
export const listTasks: Method = async ({ server, context, params, reach }: Call) => {
  if (params['cursor'] !== undefined) throw invalidParams('`cursor` is none that this server gave.');
  const own = tasksOf(server).of(ownerOf(context));
  const tasks = own.filter(({ scopes }) => reach?.covers(scopes) ?? true);
  return { tasks: tasks.map((task) => coreTask(task, server.limits)) };
};

/** @throws {ProtocolError} `-32602` unknown; `-32021` undeclared */
export function taskOf(call: Call): Task {
  mustDeclareTasks(call);
  return tasksOf(call.server).find(call.params['taskId'], call.context.caller?.subject);
}

export const taskResult: Method = async (call: Call) => {
  const task = taskOf(call);
  await untilEnded(task, call);
  const { outcome } = task;
  if (outcome === undefined) throw invalidParams('The task was cancelled: it has no result.');
  if ('result' in outcome) return related(outcome.result, task);
  const { code, message, data } = outcome.error;
  throw new ProtocolError(code, message, 'work', data);
};

async function untilEnded(task: Task, call: Call): Promise<void> {
  const { signal } = call.inFlight;
  const asked = new Set<string>();
  let stop: (() => void) | undefined;
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (task.hasEnded || signal.aborted) return resolve();
      for (const [key, question] of task.questions) {
        if (asked.has(key)) continue;
        asked.add(key);
        void put(task, key, question, call);
      }
    };
    stop = task.onChange(look);
    signal.addEventListener('abort', () => resolve(), { once: true });
    look();
  });
  stop?.();
}

/** Several requests may wait for one result, so the first answer counts, and the question outlives this request. */
async function put(task: Task, key: string, question: TaskQuestion, call: Call): Promise<void> {
  const { session, server, context, inFlight } = call;
  if (session === undefined) return;
  try {
    const answer = await session.ask(question.method, related(question.params ?? {}, task), {
      send: (message) => context.send(message),
      signal: inFlight.signal,
      timeoutMs: server.limits.askTimeoutMs,
    });
    task.take(key)?.answer(answer);
  } catch (thrown) {
    if (!inFlight.signal.aborted && thrown instanceof AskError) task.take(key)?.fail(thrown);
  }
}
