/** Tasks: calls of tools that go on after their request was answered. */
import type { ServerInstance } from '../server-instance.ts';
import { tasksOf } from './task-store.ts';
import { detailedTask } from './task-views.ts';

export { cancelTask, getTask, listTasks, updateTask } from './methods.ts';
export { startTask } from './start-task.ts';
export { taskResult } from './task-result.ts';
export { becomesTask, mustDeclareTasks } from './task-support.ts';

/** A task as it is now; undefined where it is not there any more. */
export function changedTask(server: ServerInstance, taskId: string): object | undefined {
  const task = tasksOf(server).withId(taskId);
  return task && detailedTask(task, server.limits);
}
