// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Rates, and what is taken once, in the memory of this process. State that nodes share is in `redis/`. */
import type { NodeState, SharedHealth } from '../feature-loaders.ts';
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

export class MemoryState implements NodeState {
  readonly isShared = false;
  readonly health: SharedHealth = { store: 'memory', state: 'up', since: new Date() };
  /** When each key expires, in milliseconds since the epoch. */
  readonly #taken = new Map<string, number>();
  readonly #most: number;
  #node: string | undefined;

  /** @param most keys, more are refused: about 110 MB */
  constructor(most = 500_000) {
    this.#most = most;
  }

  /** The id is made when first asked for: few servers need it, and random bytes delay a start. */
  get scope(): string {
    return (this.#node ??= crypto.randomUUID());
  }

  get count(): number {
    return this.#taken.size;
  }

  async takeOnce(key: string, ttlMs: number): Promise<boolean> {
    const now = Date.now();
    if ((this.#taken.get(key) ?? now) > now) return false;
    for (const [name, expires] of this.#taken) {
      if (expires > now) break;
      this.#taken.delete(name);
    }
    if (!this.#taken.delete(key) && this.#taken.size >= this.#most)
      throw limitReachedError('This server keeps as many values as it can.', 60);
    this.#taken.set(key, now + ttlMs);
    return true;
  }

  async close(): Promise<void> {
    this.#taken.clear();
  }
}
