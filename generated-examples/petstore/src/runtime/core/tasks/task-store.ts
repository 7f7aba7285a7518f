/** The tasks of this process, each until its time is over. */
import type { ServerInstance } from '../server-instance.ts';
import { invalidParams, overLimit } from '../../protocol/protocol-error.ts';
import type { Limits } from '../../limits.ts';
import { Task, type TaskOwner } from './task.ts';

/** Made with the first that asks. */
export function tasksOf({ state, limits }: ServerInstance): TaskStore {
  const { tasks } = state;
  return tasks instanceof TaskStore ? tasks : (state.tasks = new TaskStore(limits));
}

export class TaskStore {
  readonly #limits: Pick<Limits, 'tasks' | 'tasksPerClient' | 'taskTtlMs' | 'taskPollMs'>;
  readonly #tasks = new Map<string, Task>();

  constructor(limits: Pick<Limits, 'tasks' | 'tasksPerClient' | 'taskTtlMs' | 'taskPollMs'>) {
    this.#limits = limits;
  }

  /**
   * @param ttlMs what the client would like; granted from one look at the task up to the limit
   * @param scopes those that the call needed
   * @throws {ProtocolError} `-32603` when there are too many
   */
  open(owner: TaskOwner, ttlMs: number | undefined, scopes: readonly string[] = []): Task {
    const { tasks, tasksPerClient, taskTtlMs, taskPollMs } = this.#limits;
    if (this.#tasks.size >= tasks || this.of(owner).length >= tasksPerClient) {
      throw overLimit('There are too many tasks.', 60);
    }
    const task = new Task(owner, Math.min(Math.max(ttlMs ?? taskTtlMs, taskPollMs), taskTtlMs), scopes);
    this.#tasks.set(task.id, task);
    setTimeout(() => this.#expire(task), task.ttlMs).unref();
    return task;
  }

  /** @throws {ProtocolError} `-32602` for a task that is not there, or is somebody else's: nobody learns which. */
  find(taskId: unknown, subject: string | undefined): Task {
    if (typeof taskId !== 'string') throw invalidParams('`taskId` must be a string.');
    const task = this.owned(taskId, subject);
    if (task !== undefined) return task;
    throw invalidParams(`Unknown task: ${taskId}`);
  }

  /** Undefined for a task that is not there, or is somebody else's. */
  owned(taskId: string, subject: string | undefined): Task | undefined {
    const task = this.#tasks.get(taskId);
    return task?.owner.subject === subject ? task : undefined;
  }

  withId(taskId: string): Task | undefined {
    return this.#tasks.get(taskId);
  }

  /** Those of one client, the oldest first. */
  of({ subject, client }: TaskOwner): Task[] {
    const isOwn = ({ owner }: Task): boolean =>
      owner.subject === subject && (subject !== undefined || owner.client === client);
    return [...this.#tasks.values()].filter(isOwn);
  }

  /** Nothing of them is of use any more. */
  endAll(): void {
    for (const task of this.#tasks.values()) task.cancel('The server stops.');
  }

  #expire(task: Task): void {
    task.cancel('Its time is over.');
    this.#tasks.delete(task.id);
  }
}
