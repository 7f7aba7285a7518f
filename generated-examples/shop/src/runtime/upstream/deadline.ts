/**
 * The time a call has: it ends by the caller's signal or by the timeout, whichever comes first. Callbacks rather than
 * an `AbortSignal` of its own: signals handed down to `node:http` cost a fifth of a call.
 */
import { UpstreamError } from './upstream-error.ts';

export interface Deadline {
  /** Why it is over (`timeout` or `aborted`); undefined while there is time. */
  readonly reason: UpstreamError | undefined;
  /** Milliseconds that are left; 0 when it is over. */
  left(): number;
  /** Calls back once, at the end. Returns what takes the callback away. */
  onEnd(callback: (reason: UpstreamError) => void): () => void;
  /** Frees timer and listener. */
  clear(): void;
}

export function startDeadline(timeoutMs: number, caller?: AbortSignal): Deadline {
  const callbacks = new Set<(reason: UpstreamError) => void>();
  const end = Date.now() + timeoutMs;
  let reason: UpstreamError | undefined;
  const finish = (why: UpstreamError): void => {
    if (reason !== undefined) return;
    reason = why;
    for (const callback of callbacks) callback(why);
  };
  const timer = setTimeout(() => {
    finish(timedOut(timeoutMs));
  }, timeoutMs);
  const onAbort = (): void => {
    finish(new UpstreamError('aborted', 'The call was cancelled.', { cause: caller?.reason }));
  };
  if (caller?.aborted === true) onAbort();
  else caller?.addEventListener('abort', onAbort, { once: true });
  return {
    get reason() {
      return reason;
    },
    left: () => (reason === undefined ? Math.max(0, end - Date.now()) : 0),
    onEnd: (callback) => {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    clear: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onAbort);
    },
  };
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
