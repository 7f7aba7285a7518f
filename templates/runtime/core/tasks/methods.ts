/** `tasks/get`, `tasks/list`, `tasks/cancel`, `tasks/update`: what clients ask of tasks. */
import { invalidParams } from '../../protocol/protocol-error.ts';
import type { Call, Method } from '../call.ts';
import { readResponses } from '../rounds/round.ts';
import { ownerOf, type Task } from './task.ts';
import { mustDeclareTasks } from './task-support.ts';
import { tasksOf } from './task-store.ts';
import { coreTask, detailedTask } from './task-views.ts';

export const getTask: Method = async (call: Call) => {
  const task = taskOf(call);
  const { limits } = call.server;
  return call.session === undefined ? detailedTask(task, limits) : coreTask(task, limits);
};

/** Legacy clients may not cancel what has ended; modern ones are told nothing either way. */
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

/** Answers that nobody waits for are ignored ("Task Update Requests"). */
export const updateTask: Method = async (call: Call) => {
  const task = taskOf(call);
  const { inputResponses } = call.params;
  if (inputResponses === undefined) throw invalidParams('`inputResponses` must be an object.');
  for (const [key, response] of Object.entries(readResponses(call.params))) task.take(key)?.answer(response);
  return {};
};

/** Those of the session: other clients' are none of its business. Nor is a task whose call the token would not reach. */
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
