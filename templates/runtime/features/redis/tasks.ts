// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Tasks of all nodes. The node on which a task began runs it; others read its state, answer its questions and cancel it. */
import { type ClientReply, INTERNAL_ERROR, writeJson } from '../../json-rpc.ts';
import { type Task, TASK_LIMITS, type TaskOwner, type TaskStore, type TaskView } from '../tasks/task.ts';
import { ignore, readObject } from './feed.ts';
import type { SharedSessions, SharedState } from './sessions.ts';

/** How often a task of another node is looked at, whose node may have ended. */
const LOOK_MS = 1_000;
const LOST = 'The node that ran this task has ended, so the outcome of its work is unknown.';
const STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'];

/** The first end of a task stays, whoever writes it. Returns 0 if another was first. */
const SAVE = `
local before = redis.call('GET', KEYS[1])
if before and string.sub(before, 1, 5) == 'ended' then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

type State = Omit<TaskView, 'reply' | 'cancel' | 'onChange'> & { node: string };

export class SharedTasks implements TaskStore {
  readonly #local: TaskStore;
  readonly #state: SharedState;
  readonly #sessions: SharedSessions | undefined;
  /** Tasks of this node whose end is not in Redis. */
  readonly #running = new Map<string, Task>();
  readonly #listeners = new Set<(task: TaskView) => void>();

  constructor(local: TaskStore, state: SharedState, sessions: SharedSessions | undefined) {
    const { feed, connection } = state;
    this.#local = local;
    this.#state = state;
    this.#sessions = sessions;
    feed.on('task', ({ id }) => void this.#tell(String(id)).catch(ignore));
    feed.on('task-cancel', ({ id, reason }) => this.#running.get(String(id))?.cancel(String(reason)));
    feed.on('task-reply', ({ id, key, reply }) =>
      this.#running.get(String(id))?.reply(String(key), reply as ClientReply),
    );
    // A Redis that was restarted has forgotten them.
    connection.onReturn(() => this.#running.forEach((task) => void this.#save(task)));
  }

  async add(task: Task): Promise<void> {
    const { connection } = this.#state;
    const list = this.#listKey(task.owner);
    const now = Date.now();
    await this.#write({ ...stateOf(task), node: connection.node });
    if (list !== undefined) {
      await connection.send('ZREMRANGEBYSCORE', list, '-inf', now);
      await connection.send('ZADD', list, now + task.ttlMs, task.id);
      await connection.send('PEXPIRE', list, TASK_LIMITS.taskTtlMs);
    }
    try {
      await this.#local.add(task);
    } catch (thrown) {
      // It is over a limit.
      await connection.send('DEL', this.#key(task.id));
      if (list !== undefined) await connection.send('ZREM', list, task.id);
      throw thrown;
    }
    this.#running.set(task.id, task);
    task.onChange(() => void this.#save(task));
  }

  async find(id: string): Promise<TaskView | undefined> {
    const task = await this.#local.find(id);
    if (task !== undefined) return task;
    const state = await this.#read(id);
    return state && this.#toView(state);
  }

  async list(owner: TaskOwner): Promise<TaskView[]> {
    const key = this.#listKey(owner);
    if (key === undefined) return this.#local.list(owner);
    const ids = (await this.#state.connection.send('ZRANGEBYSCORE', key, Date.now(), '+inf')) as string[];
    const tasks = await Promise.all(ids.map((id) => this.find(id)));
    return tasks.filter((task) => task !== undefined);
  }

  onChange(listener: (task: TaskView) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  end(): void {
    this.#local.end();
  }

  async #tell(id: string): Promise<void> {
    const task = this.#listeners.size === 0 ? undefined : await this.find(id);
    if (task !== undefined) for (const listener of [...this.#listeners]) listener(task);
  }

  async #save(task: Task): Promise<void> {
    try {
      const isFirst = await this.#write({ ...stateOf(task), node: this.#state.connection.node });
      if (task.hasEnded) this.#running.delete(task.id);
      else if (!isFirst) task.cancel('It was ended on another node.');
    } catch {
      // It is written when Redis is back.
    }
  }

  async #write(state: State): Promise<boolean> {
    const { connection, feed } = this.#state;
    const leftMs = Math.max(1, state.createdAt.getTime() + state.ttlMs - Date.now());
    const { id, owner, questions } = state;
    const json = writeJson({ ...state, owner: { subject: owner.subject }, questions: [...questions] });
    const text = `${state.hasEnded ? 'ended' : 'runs'} ${json}`;
    const isSaved = (await connection.send('EVAL', SAVE, 1, this.#key(id), text, leftMs)) === 1;
    if (isSaved) await feed.order('task', { id });
    return isSaved;
  }

  /** That of a node that has ended has failed. @throws {RpcError} with status 503 while Redis is away */
  async #read(id: string): Promise<State | undefined> {
    const text = (await this.#state.connection.send('GET', this.#key(id))) as string | null;
    const json = readObject(text?.slice(text.indexOf(' ')));
    if (!STATUSES.includes(String(json['status']))) return undefined;
    const [createdAt, updatedAt] = [json['createdAt'], json['updatedAt']].map(
      (time) => new Date(String(time)),
    );
    const questions = new Map(json['questions'] as []);
    const state = { ...json, createdAt, updatedAt, questions } as unknown as State;
    if (state.hasEnded || (await this.#state.connection.isAlive(state.node))) return state;
    const outcome = { error: { code: INTERNAL_ERROR, message: LOST } };
    const lost = { ...endOf(state, 'failed', LOST), outcome };
    return (await this.#write(lost)) ? lost : this.#read(id);
  }

  #toView(first: State): TaskView {
    const { feed } = this.#state;
    const { id } = first;
    const view = {
      ...first,
      reply: (key: string, reply: ClientReply) => feed.order('task-reply', { id, key, reply }),
      cancel: async (reason: string) => {
        await this.#write(endOf(view, 'cancelled', reason));
        await feed.order('task-cancel', { id, reason });
        Object.assign(view, await this.#read(id));
      },
      onChange: (listener: () => void) => {
        const look = async (): Promise<void> => {
          Object.assign(view, (await this.#read(id)) ?? endOf(view, 'cancelled', 'Its time is over.'));
          listener();
        };
        const timer = setInterval(() => void look().catch(ignore), LOOK_MS).unref();
        const forget = this.onChange((task) => task.id === id && void look().catch(ignore));
        return () => {
          clearInterval(timer);
          forget();
        };
      },
    };
    return view;
  }

  #key(id: string): string {
    return this.#state.connection.key('task', id);
  }

  /** Undefined for a session that this node alone has. */
  #listKey({ subject, client }: TaskOwner): string | undefined {
    const name = typeof client === 'string' ? `client ${client}` : this.#sessions?.hashOf(client);
    if (subject !== undefined) return this.#state.connection.key('tasks', `subject ${subject}`);
    return name && this.#state.connection.key('tasks', name);
  }
}

function stateOf(task: Task): Omit<State, 'node'> {
  const { id, owner, tool, createdAt, updatedAt, ttlMs, status, statusMessage, outcome, hasEnded } = task;
  const times = { createdAt, updatedAt, ttlMs };
  return { id, owner, tool, ...times, status, statusMessage, outcome, hasEnded, questions: task.questions };
}

function endOf(state: State, status: 'failed' | 'cancelled', statusMessage: string): State {
  return { ...state, status, statusMessage, hasEnded: true, questions: new Map(), updatedAt: new Date() };
}
