/** Judges a document beside compiling it. */
import { Worker } from 'node:worker_threads';
import { packageRoot } from '../../util/version.ts';
import type { Validity } from './validate-document.ts';

/** Characters of a document that is judged in a thread: for a smaller one, starting the thread takes longer than judging. */
const LARGE = 1_000_000;

export interface Validation {
  finish: () => Promise<Validity>;
  /** Ends a thread whose answer is not wanted. */
  stop: () => void;
}

/**
 * Judges a large document in a thread, so that the caller can compile it meanwhile. Once `signal` is aborted, its reason is
 * thrown.
 */
export function startValidation(text: string, file: string, signal?: AbortSignal): Validation {
  const thread = text.length < LARGE ? undefined : startThread({ text, file });
  if (thread === undefined)
    return {
      finish: async () => (await import('./validate-document.ts')).validateDocument(text, file),
      stop: () => undefined,
    };
  const stop = (): void => void thread.terminate();
  signal?.addEventListener('abort', stop);
  const validity = new Promise<Validity>((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => {
      signal?.removeEventListener('abort', stop);
      reject(signal?.aborted === true ? signal.reason : new Error('The thread ended without an answer.'));
    });
  });
  // Whoever asks sees the error; one that comes earlier must not end the process.
  validity.catch(() => undefined);
  return { finish: async () => validity, stop };
}

/** Undefined under Node's permission model without `--allow-worker`. */
function startThread(workerData: { text: string; file: string }): Worker | undefined {
  const program = new URL('dist/src/frontends/openapi/validation-thread.js', packageRoot());
  try {
    // Options of the process, such as --input-type of a script in its arguments, would be those of the thread.
    return new Worker(program, { workerData, execArgv: [] });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ERR_ACCESS_DENIED') return undefined;
    throw thrown;
  }
}
