// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `SharedState` in Redis. Values are texts of ours; what is read back is checked, since others may write there. */
import { createHash, randomBytes } from 'node:crypto';

import type { SharedHealth, SharedState, StreamEntry } from '../feature-loaders.ts';
import { stateAway } from '../protocol/json-rpc.ts';
import type { Connection } from './connection.ts';
import { SPEND, Spending } from './spending.ts';

interface Script {
  text: string;
  sha: string;
}

const REPLACE = script(`
local before = redis.call('GET', KEYS[1])
if ARGV[1] == '1' then
  if before ~= ARGV[2] then return 0 end
elseif before then return 0 end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
return 1`);

const APPEND = script(`
local id = redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[2], '*', 'text', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PUBLISH', ARGV[4], id)
return id`);

const SPENDING = script(SPEND);

function script(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** This node remembers so many ids of sessions, and as many ended ones. */
const MOST_IDS = 100_000;

const ENTRY_ID = /^\d{1,20}(?:-\d{1,20})?$/;

export interface RedisStateOptions {
  prefix: string;
  nodes: number;
  /** Without Redis nobody knows what was revoked: such requests are refused. */
  isStrict: boolean;
}

export class RedisState implements SharedState {
  readonly isShared = true;
  readonly nodes: number;
  readonly node = randomBytes(9).toString('base64url');
  readonly scope: string;
  readonly #connection: Connection;
  readonly #prefix: string;
  readonly #isStrict: boolean;
  readonly #spending = new Spending(async (key, count, periodMs, wanted) => {
    const args = [String(count), toMs(periodMs), String(wanted)];
    return this.#run(SPENDING, this.#name('rate', key), args);
  });
  /** Id → milliseconds since the epoch. */
  readonly #revoked = new Map<string, number>();
  /** Ids that were not revoked when Redis was asked; since then other nodes say so. */
  readonly #asked = new Set<string>();
  /** Revocations that Redis has not got yet. */
  readonly #unsaid = new Map<string, number>();
  #hearing: Promise<unknown> | undefined;

  constructor(connection: Connection, { prefix, nodes, isStrict }: RedisStateOptions) {
    this.#connection = connection;
    this.#prefix = prefix;
    this.nodes = nodes;
    this.#isStrict = isStrict;
    this.scope = `redis ${prefix}`;
    connection.onReturn(() => {
      this.#asked.clear();
      for (const [id, expires] of [...this.#unsaid])
        void this.#say(id, expires - Date.now()).catch(() => undefined);
    });
  }

  get health(): SharedHealth {
    return this.#connection.health;
  }

  async takeOnce(key: string, ttlMs: number): Promise<boolean> {
    const name = this.#name('once', key);
    return (await this.#send(name, ['SET', name, '', 'NX', 'PX', toMs(ttlMs)])) !== null;
  }

  spend(key: string, count: number, periodMs: number): number | Promise<number> {
    return this.#spending.spend(key, count, periodMs);
  }

  async get(key: string): Promise<string | undefined> {
    const name = this.#name('value', key);
    const value = await this.#send(name, ['GET', name]);
    return typeof value === 'string' ? value : undefined;
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    const name = this.#name('value', key);
    await this.#send(name, ['SET', name, value, 'PX', toMs(ttlMs)]);
  }

  async delete(key: string): Promise<void> {
    const name = this.#name('value', key);
    await this.#send(name, ['DEL', name]);
  }

  async replace(key: string, before: string | undefined, value: string, ttlMs: number): Promise<boolean> {
    const args = [before === undefined ? '0' : '1', before ?? '', value, toMs(ttlMs)];
    return (await this.#run(REPLACE, this.#name('value', key), args)) === 1;
  }

  async append(stream: string, text: string, { most, ttlMs }: { most: number; ttlMs: number }) {
    const args = [text, String(most), toMs(ttlMs), this.#channel(`stream ${stream}`)];
    return String(await this.#run(APPEND, this.#name('stream', stream), args));
  }

  async entries(stream: string, after?: string): Promise<StreamEntry[]> {
    if (after !== undefined && !ENTRY_ID.test(after)) return [];
    const name = this.#name('stream', stream);
    const from = after === undefined ? '-' : `(${after}`;
    const entries = await this.#send(name, ['XRANGE', name, from, '+']);
    return Array.isArray(entries) ? entries.flatMap(readEntry) : [];
  }

  async onAppend(stream: string, listener: () => void): Promise<() => void> {
    return this.subscribe(`stream ${stream}`, listener);
  }

  async publish(channel: string, text: string): Promise<void> {
    const name = this.#channel(channel);
    await this.#send(name, ['PUBLISH', name, text]);
  }

  async subscribe(channel: string, listener: (text: string) => void): Promise<() => void> {
    return this.#connection.subscribe(this.#channel(channel), listener);
  }

  onReturn(listener: () => void): () => void {
    return this.#connection.onReturn(listener);
  }

  async revoke(id: string, ttlMs: number): Promise<void> {
    this.#markRevoked(id, ttlMs);
    if (this.#unsaid.size < MOST_IDS) this.#unsaid.set(id, Date.now() + ttlMs);
    try {
      await this.#say(id, ttlMs);
    } catch (thrown) {
      if (this.#isStrict) throw thrown;
    }
  }

  async isRevoked(id: string): Promise<boolean> {
    if ((this.#revoked.get(id) ?? 0) > Date.now()) return true;
    if (this.health.state === 'up') {
      if (this.#asked.has(id)) return false;
      try {
        return await this.#askRevoked(id);
      } catch (thrown) {
        if (this.#isStrict) throw thrown;
      }
    }
    if (this.#isStrict) throw stateAway();
    return false;
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  /** Hears of later revocations before it asks for earlier ones. */
  async #askRevoked(id: string): Promise<boolean> {
    await (this.#hearing ??= this.#hearRevocations());
    const name = this.#name('revoked', id);
    const leftMs = Number(await this.#send(name, ['PTTL', name]));
    if (leftMs > 0) {
      this.#markRevoked(id, leftMs);
      return true;
    }
    if (this.#asked.size >= MOST_IDS) this.#asked.clear();
    this.#asked.add(id);
    return false;
  }

  async #hearRevocations(): Promise<unknown> {
    try {
      return await this.subscribe('revoked', (text) => {
        const [, ttlMs, id] = /^(\d{1,15}) (.+)$/s.exec(text) ?? [];
        if (id !== undefined) this.#markRevoked(id, Number(ttlMs));
      });
    } catch (thrown) {
      this.#hearing = undefined;
      throw thrown;
    }
  }

  #markRevoked(id: string, ttlMs: number): void {
    const now = Date.now();
    for (const [each, expires] of this.#revoked) {
      if (expires > now && this.#revoked.size < MOST_IDS) break;
      this.#revoked.delete(each);
    }
    this.#asked.delete(id);
    this.#revoked.set(id, now + ttlMs);
  }

  async #say(id: string, ttlMs: number): Promise<void> {
    if (ttlMs > 0) {
      const name = this.#name('revoked', id);
      await this.#send(name, ['SET', name, '', 'PX', toMs(ttlMs)]);
      await this.publish('revoked', `${toMs(ttlMs)} ${id}`);
    }
    this.#unsaid.delete(id);
  }

  async #run({ text, sha }: Script, name: string, args: string[]): Promise<unknown> {
    try {
      return await this.#connection.send(name, ['EVALSHA', sha, '1', name, ...args], isNoScript);
    } catch (thrown) {
      if (!isNoScript(thrown)) throw thrown;
      return this.#send(name, ['EVAL', text, '1', name, ...args]);
    }
  }

  #send(name: string, args: string[]): Promise<unknown> {
    return this.#connection.send(name, args);
  }

  /** The part in braces decides the node of a cluster. It may be of a stranger, or say who a caller is. */
  #name(kind: string, key: string): string {
    return `${this.#prefix}:${kind}:{${hash(key)}}`;
  }

  #channel(name: string): string {
    return `${this.#prefix}:channel:${hash(name)}`;
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 32);
}

function toMs(ms: number): string {
  return String(Math.max(1, Math.ceil(ms)));
}

function isNoScript(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.startsWith('NOSCRIPT');
}

function readEntry(entry: unknown): StreamEntry[] {
  const [id, fields]: unknown[] = Array.isArray(entry) ? entry : [];
  const [, text]: unknown[] = Array.isArray(fields) ? fields : [];
  return typeof id === 'string' && typeof text === 'string' ? [{ id, text }] : [];
}
