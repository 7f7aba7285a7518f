/** A task as its clients see it: MCP `Task` of 2025-11-25, and `DetailedTask` of the extension. */
import type { Limits } from '../../limits.ts';
import { META } from '../../protocol/revisions.ts';
import type { Task } from './task.ts';

/** `Task` of 2025-11-25. */
export function coreTask(task: Task, { taskPollMs }: Limits): object {
  return { ...common(task), ttl: task.ttlMs, pollInterval: taskPollMs };
}

/** `Task` of the extension: what a call is answered with that became one. */
export function extensionTask(task: Task, { taskPollMs }: Limits): object {
  return { ...common(task), ttlMs: task.ttlMs, pollIntervalMs: taskPollMs };
}

/** `DetailedTask` of the extension. */
export function detailedTask(task: Task, limits: Limits): object {
  return {
    ...extensionTask(task, limits),
    ...task.outcome,
    ...(task.status === 'input_required' ? { inputRequests: questionsOf(task) } : {}),
  };
}

/** Marks a message as one of a task's (2025-11-25, "Associating Task-Related Messages"). */
export function related<T extends { _meta?: unknown }>(value: T, { id }: Task): T & { _meta: object } {
  return { ...value, _meta: { ...(value._meta as object | undefined), [META.relatedTask]: { taskId: id } } };
}

function common({ id, status, statusMessage, createdAt, updatedAt }: Task): object {
  return {
    taskId: id,
    status,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt: createdAt.toISOString(),
    lastUpdatedAt: updatedAt.toISOString(),
  };
}

function questionsOf({ questions }: Task): object {
  const entries = [...questions].map(([key, { method, params }]) => [
    key,
    { method, ...(params === undefined ? {} : { params }) },
  ]);
  return Object.fromEntries(entries) as object;
}
