/** Tokens that were found to be good, by their digest: a token that is known needs no second check until then. */
import { createHash } from 'node:crypto';

interface Entry<T> {
  value: T;
  /** Milliseconds since 1970. */
  until: number;
}

export class VerifiedTokens<T> {
  readonly #most: number;
  readonly #now: () => number;
  /** The one that was not seen for longest first. */
  readonly #entries = new Map<string, Entry<T>>();
  readonly #pending = new Map<string, Promise<T>>();

  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
  }

  /**
   * What is known of the token, or what `check` finds: asked once, however many requests bring it at a time. What it rejects
   * with is not kept.
   */
  get(token: string, check: () => Promise<{ value: T; until: number }>): T | Promise<T> {
    const key = createHash('sha256').update(token).digest('base64');
    const known = this.#entries.get(key);
    if (known !== undefined && this.#now() < known.until) {
      this.#keep(key, known);
      return known.value;
    }
    const pending = this.#pending.get(key) ?? this.#check(key, check);
    this.#pending.set(key, pending);
    return pending;
  }

  async #check(key: string, check: () => Promise<{ value: T; until: number }>): Promise<T> {
    try {
      const entry = await check();
      this.#keep(key, entry);
      return entry.value;
    } finally {
      this.#pending.delete(key);
    }
  }

  #keep(key: string, entry: Entry<T>): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest);
  }
}
