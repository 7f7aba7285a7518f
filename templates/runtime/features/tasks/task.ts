// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** A task: its states, its questions, and the store that finds it again. */
import { randomBytes } from 'node:crypto';
import { type ClientReply, limitReached } from '../../json-rpc.ts';
import { type Session, Work } from '../../session.ts';

export const TASK_LIMITS = {
  tasks: 10_000,
  tasksPerClient: 1_000,
  taskTtlMs: 60 * 60_000,
  taskPollMs: 1_000,
};

export type TaskOutcome = { result: object } | { error: { code: number; message: string; data?: unknown } };

export interface TaskOwner {
  subject: string | undefined;
  /** Whom limits and lists count without a subject: a session, or the client of requests without one. */
  client: Session | string;
}

/** What clients see of a task, and may do to it. A store of several nodes has those of others, too. */
export interface TaskView {
  readonly id: string;
  readonly owner: TaskOwner;
  /** The tool that it runs. */
  readonly tool: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly ttlMs: number;
  readonly status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  readonly statusMessage: string | undefined;
  readonly outcome: TaskOutcome | undefined;
  readonly hasEnded: boolean;
  readonly questions: ReadonlyMap<string, { method: string; params?: object }>;
  /** Ignored if the question is not open: the first answer counts. */
  reply(key: string, reply: ClientReply): void | Promise<void>;
  cancel(reason: string): void | Promise<void>;
  onChange(listener: () => void): () => void;
}

export interface TaskStore {
  /** @throws {RpcError} for a task too many */
  add(task: Task): void | Promise<void>;
  find(id: string): TaskView | undefined | Promise<TaskView | undefined>;
  list(owner: TaskOwner): TaskView[] | Promise<TaskView[]>;
  onChange(listener: (task: TaskView) => void): () => void;
  /** The server stops. */
  end(): void;
}

declare module '../../feature.ts' {
  interface Services {
    tasks: TaskStore;
  }
}

export class Task implements TaskView {
  /** 128 random bits: without authentication, who knows the id may use the task. */
  readonly id = randomBytes(16).toString('base64url');
  readonly owner: TaskOwner;
  readonly tool: string;
  readonly work = new Work();
  readonly createdAt = new Date();
  readonly ttlMs: number;
  updatedAt = this.createdAt;
  status: TaskView['status'] = 'working';
  statusMessage: string | undefined;
  outcome: TaskOutcome | undefined;
  readonly questions = new Map<string, { method: string; params?: object }>();
  /** Take the answers to its questions. */
  readonly replies: Session['replies'] = new Map();
  readonly #listeners = new Set<() => void>();

  constructor(owner: TaskOwner, tool: string, ttlMs = TASK_LIMITS.taskTtlMs) {
    this.owner = owner;
    this.tool = tool;
    this.ttlMs = Math.min(Math.max(ttlMs, TASK_LIMITS.taskPollMs), TASK_LIMITS.taskTtlMs);
  }

  get hasEnded(): boolean {
    return this.status !== 'working' && this.status !== 'input_required';
  }

  addQuestion(key: string, method: string, params: object | undefined): void {
    this.questions.set(key, { method, ...(params && { params }) });
    this.#change('input_required');
  }

  dropQuestion(key: string): boolean {
    const isOpen = this.questions.delete(key);
    if (isOpen && this.questions.size === 0) this.#change('working');
    return isOpen;
  }

  reply(key: string, reply: ClientReply): void {
    if (this.dropQuestion(key)) this.replies.get(key)?.(reply);
  }

  end(status: 'completed' | 'failed' | 'cancelled', outcome?: TaskOutcome, message?: string): void {
    if (this.hasEnded) return;
    this.outcome = outcome;
    this.statusMessage = message;
    this.#change(status);
    this.#listeners.clear();
  }

  cancel(reason: string): void {
    this.end('cancelled', undefined, reason);
    this.work.cancel(reason);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #change(status: TaskView['status']): void {
    if (this.hasEnded) return;
    this.status = status;
    this.updatedAt = new Date();
    for (const listener of [...this.#listeners]) listener();
  }
}

export class TasksInMemory implements TaskStore {
  readonly #tasks = new Map<string, Task>();
  readonly #listeners = new Set<(task: TaskView) => void>();

  add(task: Task): void {
    const isFull = this.#tasks.size >= TASK_LIMITS.tasks;
    if (isFull || this.list(task.owner).length >= TASK_LIMITS.tasksPerClient)
      throw limitReached('There are too many tasks.', 60);
    this.#tasks.set(task.id, task);
    task.onChange(() => {
      for (const listener of this.#listeners) listener(task);
    });
    setTimeout(() => {
      task.cancel('Its time is over.');
      this.#tasks.delete(task.id);
    }, task.ttlMs).unref();
  }

  get size(): number {
    return this.#tasks.size;
  }

  find(id: string): Task | undefined {
    return this.#tasks.get(id);
  }

  list({ subject, client }: TaskOwner): Task[] {
    const isOwn = ({ owner }: Task): boolean =>
      owner.subject === subject && (subject !== undefined || owner.client === client);
    return [...this.#tasks.values()].filter(isOwn);
  }

  onChange(listener: (task: TaskView) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  end(): void {
    for (const task of this.#tasks.values()) task.cancel('The server stops.');
  }
}
