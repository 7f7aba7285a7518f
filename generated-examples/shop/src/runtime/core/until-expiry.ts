/** What lasts longer than a request ends with the token it was opened by: nobody is asked again while it lasts. */
import type { AuthInfo } from '../definition.ts';

/** Node's timers count to no more. */
const LONGEST_MS = 2_147_483_647;

/** Calls `end` when the token has expired. Returns what takes that back. */
export function untilExpiry({ expiresAt }: Pick<AuthInfo, 'expiresAt'>, end: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const left = expiresAt * 1000 - Date.now();
    timer = setTimeout(left > LONGEST_MS ? wait : end, Math.min(Math.max(left, 0), LONGEST_MS)).unref();
  };
  wait();
  return () => clearTimeout(timer);
}
