/** What was asked for callers, until it expires: each under a key of its own, asked once however many calls wait for it. */
import type { Waiting } from '../../on-behalf.ts';

export interface Holding<T> {
  value: T;
  /** Milliseconds since 1970; in the past: for those who wait now, and nobody after them. */
  until: number;
}

export type Ask<T> = (signal: AbortSignal) => Promise<Holding<T>>;

export class Held<T> {
  readonly #most: number;
  readonly #now: () => number;
  /** The one that was asked for first of all first. */
  readonly #holdings = new Map<string, Holding<T>>();
  readonly #pending = new Map<string, SharedAsk<T>>();

  /** @param most holdings: then the oldest is forgotten */
  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
  }

  /** Rejects with what `ask` rejects with, which is not kept. */
  async get(key: string, ask: Ask<T>, waiting: Waiting): Promise<Holding<T>> {
    const holding = this.#holdings.get(key);
    if (holding !== undefined && this.#now() < holding.until) return holding;
    return (this.#pending.get(key) ?? this.#begin(key, ask)).join(waiting);
  }

  /** One that took its place meanwhile stays. */
  forget(key: string, holding: Holding<T>): void {
    if (this.#holdings.get(key) === holding) this.#holdings.delete(key);
  }

  #begin(key: string, ask: Ask<T>): SharedAsk<T> {
    const shared = new SharedAsk(ask, () => this.#end(key, shared));
    this.#pending.set(key, shared);
    shared.outcome.then(
      (holding) => this.#end(key, shared) && this.#keep(key, holding),
      () => this.#end(key, shared),
    );
    return shared;
  }

  /** Whether it was still the one that is waited for. */
  #end(key: string, shared: SharedAsk<T>): boolean {
    return this.#pending.get(key) === shared && this.#pending.delete(key);
  }

  #keep(key: string, holding: Holding<T>): void {
    this.#holdings.delete(key);
    if (this.#now() >= holding.until) return;
    this.#holdings.set(key, holding);
    const [oldest] = this.#holdings.keys();
    if (this.#holdings.size > this.#most && oldest !== undefined) this.#holdings.delete(oldest);
  }
}

/** One question that several wait for: given up when the last of them leaves. */
class SharedAsk<T> {
  readonly outcome: Promise<Holding<T>>;
  readonly #controller = new AbortController();
  readonly #left: () => void;
  #waiting = 0;

  constructor(ask: Ask<T>, left: () => void) {
    this.#left = left;
    this.outcome = ask(this.#controller.signal);
  }

  async join(waiting: Waiting): Promise<Holding<T>> {
    this.#waiting++;
    const release = waiting.onEnd(() => {
      if (--this.#waiting > 0) return;
      this.#left();
      this.#controller.abort();
    });
    try {
      return await this.outcome;
    } finally {
      release();
    }
  }
}
