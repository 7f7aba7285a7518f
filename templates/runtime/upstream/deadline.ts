// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * The time a call has: it ends when its caller leaves or at the timeout, whichever comes first. An `AbortSignal` for each
 * call, passed on to `node:http`, would cost a fifth of a call.
 */
import { UpstreamError } from './upstream-error.ts';

/** The client that waits for a call, and may leave. */
export interface Caller {
  /** The reason why it left; undefined while it waits. */
  readonly reason: unknown;
  /** Calls back once, when it leaves. Returns a function that removes the callback. */
  onLeft(callback: () => void): () => void;
}

type OnEnd = (reason: UpstreamError) => void;

export class Deadline {
  /** The error that ended it (`timeout` or `aborted`); undefined while there is time. */
  reason: UpstreamError | undefined;
  readonly #callbacks = new Set<OnEnd>();
  readonly #end: number;
  readonly #timer: NodeJS.Timeout;
  readonly #forgetCaller: (() => void) | undefined;

  /** Runs from now on, until `clear`. */
  constructor(timeoutMs: number, caller?: Caller) {
    this.#end = Date.now() + timeoutMs;
    this.#timer = setTimeout(() => this.#finish(timedOut(timeoutMs)), timeoutMs);
    if (caller === undefined) return;
    const leave = (): void => {
      this.#finish(new UpstreamError('aborted', 'The call was cancelled.', { cause: caller.reason }));
    };
    if (caller.reason === undefined) this.#forgetCaller = caller.onLeft(leave);
    else leave();
  }

  /** Milliseconds that are left; 0 when it is over. */
  left(): number {
    return this.reason === undefined ? Math.max(0, this.#end - Date.now()) : 0;
  }

  /** Calls back once, at the end. Returns a function that removes the callback. */
  onEnd(callback: OnEnd): () => void {
    this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  }

  /** Frees the timer, and removes the callback from the caller. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#forgetCaller?.();
  }

  #finish(reason: UpstreamError): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    for (const callback of this.#callbacks) callback(reason);
  }
}

/** The promise's outcome, or the deadline's reason when that comes first. */
export function within<T>(deadline: Deadline, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (deadline.reason !== undefined) reject(deadline.reason);
    const release = deadline.onEnd(reject);
    promise.then(resolve, reject).finally(release);
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

export class Semaphore {
  #free: number;
  /** Oldest first. */
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#free = most;
  }

  /** Runs a task when a place is free. Rejects with the deadline's reason when that ends before. */
  async run<T>(deadline: Deadline, task: () => Promise<T>): Promise<T> {
    if (deadline.reason !== undefined) throw deadline.reason;
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(deadline);
    try {
      return await task();
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

  /** Gives the place to the oldest that waits, or frees it. */
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
