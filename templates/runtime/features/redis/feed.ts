// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What all nodes hear: a log of changes and of messages to sessions, which can be read again, and orders, which can't. */
import { isRecord, parseJson, writeJson } from '../../json-rpc.ts';
import type { Server } from '../../server.ts';
import { type Change, EventBus } from '../changes.ts';
import type { Connection } from './connection.ts';

/** An id is `<milliseconds>-<number>`. This one is before all. */
export const NO_ENTRY = '0-0';
const LOG_ENTRIES = 10_000;
/** Entries of this node that wait for Redis; the oldest are dropped first. */
const MAX_WAITING = 10_000;
const AT_ONCE = 100;
const LISTS = ['tools', 'resources', 'prompts'] as const;

/** Publishes what it appends, so that entries and their notices have one order. */
const APPEND = `
local id = redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[2], '*', 'text', ARGV[1])
if ARGV[3] ~= '0' then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
redis.call('PUBLISH', ARGV[4], ARGV[5] .. id .. ' ' .. ARGV[6])`;

export const ignore = (): void => undefined;

export interface Entry {
  id: string;
  text: string;
}

/** Messages go to the session with that hash of its id. */
export type LogEntry =
  { change: Change; to?: undefined } | { change?: undefined; to: string; message: object };

export type Order = Readonly<Record<string, unknown>>;

export class Feed {
  readonly #connection: Connection;
  readonly #server: Server;
  readonly #log: string;
  readonly #channel: string;
  readonly #bus = new EventBus();
  readonly #orders = new Map<string, (order: Order) => void>();
  readonly #waiting: { args: (string | number)[]; done: () => void }[] = [];
  #writing: Promise<void> | undefined;
  #reading: Promise<void> | undefined;
  /** Entries may have been missed: they are read, not heard. */
  #isBehind = true;
  #mustRead = true;
  #last: string | undefined;
  /** The entry that listeners of the bus are hearing. */
  current: string | undefined;

  constructor(connection: Connection, server: Server) {
    this.#connection = connection;
    this.#server = server;
    this.#log = connection.key('log', '');
    this.#channel = connection.key('channel', '');
    connection.onReturn(() => {
      this.#isBehind = this.#mustRead = true;
      this.#reading ??= this.#catchUp()
        .catch(ignore)
        .finally(() => (this.#reading = undefined));
      void this.flush();
    });
    void connection.subscribe(this.#channel, (text) => this.#hear(text));
  }

  publish(change: Change): void {
    this.append({ change });
  }

  subscribe(listener: (change: Change) => void): () => void {
    return this.#bus.subscribe(listener);
  }

  /** Takes orders of a kind; `node` gave it. */
  on(kind: string, run: (order: Order) => void): void {
    this.#orders.set(kind, run);
  }

  /** @throws {RpcError} with status 503 while Redis is away */
  async order(kind: string, order: Order): Promise<void> {
    const text = writeJson({ ...order, kind, node: this.#connection.node });
    await this.#connection.send('PUBLISH', this.#channel, `order ${text}`);
  }

  /** The last entry that this node has heard. */
  get last(): string {
    return this.#last ?? NO_ENTRY;
  }

  append(entry: LogEntry): void {
    const text = writeJson(entry);
    // Equal changes count once while Redis is away.
    if (!this.#connection.isUp && this.#waiting.some(({ args }) => args[1] === text)) return;
    void this.#add(this.#log, text, LOG_ENTRIES, 0, this.#channel, 'entry ', text);
  }

  /** Appends to another stream, whose followers subscribe to its key. Resolves when Redis has it, or is away. */
  appendTo(key: string, text: string, entries: number, ms: number): Promise<void> {
    return this.#add(key, text, entries, ms, key, '', '');
  }

  #add(...args: (string | number)[]): Promise<void> {
    return new Promise((done) => {
      this.#waiting.push({ args, done });
      if (this.#waiting.length > MAX_WAITING) this.#waiting.shift()?.done();
      void this.flush();
    });
  }

  /** Resolves when everything is written, or can't be. */
  flush(): Promise<void> {
    return (this.#writing ??= this.#write());
  }

  async #write(): Promise<void> {
    // Entries of one turn are sent together.
    await Promise.resolve();
    while (this.#waiting.length > 0 && this.#connection.isUp) {
      const batch = this.#waiting.splice(0, AT_ONCE);
      const sent = batch.map(({ args }) => this.#connection.send('EVAL', APPEND, 1, ...args));
      const results = await Promise.allSettled(sent);
      for (const { done } of batch) done();
      this.#waiting.unshift(...batch.filter((_, at) => results[at]?.status === 'rejected'));
    }
    for (const { done } of this.#waiting) done();
    this.#writing = undefined;
  }

  /** What follows an entry. `hasGap`: some of it is not kept any more. */
  async read(after: string, key = this.#log): Promise<{ entries: Entry[]; hasGap: boolean }> {
    const rows = (await this.#connection.send('XRANGE', key, after, '+')) as [string, string[]][];
    const entries = rows.map(([id, [, text = '']]) => ({ id, text }));
    const hasGap = after !== NO_ENTRY && entries[0]?.id !== after;
    return { entries: entries.filter(({ id }) => id !== after), hasGap };
  }

  #hear(text: string): void {
    const [, kind, id = '', rest = ''] = /^(?:(entry) (\S+)|order) (.*)$/s.exec(text) ?? [];
    if (kind === undefined) {
      const order = readObject(rest);
      this.#orders.get(String(order['kind']))?.(order);
    } else if (this.#isBehind) this.#mustRead = true;
    else this.#dispatch({ id, text: rest });
  }

  async #catchUp(): Promise<void> {
    while (this.#mustRead) {
      this.#mustRead = false;
      if (this.#last === undefined) {
        const rows = await this.#connection.send('XREVRANGE', this.#log, '+', '-', 'COUNT', 1);
        this.#last = (rows as [string][])[0]?.[0] ?? NO_ENTRY;
      }
      const { entries, hasGap } = await this.read(this.#last);
      if (hasGap) for (const change of this.listChanges()) this.#bus.publish(change);
      for (const entry of entries) this.#dispatch(entry);
    }
    this.#isBehind = false;
  }

  #dispatch({ id, text }: Entry): void {
    if (!isAfter(id, this.last)) return;
    this.#last = this.current = id;
    const entry = readEntry(text);
    if (entry?.change !== undefined) this.#bus.publish(entry.change);
    else if (entry !== undefined) this.#orders.get('message')?.({ ...entry, id });
    this.current = undefined;
  }

  /** For those who may have missed some. */
  listChanges(): Change[] {
    const { definition, catalog } = this.#server;
    if (definition.handlers?.started === undefined) return [];
    return LISTS.filter((list) => catalog.lists.has(list)).map((list) => ({ kind: 'list', list }));
  }
}

export function isAfter(id: string, other: string): boolean {
  const [ms = 0, number = 0] = id.split('-').map(Number);
  const [otherMs = 0, otherNumber = 0] = other.split('-').map(Number);
  return ms > otherMs || (ms === otherMs && number > otherNumber);
}

export function readEntry(text: string): LogEntry | undefined {
  const entry = readObject(text);
  return isRecord(entry['change']) || isRecord(entry['message']) ? (entry as LogEntry) : undefined;
}

/** Empty if another program wrote it. */
export function readObject(text: unknown): Record<string, unknown> {
  try {
    const value = typeof text === 'string' ? parseJson(text) : undefined;
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
