// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Tasks: states, store, views for clients, and which calls become one. */
import { randomBytes } from 'node:crypto';
import type { Json, ListedTool } from '../../contract/json-schema.ts';
import type { Channel } from '../session.ts';
import { type RequestContext, InFlightRequest, type Call } from '../call.ts';
import type { ServerInstance } from '../server-instance.ts';
import {
  invalidParamsError,
  limitReachedError,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  ProtocolError,
} from '../../protocol/json-rpc.ts';
import type { Limits } from '../../contract/feature.ts';
import { META, TASKS_EXTENSION } from '../../protocol/revisions.ts';
import { omitUndefined, isRecord } from '../../contract/json-value.ts';

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

export type TaskOutcome = { result: object } | { error: { code: number; message: string; data?: Json } };

export interface TaskQuestion {
  method: string;
  params: object | undefined;
  /** Resolves when no list of the task has the question any more. */
  answer(result: Record<string, unknown>): void | Promise<void>;
  fail(reason: string): void;
}

export interface TaskOwner {
  subject: string | undefined;
  /** The key of tasks without a subject: the call's channel, or the client's address. */
  client: Channel | string;
}

export function makeTaskOwner({ caller, address, channel }: RequestContext): TaskOwner {
  return { subject: caller?.subject, client: address ?? channel };
}

/** A task as clients see it, with what they may do to it. */
export interface FoundTask extends Pick<
  Task,
  | 'id'
  | 'scopes'
  | 'status'
  | 'statusMessage'
  | 'createdAt'
  | 'updatedAt'
  | 'ttlMs'
  | 'outcome'
  | 'hasEnded'
  | 'questions'
  | 'take'
  | 'onChange'
> {
  cancel(reason: string): void | Promise<void>;
}

/** Tasks that several nodes see. Members reject while the state that they share is away. */
export interface SharedTasksStore {
  /** Lets other nodes see a task that runs on this node. */
  shareTask(task: Task, context: RequestContext): Promise<void>;
  findOwned(taskId: string, subject: string | undefined): Promise<FoundTask | undefined>;
  findById(taskId: string): Promise<FoundTask | undefined>;
  listOwned(context: RequestContext): Promise<FoundTask[]>;
}

export class Task implements FoundTask {
  /** 128 random bits: without authentication, knowing the id is the right to use the task. */
  readonly id = randomBytes(16).toString('base64url');
  readonly owner: TaskOwner;
  /** Scopes of the call: requests for the task need them too. */
  readonly scopes: readonly string[];
  readonly inFlight = new InFlightRequest();
  readonly createdAt = new Date();
  readonly ttlMs: number;
  updatedAt = this.createdAt;
  status: TaskStatus = 'working';
  statusMessage: string | undefined;
  outcome: TaskOutcome | undefined;
  readonly #questions = new Map<string, TaskQuestion>();
  readonly #listeners = new Set<() => void>();

  constructor(owner: TaskOwner, ttlMs: number, scopes: readonly string[]) {
    this.owner = owner;
    this.ttlMs = ttlMs;
    this.scopes = scopes;
  }

  get hasEnded(): boolean {
    return this.status !== 'working' && this.status !== 'input_required';
  }

  get questions(): ReadonlyMap<string, TaskQuestion> {
    return this.#questions;
  }

  addQuestion(key: string, question: TaskQuestion): void {
    this.#questions.set(key, question);
    this.#changeStatus('input_required');
  }

  take(key: string): TaskQuestion | undefined {
    const question = this.#questions.get(key);
    this.#questions.delete(key);
    if (question !== undefined && this.#questions.size === 0) this.#changeStatus('working');
    return question;
  }

  endTask(
    status: 'completed' | 'failed' | 'cancelled',
    outcome: TaskOutcome | undefined,
    words?: string,
  ): void {
    if (this.hasEnded) return;
    this.outcome = outcome;
    this.statusMessage = words;
    this.#changeStatus(status);
  }

  cancel(reason: string): void {
    this.endTask('cancelled', undefined, reason);
    this.inFlight.cancel(reason);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #changeStatus(status: TaskStatus): void {
    if (this.hasEnded) return;
    this.status = status;
    this.updatedAt = new Date();
    const listeners = [...this.#listeners];
    // A listener may keep the whole request in memory.
    if (this.hasEnded) this.#listeners.clear();
    for (const listener of listeners) listener();
  }
}

/** An unknown task and another subject's get one error, so that nobody can find out which ids exist. */
export function makeUnknownTaskError(taskId: string, { env, shared }: ServerInstance): ProtocolError {
  const mayBeElsewhere = Boolean(env['MCP_STATE_SECRET']) && !shared.isShared;
  return invalidParamsError(`Unknown task: ${taskId}${mayBeElsewhere ? `. ${ELSEWHERE}` : ''}`);
}

const ELSEWHERE = 'Without Redis (MCP_REDIS_URL), a task is known to the node alone that started it.';

export function getTaskStore({ state, limits }: ServerInstance): TaskStore {
  const { tasks } = state;
  return tasks instanceof TaskStore ? tasks : (state.tasks = new TaskStore(limits));
}

export class TaskStore {
  readonly #limits: Pick<Limits, 'tasks' | 'tasksPerClient' | 'taskTtlMs' | 'taskPollMs'>;
  readonly #tasks = new Map<string, Task>();

  constructor(limits: Pick<Limits, 'tasks' | 'tasksPerClient' | 'taskTtlMs' | 'taskPollMs'>) {
    this.#limits = limits;
  }

  /** @param ttlMs raised to one polling interval, and cut to the limit @throws {ProtocolError} `-32603` if there are too many */
  createTask(owner: TaskOwner, ttlMs: number | undefined, scopes: readonly string[] = []): Task {
    const { tasks, tasksPerClient, taskTtlMs, taskPollMs } = this.#limits;
    if (this.#tasks.size >= tasks || this.listTasksOf(owner).length >= tasksPerClient)
      throw limitReachedError('There are too many tasks.', 60);
    const task = new Task(owner, Math.min(Math.max(ttlMs ?? taskTtlMs, taskPollMs), taskTtlMs), scopes);
    this.#tasks.set(task.id, task);
    setTimeout(() => this.#expireTask(task), task.ttlMs).unref();
    return task;
  }

  findOwned(taskId: string, subject: string | undefined): Task | undefined {
    const task = this.#tasks.get(taskId);
    return task?.owner.subject === subject ? task : undefined;
  }

  get size(): number {
    return this.#tasks.size;
  }

  findById(taskId: string): Task | undefined {
    return this.#tasks.get(taskId);
  }

  listTasksOf({ subject, client }: TaskOwner): Task[] {
    const isOwn = ({ owner }: Task): boolean =>
      owner.subject === subject && (subject !== undefined || owner.client === client);
    return [...this.#tasks.values()].filter(isOwn);
  }

  dropTask(task: Task): void {
    this.#tasks.delete(task.id);
  }

  cancelAllTasks(): void {
    for (const task of this.#tasks.values()) task.cancel('The server stops.');
  }

  #expireTask(task: Task): void {
    task.cancel('Its time is over.');
    this.#tasks.delete(task.id);
  }
}

/** Writes a task as `Task` of 2025-11-25. */
export function toCoreTask(task: FoundTask, { taskPollMs }: Limits): object {
  return { ...commonMembers(task), ttl: task.ttlMs, pollInterval: taskPollMs };
}

/** Writes a task as `Task` of the extension. */
export function toExtensionTask(task: FoundTask, { taskPollMs }: Limits): object {
  return { ...commonMembers(task), ttlMs: task.ttlMs, pollIntervalMs: taskPollMs };
}

export function toDetailedTask(task: FoundTask, limits: Limits): object {
  const inputRequests = task.status === 'input_required' ? listQuestions(task) : undefined;
  return { ...toExtensionTask(task, limits), ...task.outcome, ...omitUndefined({ inputRequests }) };
}

/** Names the task in a message's `_meta` (2025-11-25, "Associating Task-Related Messages"). */
export function withRelatedTask<T extends { _meta?: unknown }>(
  value: T,
  { id }: FoundTask,
): T & { _meta: object } {
  return { ...value, _meta: { ...(value._meta as object | undefined), [META.relatedTask]: { taskId: id } } };
}

function commonMembers({ id, status, statusMessage, createdAt, updatedAt }: FoundTask): object {
  return {
    taskId: id,
    status,
    ...omitUndefined({ statusMessage }),
    createdAt: createdAt.toISOString(),
    lastUpdatedAt: updatedAt.toISOString(),
  };
}

function listQuestions({ questions }: FoundTask): object {
  const entries = [...questions].map(([key, { method, params }]) => [key, { method, params }]);
  return Object.fromEntries(entries) as object;
}

export function shouldRunAsTask(call: Call, { name, execution }: ListedTool): boolean {
  const support = execution?.taskSupport ?? 'forbidden';
  switch (call.agreement.features.tasks) {
    case 'none':
      return false;
    case 'extension':
      if (support === 'forbidden') return false;
      if (declaresTasks(call)) return true;
      if (support === 'required') throw missingTasksError(`The tool ${name} runs as a task only.`);
      return false;
    case 'core': {
      const isWanted =
        call.params['task'] !== undefined && call.server.cache.capabilities?.has('tasks') === true;
      if (isWanted && support === 'forbidden')
        throw new ProtocolError(METHOD_NOT_FOUND, `The tool ${name} does not run as a task.`);
      if (!isWanted && support === 'required')
        throw new ProtocolError(METHOD_NOT_FOUND, `The tool ${name} runs as a task only.`);
      // Refuses a malformed TTL before the project's code runs.
      if (isWanted) parseRequestedTtl(call);
      return isWanted;
    }
  }
}

export function requireTasksCapability(call: Call): void {
  if (call.agreement.features.tasks !== 'extension' || declaresTasks(call)) return;
  throw missingTasksError('Only clients that declare tasks may ask for them.');
}

/** Returns the milliseconds that the client asks for. @throws {ProtocolError} `-32602` */
export function parseRequestedTtl({ agreement, params }: Call): number | undefined {
  const { task } = params;
  if (agreement.features.tasks !== 'core' || task === undefined) return undefined;
  if (!isRecord(task)) throw invalidParamsError('`task` must be an object.');
  const { ttl } = task;
  if (ttl === undefined || ttl === null) return undefined;
  if (typeof ttl === 'number' && ttl >= 0) return Math.floor(ttl);
  throw invalidParamsError('`task.ttl` must be milliseconds.');
}

function declaresTasks({ agreement }: Call): boolean {
  const { extensions } = agreement.clientCapabilities;
  return isRecord(extensions) && isRecord(extensions[TASKS_EXTENSION]);
}

function missingTasksError(words: string): ProtocolError {
  const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };
  return new ProtocolError(MISSING_CAPABILITY, words, 'capability', { requiredCapabilities });
}
