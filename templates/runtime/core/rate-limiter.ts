// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Counts events against a number in a time: a bucket that refills steadily, and starts full. */
export class RateLimiter {
  readonly #count: number;
  readonly #now: () => number;
  readonly #periodMs: number;
  #tokens: number;
  #at: number;

  /** Allows `count` events in `periodMs` (default: a minute). `now` is in milliseconds. */
  constructor(count: number, now: () => number = Date.now, periodMs = 60_000) {
    this.#count = count;
    this.#now = now;
    this.#periodMs = periodMs;
    this.#tokens = count;
    this.#at = now();
  }

  /** Seconds until an event is allowed; 0 when one is. */
  get waitSeconds(): number {
    this.#refill();
    if (this.#tokens >= 1) return 0;
    return Math.ceil(((1 - this.#tokens) * this.#periodMs) / this.#count / 1_000);
  }

  /** Spends one event, if one is left. */
  take(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes the spending of one event back. */
  giveBack(): void {
    this.#tokens = Math.min(this.#count, this.#tokens + 1);
  }

  #refill(): void {
    const now = this.#now();
    const earned = (Math.max(0, now - this.#at) * this.#count) / this.#periodMs;
    this.#tokens = Math.min(this.#count, this.#tokens + earned);
    this.#at = now;
  }
}
