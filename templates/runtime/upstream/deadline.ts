/** The time a call has: ends by the caller's signal or by the timeout, whichever comes first. */
import { UpstreamError } from './upstream-error.ts';

export interface Deadline {
  readonly signal: AbortSignal;
  /** Milliseconds that are left; 0 when it is over. */
  left(): number;
  /** Frees timer and listener. */
  clear(): void;
}

/** Aborts with an `UpstreamError` (`timeout` or `aborted`) as its reason. */
export function startDeadline(timeoutMs: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const end = Date.now() + timeoutMs;
  const timer = setTimeout(() => {
    controller.abort(timedOut(timeoutMs));
  }, timeoutMs);
  const onAbort = (): void => {
    controller.abort(new UpstreamError('aborted', 'The call was cancelled.', { cause: caller?.reason }));
  };
  if (caller?.aborted === true) onAbort();
  else caller?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    left: () => Math.max(0, end - Date.now()),
    clear: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onAbort);
    },
  };
}

/** Waits, unless the deadline ends first: then it rejects with its reason. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** The promise, or the deadline's reason when that comes first; the work itself goes on. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      reject(reasonOf(signal));
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', onAbort);
    });
  });
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('aborted');
}

function timedOut(timeoutMs: number): UpstreamError {
  return new UpstreamError(
    'timeout',
    `The API did not answer within ${timeoutMs / 1000} seconds. Ask for less, or try again later; ` +
      'a call that changes something may have taken effect.',
  );
}
