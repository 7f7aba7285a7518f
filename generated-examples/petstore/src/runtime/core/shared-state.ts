// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** State that must agree wherever a request is served: rates, what is taken once, events. Here in memory; for nodes in `redis/`. */
import type { SharedHealth, SharedState, StreamEntry } from '../feature-loaders.ts';
import { limitReachedError } from '../protocol/json-rpc.ts';

export interface Limiter {
  /** Spends one event, if one is left. A promise only where nodes count together. */
  tryTake(): boolean | Promise<boolean>;
  readonly waitSeconds: number;
}

/** A bucket that refills steadily, and starts full. */
export class RateLimiter implements Limiter {
  readonly #count: number;
  readonly #now: () => number;
  readonly #periodMs: number;
  #tokens: number;
  #at: number;

  /** `count` events in `periodMs` (default: a minute); `now` in milliseconds. */
  constructor(count: number, now: () => number = Date.now, periodMs = 60_000) {
    this.#count = count;
    this.#now = now;
    this.#periodMs = periodMs;
    this.#tokens = count;
    this.#at = now();
  }

  get waitMs(): number {
    this.#refill();
    return Math.max(0, ((1 - this.#tokens) * this.#periodMs) / this.#count);
  }

  get waitSeconds(): number {
    return Math.ceil(this.waitMs / 1_000);
  }

  /** Spends one event, if one is left. */
  tryTake(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  giveBackOne(): void {
    this.#tokens = Math.min(this.#count, this.#tokens + 1);
  }

  #refill(): void {
    const now = this.#now();
    const earned = (Math.max(0, now - this.#at) * this.#count) / this.#periodMs;
    this.#tokens = Math.min(this.#count, this.#tokens + earned);
    this.#at = now;
  }
}

interface Kept {
  value: unknown;
  /** Milliseconds since the epoch. */
  expires: number;
}

/** State of this process, or of instances that share it. */
export class MemoryState implements SharedState {
  readonly isShared: boolean;
  readonly nodes = 1;
  readonly health: SharedHealth = { store: 'memory', state: 'up', since: new Date() };
  readonly #kept = new Map<string, Kept>();
  readonly #listeners = new Map<string, Set<(text: string) => void>>();

  readonly #most: number;
  #node: string | undefined;

  /** @param most values, more are refused: about 110 MB of single-use keys */
  constructor(isShared = false, most = 500_000) {
    this.isShared = isShared;
    this.#most = most;
  }

  /** The id is made when first asked for: few servers need it, and random bytes delay a start. */
  get node(): string {
    return (this.#node ??= crypto.randomUUID());
  }

  get scope(): string {
    return this.node;
  }

  get count(): number {
    return this.#kept.size;
  }

  async takeOnce(key: string, ttlMs: number): Promise<boolean> {
    return this.compareAndSet(`once ${key}`, undefined, '', ttlMs);
  }

  async takeRateToken(key: string, count: number, periodMs: number): Promise<number> {
    const limiter =
      this.#findUnexpired<RateLimiter>(`rate ${key}`) ?? new RateLimiter(count, Date.now, periodMs);
    this.#keepUntil(`rate ${key}`, limiter, periodMs);
    return limiter.tryTake() ? 0 : limiter.waitMs;
  }

  async get(key: string): Promise<string | undefined> {
    return this.#findUnexpired(key);
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    this.#keepUntil(key, value, ttlMs);
  }

  async delete(key: string): Promise<void> {
    this.#kept.delete(key);
  }

  async compareAndSet(
    key: string,
    before: string | undefined,
    value: string,
    ttlMs: number,
  ): Promise<boolean> {
    if (this.#findUnexpired(key) !== before) return false;
    this.#keepUntil(key, value, ttlMs);
    return true;
  }

  async appendEntry(stream: string, text: string, { most, ttlMs }: { most: number; ttlMs: number }) {
    const entries = this.#findUnexpired<StreamEntry[]>(`stream ${stream}`) ?? [];
    const id = `${Number.parseInt(entries.at(-1)?.id ?? '0', 10) + 1}-0`;
    this.#keepUntil(`stream ${stream}`, [...entries, { id, text }].slice(-most), ttlMs);
    await this.publish(`stream ${stream}`, id);
    return id;
  }

  async readEntries(stream: string, after = '0-0'): Promise<StreamEntry[]> {
    const last = Number.parseInt(after, 10);
    const all = this.#findUnexpired<StreamEntry[]>(`stream ${stream}`) ?? [];
    return all.filter(({ id }) => Number.parseInt(id, 10) > last);
  }

  async onAppend(stream: string, listener: () => void): Promise<() => void> {
    return this.subscribe(`stream ${stream}`, listener);
  }

  async publish(channel: string, text: string): Promise<void> {
    for (const listener of [...(this.#listeners.get(channel) ?? [])]) listener(text);
  }

  async subscribe(channel: string, listener: (text: string) => void): Promise<() => void> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    // Each subscription wraps its listener, since one listener may be given twice.
    const own = (text: string): void => listener(text);
    this.#listeners.set(channel, listeners.add(own));
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(channel) === listeners) this.#listeners.delete(channel);
    };
  }

  onReconnect(): () => void {
    return () => undefined;
  }

  async revoke(id: string, ttlMs: number): Promise<void> {
    this.#keepUntil(`revoked ${id}`, '', ttlMs);
  }

  async isRevoked(id: string): Promise<boolean> {
    return this.#findUnexpired(`revoked ${id}`) !== undefined;
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }

  #findUnexpired<T = string>(key: string): T | undefined {
    const kept = this.#kept.get(key);
    return kept !== undefined && kept.expires > Date.now() ? (kept.value as T) : undefined;
  }

  #keepUntil(key: string, value: unknown, ttlMs: number): void {
    const now = Date.now();
    for (const [name, { expires }] of this.#kept) {
      if (expires > now) break;
      this.#kept.delete(name);
    }
    if (!this.#kept.delete(key) && this.#kept.size >= this.#most)
      throw limitReachedError('This server keeps as many values as it can.', 60);
    this.#kept.set(key, { value, expires: now + ttlMs });
  }
}
