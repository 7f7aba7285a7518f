// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Tasks of all nodes. The node that a task began on runs it and writes its state; the others read it, and send answers and cancellations. */
import { omitUndefined, isRecord, readJson, writeJson } from '../contract/json-value.ts';
import type { Json } from '../contract/json-schema.ts';
import type { ServerInstance } from '../core/server-instance.ts';
import type { RequestContext } from '../core/call.ts';
import {
  type FoundTask,
  type SharedTasksStore,
  type Task,
  type TaskOutcome,
  type TaskQuestion,
  type TaskStatus,
  getTaskStore,
} from '../core/tasks/task.ts';
import type { SharedState } from '../feature-loaders.ts';
import { INTERNAL_ERROR } from '../protocol/json-rpc.ts';
import { Heartbeat } from './heartbeat.ts';

/** How often the end of a task is looked for, since the news of it may have been missed. */
const LOOK_MS = 1_000;

const LOST = 'The node that ran this task has ended, so the outcome of its work is unknown.';

const STATUSES: readonly TaskStatus[] = ['working', 'input_required', 'completed', 'failed', 'cancelled'];

interface Snapshot {
  id: string;
  node: string;
  subject: string | undefined;
  scopes: readonly string[];
  status: TaskStatus;
  statusMessage: string | undefined;
  createdAt: Date;
  updatedAt: Date;
  ttlMs: number;
  outcome: TaskOutcome | undefined;
  questions: Readonly<Record<string, { method: string; params: object | undefined }>>;
}

/** A task that this node runs, and its record as last written. */
interface Own {
  task: Task;
  text: string;
  saving: Promise<void>;
  isUnsaved: boolean;
}

export function openSharedTasks(server: ServerInstance): SharedTasksStore {
  return new SharedTasks(server);
}

class SharedTasks implements SharedTasksStore {
  readonly #server: ServerInstance & { shared: SharedState };
  readonly #own = new Map<string, Own>();
  #hearing: Promise<unknown> | undefined;
  readonly #heart: Heartbeat;

  constructor(server: ServerInstance) {
    this.#server = server as ServerInstance & { shared: SharedState };
    const { shared } = this.#server;
    this.#heart = Heartbeat.heartbeatOf(shared);
    shared.onReconnect(() => {
      for (const own of this.#own.values()) {
        // A Redis that was restarted has forgotten the record.
        own.text = '';
        void this.#queueSave(own);
      }
    });
  }

  async shareTask(task: Task, context: RequestContext): Promise<void> {
    const { shared, limits } = this.#server;
    await (this.#hearing ??= this.#subscribeOrders());
    await this.#heart.keepBeating(this.#isWaitedFor);
    const text = printSnapshot(task, shared.node);
    await shared.set(`task ${task.id}`, text, task.ttlMs);
    const list = taskListName(context);
    const keep = { most: limits.tasksPerClient, ttlMs: limits.taskTtlMs };
    if (list !== undefined) await shared.appendEntry(list, task.id, keep);
    const own: Own = { task, text, saving: Promise.resolve(), isUnsaved: false };
    this.#own.set(task.id, own);
    task.onChange(() => void this.#queueSave(own));
    await this.#heart.keepBeating(this.#isWaitedFor);
  }

  async findOwned(taskId: string, subject: string | undefined): Promise<FoundTask | undefined> {
    const snapshot = await this.readTask(taskId);
    return snapshot?.subject === subject && snapshot !== undefined
      ? new DistantTask(snapshot, this)
      : undefined;
  }

  async findById(taskId: string): Promise<FoundTask | undefined> {
    const snapshot = await this.readTask(taskId);
    return snapshot && new DistantTask(snapshot, this);
  }

  async listOwned(context: RequestContext): Promise<FoundTask[]> {
    const list = taskListName(context);
    if (list === undefined) return [];
    const entries = await this.#server.shared.readEntries(list);
    const subject = context.caller?.subject;
    const found = await Promise.all(entries.map(async ({ text }) => this.findOwned(text, subject)));
    return found.filter((task) => task !== undefined);
  }

  /** The present state; that of a task whose node has ended is `failed`. */
  async readTask(taskId: string): Promise<Snapshot | undefined> {
    const { shared } = this.#server;
    const text = await shared.get(`task ${taskId}`);
    const snapshot = text === undefined ? undefined : parseSnapshot(taskId, text);
    if (text === undefined || snapshot === undefined || hasEnded(snapshot)) return snapshot;
    if (await this.#heart.isAlive(snapshot.node)) return snapshot;
    const lost: Snapshot = { ...snapshot, ...lostTaskState(), questions: {} };
    return (await this.#replaceRecord(text, lost)) ? lost : this.readTask(taskId);
  }

  async cancel(taskId: string, reason: string): Promise<Snapshot | undefined> {
    const { shared } = this.#server;
    const text = await shared.get(`task ${taskId}`);
    const snapshot = text === undefined ? undefined : parseSnapshot(taskId, text);
    if (text === undefined || snapshot === undefined || hasEnded(snapshot)) return snapshot;
    const changes = { status: 'cancelled', statusMessage: reason, updatedAt: new Date() } as const;
    const cancelled: Snapshot = { ...snapshot, ...changes, questions: {} };
    if (!(await this.#replaceRecord(text, cancelled))) return this.cancel(taskId, reason);
    await this.#publishOrder(snapshot.node, { taskId, cancel: reason });
    return cancelled;
  }

  /** The record loses the question before the task gets its answer, so that no node lists the question again. */
  async answer(taskId: string, key: string, answer: object): Promise<void> {
    const text = await this.#server.shared.get(`task ${taskId}`);
    const snapshot = text === undefined ? undefined : parseSnapshot(taskId, text);
    if (text === undefined || snapshot === undefined || !Object.hasOwn(snapshot.questions, key)) return;
    const questions = Object.fromEntries(Object.entries(snapshot.questions).filter(([name]) => name !== key));
    const status = Object.keys(questions).length === 0 ? 'working' : snapshot.status;
    const answered: Snapshot = { ...snapshot, status, updatedAt: new Date(), questions };
    if (!(await this.#replaceRecord(text, answered))) return this.answer(taskId, key, answer);
    await this.#publishOrder(snapshot.node, { taskId, key, ...answer });
  }

  onChange(taskId: string, listener: () => void): () => void {
    const leave = this.#server.bus.subscribe((event) => {
      if (event.kind === 'task-changed' && event.taskId === taskId) listener();
    });
    const timer = setInterval(listener, LOOK_MS);
    timer.unref();
    return () => {
      leave();
      clearInterval(timer);
    };
  }

  async #replaceRecord(before: string, after: Snapshot): Promise<boolean> {
    const { shared, bus } = this.#server;
    const leftMs = after.createdAt.getTime() + after.ttlMs - Date.now();
    if (!(await shared.compareAndSet(`task ${after.id}`, before, printSnapshot(after, after.node), leftMs)))
      return false;
    bus.publishEvent({ kind: 'task-changed', taskId: after.id });
    return true;
  }

  readonly #isWaitedFor = (): boolean => {
    for (const [id, { task, isUnsaved }] of this.#own) if (task.hasEnded && !isUnsaved) this.#own.delete(id);
    return this.#own.size > 0;
  };

  async #subscribeOrders(): Promise<void> {
    const { shared } = this.#server;
    try {
      await shared.subscribe(`node ${shared.node}`, (text) => this.#executeOrder(text));
    } catch (thrown) {
      this.#hearing = undefined;
      throw thrown;
    }
  }

  async #publishOrder(node: string, order: object): Promise<void> {
    await this.#server.shared.publish(`node ${node}`, writeJson(order));
  }

  #executeOrder(text: string): void {
    const { taskId, cancel, key, response, failure } = parseJsonRecord(text);
    const task = typeof taskId === 'string' ? getTaskStore(this.#server).findById(taskId) : undefined;
    if (typeof cancel === 'string') task?.cancel(cancel);
    if (typeof key !== 'string') return;
    if (isRecord(response)) void task?.take(key)?.answer(response);
    else if (typeof failure === 'string') task?.take(key)?.fail(failure);
  }

  /** Saves run one after another, and each writes the state at its own time. */
  async #queueSave(own: Own): Promise<void> {
    own.isUnsaved = true;
    own.saving = own.saving.then(() => this.#saveNow(own)).catch(() => undefined);
    return own.saving;
  }

  async #saveNow(own: Own): Promise<void> {
    const { shared, bus } = this.#server;
    const { task } = own;
    const key = `task ${task.id}`;
    const leftMs = task.createdAt.getTime() + task.ttlMs - Date.now();
    const text = printSnapshot(task, shared.node);
    if (leftMs <= 0 || text === own.text) {
      own.isUnsaved = false;
      return;
    }
    if (!(await shared.compareAndSet(key, own.text, text, leftMs))) {
      const stored = await shared.get(key);
      const snapshot = stored === undefined ? undefined : parseSnapshot(task.id, stored);
      // Another node has ended the task.
      if (snapshot !== undefined && hasEnded(snapshot)) {
        own.isUnsaved = false;
        return task.cancel(snapshot.statusMessage ?? LOST);
      }
      await shared.set(key, text, leftMs);
    }
    own.text = text;
    own.isUnsaved = false;
    bus.publishEvent({ kind: 'task-changed', taskId: task.id });
  }
}

/** A task of another node, as Redis has it. */
class DistantTask implements FoundTask {
  readonly #tasks: SharedTasks;
  #snapshot: Snapshot;

  constructor(snapshot: Snapshot, tasks: SharedTasks) {
    this.#snapshot = snapshot;
    this.#tasks = tasks;
  }

  get id() {
    return this.#snapshot.id;
  }

  get scopes() {
    return this.#snapshot.scopes;
  }

  get status() {
    return this.#snapshot.status;
  }

  get statusMessage() {
    return this.#snapshot.statusMessage;
  }

  get createdAt() {
    return this.#snapshot.createdAt;
  }

  get updatedAt() {
    return this.#snapshot.updatedAt;
  }

  get ttlMs() {
    return this.#snapshot.ttlMs;
  }

  get outcome() {
    return this.#snapshot.outcome;
  }

  get hasEnded(): boolean {
    return hasEnded(this.#snapshot);
  }

  get questions(): ReadonlyMap<string, TaskQuestion> {
    const { id, questions } = this.#snapshot;
    const entries = Object.entries(questions).map(([key, question]): [string, TaskQuestion] => [
      key,
      {
        ...question,
        answer: (response) => this.#tasks.answer(id, key, { response }),
        fail: (failure) => void this.#tasks.answer(id, key, { failure }).catch(() => undefined),
      },
    ]);
    return new Map(entries);
  }

  take(key: string): TaskQuestion | undefined {
    return this.questions.get(key);
  }

  async cancel(reason: string): Promise<void> {
    this.#snapshot = (await this.#tasks.cancel(this.id, reason)) ?? this.#snapshot;
  }

  onChange(listener: () => void): () => void {
    const refreshSnapshot = async (): Promise<void> => {
      this.#snapshot = (await this.#tasks.readTask(this.id)) ?? { ...this.#snapshot, ...lostTaskState() };
      listener();
    };
    return this.#tasks.onChange(this.id, () => void refreshSnapshot().catch(() => undefined));
  }
}

function hasEnded({ status }: Snapshot): boolean {
  return status !== 'working' && status !== 'input_required';
}

function lostTaskState(): Pick<Snapshot, 'status' | 'statusMessage' | 'updatedAt' | 'outcome'> {
  const error = { code: INTERNAL_ERROR, message: LOST };
  return { status: 'failed', statusMessage: LOST, updatedAt: new Date(), outcome: { error } };
}

/** Tasks are listed by the caller's subject; without OAuth, by the client's address or session. */
function taskListName({ caller, address, session }: RequestContext): string | undefined {
  if (caller !== undefined) return `tasks of subject ${caller.subject}`;
  const client = address ?? session?.hash;
  return client === undefined ? undefined : `tasks of client ${client}`;
}

function printSnapshot(task: Task | Snapshot, node: string): string {
  const { scopes, status, statusMessage, createdAt, updatedAt, ttlMs, outcome } = task;
  const subject = 'owner' in task ? task.owner.subject : task.subject;
  const questions = task.questions instanceof Map ? Object.fromEntries(task.questions) : task.questions;
  const times = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  const rest = { scopes, status, ttlMs, ...omitUndefined({ subject, statusMessage, outcome }) };
  return writeJson({ node, ...times, ...rest, questions });
}

/** Reads the snapshot of a task; undefined if the text is none. */
export function parseSnapshot(id: string, text: string): Snapshot | undefined {
  const { node, subject, scopes, status, statusMessage, createdAt, updatedAt, ttlMs, ...rest } =
    parseJsonRecord(text);
  const known = STATUSES.find((each) => each === status);
  const [created, updated] = [createdAt, updatedAt].map(parseDate);
  if (typeof node !== 'string' || known === undefined || typeof ttlMs !== 'number') return undefined;
  if (created === undefined || updated === undefined || !isText(subject) || !isText(statusMessage))
    return undefined;
  if (!Array.isArray(scopes) || !scopes.every((scope) => typeof scope === 'string')) return undefined;
  const times = { createdAt: created, updatedAt: updated, ttlMs };
  const outcome = parseTaskOutcome(rest['outcome']);
  const questions = parseQuestions(rest['questions']);
  return { id, node, subject, scopes, status: known, statusMessage, ...times, outcome, questions };
}

function parseTaskOutcome(value: unknown): TaskOutcome | undefined {
  if (!isRecord(value)) return undefined;
  const { result, error } = value;
  if (isRecord(result)) return { result };
  if (!isRecord(error)) return undefined;
  const { code, message, data } = error;
  if (!Number.isInteger(code) || typeof message !== 'string') return undefined;
  return { error: { code: code as number, message, ...omitUndefined({ data: data as Json | undefined }) } };
}

function parseQuestions(value: unknown): Snapshot['questions'] {
  const entries = Object.entries(isRecord(value) ? value : {}).flatMap(([key, question]) => {
    const { method, params }: Record<string, unknown> = isRecord(question) ? question : {};
    if (typeof method !== 'string') return [];
    return [[key, { method, params: isRecord(params) ? params : undefined }] as const];
  });
  return Object.fromEntries(entries);
}

function parseDate(value: unknown): Date | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? undefined : new Date(time);
}

function isText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function parseJsonRecord(text: string): Record<string, unknown> {
  try {
    const value: unknown = readJson(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
