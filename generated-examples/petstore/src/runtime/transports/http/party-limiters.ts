/** Counts what comes over HTTP, calls mostly, by whom limits count for: no party gets more by opening more sessions. */
import { RateLimiter } from '../../core/rate-limiter.ts';

export class PartyLimiters {
  readonly #callsPerMinute: number | undefined;
  readonly #most: number;
  readonly #now: () => number;
  /** The least recently used first. */
  readonly #limiters = new Map<string, RateLimiter>();

  /** Knows `most` parties: the one that was silent for longest is forgotten for one more. `now` is in milliseconds. */
  constructor(callsPerMinute: number | undefined, most: number, now: () => number = Date.now) {
    this.#callsPerMinute = callsPerMinute;
    this.#most = most;
    this.#now = now;
  }

  /** Undefined: calls are not limited. */
  limiterOf(party: string): RateLimiter | undefined {
    if (this.#callsPerMinute === undefined) return undefined;
    const limiter = this.#limiters.get(party) ?? new RateLimiter(this.#callsPerMinute, this.#now);
    this.#limiters.delete(party);
    this.#limiters.set(party, limiter);
    const [oldest] = this.#limiters.keys();
    if (this.#limiters.size > this.#most && oldest !== undefined) this.#limiters.delete(oldest);
    return limiter;
  }
}
