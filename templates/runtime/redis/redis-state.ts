// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `SharedState` in Redis. Values are texts of ours; what is read back is checked, since others may write there. */
import { createHash, randomBytes } from 'node:crypto';

import type { SharedHealth, SharedState, StreamEntry } from '../feature-loaders.ts';
import { sharedStateAwayError } from '../protocol/json-rpc.ts';
import type { Connection } from './connection.ts';
import { SPEND, Spending } from './spending.ts';

interface Script {
  text: string;
  sha: string;
}

const REPLACE = makeScript(`
local before = redis.call('GET', KEYS[1])
if ARGV[1] == '1' then
  if before ~= ARGV[2] then return 0 end
elseif before then return 0 end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
return 1`);

const APPEND = makeScript(`
local id = redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[2], '*', 'text', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PUBLISH', ARGV[4], id)
return id`);

const SPENDING = makeScript(SPEND);

function makeScript(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** This node remembers at most so many session ids that are valid, and as many that were ended. */
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
    const args = [String(count), toWholeMilliseconds(periodMs), String(wanted)];
    return this.#runScript(SPENDING, this.#makeRedisKey('rate', key), args);
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
        void this.#publishRevocation(id, expires - Date.now()).catch(() => undefined);
    });
  }

  get health(): SharedHealth {
    return this.#connection.health;
  }

  async takeOnce(key: string, ttlMs: number): Promise<boolean> {
    const name = this.#makeRedisKey('once', key);
    return (
      (await this.#sendCommand(name, ['SET', name, '', 'NX', 'PX', toWholeMilliseconds(ttlMs)])) !== null
    );
  }

  takeRateToken(key: string, count: number, periodMs: number): number | Promise<number> {
    return this.#spending.spendRateToken(key, count, periodMs);
  }

  async get(key: string): Promise<string | undefined> {
    const name = this.#makeRedisKey('value', key);
    const value = await this.#sendCommand(name, ['GET', name]);
    return typeof value === 'string' ? value : undefined;
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    const name = this.#makeRedisKey('value', key);
    await this.#sendCommand(name, ['SET', name, value, 'PX', toWholeMilliseconds(ttlMs)]);
  }

  async delete(key: string): Promise<void> {
    const name = this.#makeRedisKey('value', key);
    await this.#sendCommand(name, ['DEL', name]);
  }

  async compareAndSet(
    key: string,
    before: string | undefined,
    value: string,
    ttlMs: number,
  ): Promise<boolean> {
    const args = [before === undefined ? '0' : '1', before ?? '', value, toWholeMilliseconds(ttlMs)];
    return (await this.#runScript(REPLACE, this.#makeRedisKey('value', key), args)) === 1;
  }

  async appendEntry(stream: string, text: string, { most, ttlMs }: { most: number; ttlMs: number }) {
    const args = [text, String(most), toWholeMilliseconds(ttlMs), this.#makeChannelName(`stream ${stream}`)];
    return String(await this.#runScript(APPEND, this.#makeRedisKey('stream', stream), args));
  }

  async readEntries(stream: string, after?: string): Promise<StreamEntry[]> {
    if (after !== undefined && !ENTRY_ID.test(after)) return [];
    const name = this.#makeRedisKey('stream', stream);
    const from = after === undefined ? '-' : `(${after}`;
    const entries = await this.#sendCommand(name, ['XRANGE', name, from, '+']);
    return Array.isArray(entries) ? entries.flatMap(parseStreamEntry) : [];
  }

  async onAppend(stream: string, listener: () => void): Promise<() => void> {
    return this.subscribe(`stream ${stream}`, listener);
  }

  async publish(channel: string, text: string): Promise<void> {
    const name = this.#makeChannelName(channel);
    await this.#sendCommand(name, ['PUBLISH', name, text]);
  }

  async subscribe(channel: string, listener: (text: string) => void): Promise<() => void> {
    return this.#connection.subscribe(this.#makeChannelName(channel), listener);
  }

  onReconnect(listener: () => void): () => void {
    return this.#connection.onReturn(listener);
  }

  async revoke(id: string, ttlMs: number): Promise<void> {
    this.#markRevoked(id, ttlMs);
    if (this.#unsaid.size < MOST_IDS) this.#unsaid.set(id, Date.now() + ttlMs);
    try {
      await this.#publishRevocation(id, ttlMs);
    } catch (thrown) {
      if (this.#isStrict) throw thrown;
    }
  }

  async isRevoked(id: string): Promise<boolean> {
    if ((this.#revoked.get(id) ?? 0) > Date.now()) return true;
    if (this.health.state === 'up') {
      if (this.#asked.has(id)) return false;
      try {
        return await this.#fetchIsRevoked(id);
      } catch (thrown) {
        if (this.#isStrict) throw thrown;
      }
    }
    if (this.#isStrict) throw sharedStateAwayError();
    return false;
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  /** Hears of later revocations before it asks for earlier ones. */
  async #fetchIsRevoked(id: string): Promise<boolean> {
    await (this.#hearing ??= this.#subscribeRevocations());
    const name = this.#makeRedisKey('revoked', id);
    const leftMs = Number(await this.#sendCommand(name, ['PTTL', name]));
    if (leftMs > 0) {
      this.#markRevoked(id, leftMs);
      return true;
    }
    if (this.#asked.size >= MOST_IDS) this.#asked.clear();
    this.#asked.add(id);
    return false;
  }

  async #subscribeRevocations(): Promise<unknown> {
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

  async #publishRevocation(id: string, ttlMs: number): Promise<void> {
    if (ttlMs > 0) {
      const name = this.#makeRedisKey('revoked', id);
      await this.#sendCommand(name, ['SET', name, '', 'PX', toWholeMilliseconds(ttlMs)]);
      await this.publish('revoked', `${toWholeMilliseconds(ttlMs)} ${id}`);
    }
    this.#unsaid.delete(id);
  }

  async #runScript({ text, sha }: Script, name: string, args: string[]): Promise<unknown> {
    try {
      return await this.#connection.send(name, ['EVALSHA', sha, '1', name, ...args], isNoScript);
    } catch (thrown) {
      if (!isNoScript(thrown)) throw thrown;
      return this.#sendCommand(name, ['EVAL', text, '1', name, ...args]);
    }
  }

  #sendCommand(name: string, args: string[]): Promise<unknown> {
    return this.#connection.send(name, args);
  }

  /** The part in braces decides the node of a cluster. It may be of a stranger, or say who a caller is. */
  #makeRedisKey(kind: string, key: string): string {
    return `${this.#prefix}:${kind}:{${hashKey(key)}}`;
  }

  #makeChannelName(name: string): string {
    return `${this.#prefix}:channel:${hashKey(name)}`;
  }
}

function hashKey(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 32);
}

function toWholeMilliseconds(ms: number): string {
  return String(Math.max(1, Math.ceil(ms)));
}

function isNoScript(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.startsWith('NOSCRIPT');
}

function parseStreamEntry(entry: unknown): StreamEntry[] {
  const [id, fields]: unknown[] = Array.isArray(entry) ? entry : [];
  const [, text]: unknown[] = Array.isArray(fields) ? fields : [];
  return typeof id === 'string' && typeof text === 'string' ? [{ id, text }] : [];
}
