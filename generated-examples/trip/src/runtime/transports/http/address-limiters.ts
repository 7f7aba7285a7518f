/** Counts the calls of clients that have no session, by the address they come from. */
import { RateLimiter } from '../../core/rate-limiter.ts';

export class AddressLimiters {
  readonly #callsPerMinute: number | undefined;
  readonly #most: number;
  /** The least recently used first. */
  readonly #limiters = new Map<string, RateLimiter>();

  /** Knows `most` addresses: the one that was silent for longest is forgotten for one more. */
  constructor(callsPerMinute: number | undefined, most: number) {
    this.#callsPerMinute = callsPerMinute;
    this.#most = most;
  }

  /** Undefined: calls are not limited. */
  limiterOf(address: string): RateLimiter | undefined {
    if (this.#callsPerMinute === undefined) return undefined;
    const limiter = this.#limiters.get(address) ?? new RateLimiter(this.#callsPerMinute);
    this.#limiters.delete(address);
    this.#limiters.set(address, limiter);
    const [oldest] = this.#limiters.keys();
    if (this.#limiters.size > this.#most && oldest !== undefined) this.#limiters.delete(oldest);
    return limiter;
  }
}
