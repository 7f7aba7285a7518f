// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** A cache of callers' credentials: each is requested once for concurrent calls, and kept until it expires. */
import type { Waiting } from '../../on-behalf.ts';
import { putNewest } from '../settings.ts';

export interface Holding<T> {
  value: T;
  /** Milliseconds since 1970. A time in the past: the value is for the calls that wait, and is not kept. */
  until: number;
}

export type Ask<T> = (signal: AbortSignal) => Promise<Holding<T>>;

export class Held<T> {
  readonly #most: number;
  readonly #now: () => number;
  readonly #holdings = new Map<string, Holding<T>>();
  readonly #pending = new Map<string, SharedAsk<T>>();

  /** @param most holdings: further ones displace the oldest */
  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
  }

  /** Rejects as `ask` does, which is not cached. */
  async get(key: string, ask: Ask<T>, waiting: Waiting): Promise<Holding<T>> {
    const holding = this.#holdings.get(key);
    if (holding !== undefined && this.#now() < holding.until) return holding;
    return (this.#pending.get(key) ?? this.#begin(key, ask)).join(waiting);
  }

  /** A newer holding under the key stays. */
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

  /** Returns false if another request has taken its place. */
  #end(key: string, shared: SharedAsk<T>): boolean {
    return this.#pending.get(key) === shared && this.#pending.delete(key);
  }

  #keep(key: string, holding: Holding<T>): void {
    this.#holdings.delete(key);
    if (this.#now() < holding.until) putNewest(this.#holdings, key, holding, this.#most);
  }
}

/** One request that several calls wait for: it is aborted when the last of them is cancelled. */
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
