/**
 * The time a call has: it ends when its caller leaves it or by the timeout, whichever comes first. Callbacks rather than
 * an `AbortSignal`: one for each call, handed down to `node:http`, costs a fifth of a call.
 */
import { UpstreamError } from './upstream-error.ts';

/** Who waits for a call, and may leave. */
export interface Caller {
  /** Why nobody waits any more; undefined while somebody does. */
  readonly reason: unknown;
  /** Calls back once, when nobody waits any more. Returns what takes the callback away. */
  onLeft(callback: () => void): () => void;
}

type OnEnd = (reason: UpstreamError) => void;

export class Deadline {
  readonly #callbacks = new Set<OnEnd>();
  readonly #end: number;
  readonly #timer: NodeJS.Timeout;
  readonly #forgetCaller: (() => void) | undefined;
  #reason: UpstreamError | undefined;

  /** Runs from now on, until `clear`. */
  constructor(timeoutMs: number, caller?: Caller) {
    this.#end = Date.now() + timeoutMs;
    this.#timer = setTimeout(() => this.#finish(timedOut(timeoutMs)), timeoutMs);
    if (caller === undefined) return;
    const leave = (): void => this.#finish(cancelled(caller));
    if (caller.reason === undefined) this.#forgetCaller = caller.onLeft(leave);
    else leave();
  }

  /** Why it is over (`timeout` or `aborted`); undefined while there is time. */
  get reason(): UpstreamError | undefined {
    return this.#reason;
  }

  /** Milliseconds that are left; 0 when it is over. */
  left(): number {
    return this.#reason === undefined ? Math.max(0, this.#end - Date.now()) : 0;
  }

  /** Calls back once, at the end. Returns what takes the callback away. */
  onEnd(callback: OnEnd): () => void {
    this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  }

  /** Frees the timer, and the caller of its callback. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#forgetCaller?.();
  }

  #finish(reason: UpstreamError): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    for (const callback of this.#callbacks) callback(reason);
  }
}

/** The work's outcome, or the deadline's reason when that comes first; the work itself goes on. */
export function within<T>(deadline: Deadline, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (deadline.reason !== undefined) reject(deadline.reason);
    const release = deadline.onEnd(reject);
    work.then(resolve, reject).finally(release);
  });
}

/** Waits, unless the deadline ends first: then it rejects with its reason. */
export async function pause(deadline: Deadline, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waiting = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    await within(deadline, waiting);
  } finally {
    clearTimeout(timer);
  }
}

function timedOut(timeoutMs: number): UpstreamError {
  return new UpstreamError(
    'timeout',
    `The API did not answer within ${timeoutMs / 1000} seconds (API_TIMEOUT_MS). Ask for less, or try again later; ` +
      'a call that changes something may have taken effect.',
  );
}

function cancelled({ reason }: Caller): UpstreamError {
  return new UpstreamError('aborted', 'The call was cancelled.', { cause: reason });
}

export class Semaphore {
  #free: number;
  /** Oldest first. */
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#free = most;
  }

  /** Runs the work when it is its turn. Rejects with the deadline's reason when that ends before. */
  async run<T>(deadline: Deadline, work: () => Promise<T>): Promise<T> {
    if (deadline.reason !== undefined) throw deadline.reason;
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(deadline);
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  #turn(deadline: Deadline): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        release();
        resolve();
      };
      const release = deadline.onEnd((reason) => {
        this.#waiting.delete(begin);
        reject(reason);
      });
      this.#waiting.add(begin);
    });
  }

  /** Hands the place on, or keeps it for who comes next. */
  #pass(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
    } else {
      this.#waiting.delete(next);
      next();
    }
  }
}
