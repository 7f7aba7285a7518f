/** Tokens that were found to be good, by their digest: a token that is known needs no second check until then. */
interface Entry<T> {
  value: T;
  /** Milliseconds since 1970. */
  until: number;
}

export class VerifiedTokens<T> {
  readonly #most: number;
  readonly #now: () => number;
  /** The one that was checked first of all first. */
  readonly #entries = new Map<string, Entry<T>>();
  readonly #pending = new Map<string, Promise<T>>();

  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
  }

  /** Undefined when the token of this digest is not known to be good, or not any more. */
  known(digest: string): T | undefined {
    const entry = this.#entries.get(digest);
    return entry !== undefined && this.#now() < entry.until ? entry.value : undefined;
  }

  /**
   * What is known, or what `check` finds: asked once, however many requests bring the token at a time. What it rejects with
   * is not kept.
   */
  get(digest: string, check: () => Promise<{ value: T; until: number }>): T | Promise<T> {
    const known = this.known(digest);
    if (known !== undefined) return known;
    const pending = this.#pending.get(digest) ?? this.#check(digest, check);
    this.#pending.set(digest, pending);
    return pending;
  }

  async #check(digest: string, check: () => Promise<{ value: T; until: number }>): Promise<T> {
    try {
      const entry = await check();
      if (this.#now() < entry.until) this.#keep(digest, entry);
      return entry.value;
    } finally {
      this.#pending.delete(digest);
    }
  }

  #keep(digest: string, entry: Entry<T>): void {
    this.#entries.delete(digest);
    this.#entries.set(digest, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest);
  }
}
