// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Checks the token of an open stream or socket again and again, and ends it when the token is no longer good. */
import type { AuthInfo } from '../definition.ts';
import type { CheckedCaller } from './verifier.ts';
import type { AuthLimits } from './settings.ts';
import { CheckFailure, TokenRefusal } from './refusals.ts';

/** Node's timers count to no more. */
const LONGEST_MS = 2_147_483_647;

interface WatchOptions {
  /** Checks the token again. Rejects with a `TokenRefusal`, or with a `CheckFailure` if it can't be checked now. */
  look: () => Promise<CheckedCaller>;
  limits: Pick<AuthLimits, 'failureMs' | 'uncheckedMs'>;
  /** Milliseconds since 1970. */
  now: () => number;
  report: (thrown: unknown) => void;
  /** Called once, with a message for the client. */
  end: (why: string) => void;
}

/** Returns a function that stops the watch. */
export function watchToken(caller: CheckedCaller, options: WatchOptions): () => void {
  const { look, limits, now, report } = options;
  let good = caller;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const stop = (): void => {
    isOver = true;
    clearTimeout(timer);
  };
  const end = (why: string): void => {
    stop();
    options.end(why);
  };
  const wakeIn = (ms: number): void => {
    timer = setTimeout(() => void check(), Math.min(Math.max(ms, 0), LONGEST_MS)).unref();
  };
  const wait = (): void => wakeIn(Math.min(good.checkedUntil, good.endsAt) - now());
  const check = async (): Promise<void> => {
    if (now() >= good.endsAt) return end('The token has expired.');
    try {
      const found = await look();
      if (isOver) return;
      if (!reachesAsFar(found.auth, caller.auth)) return end('The token reaches less far than it did.');
      good = found;
      wait();
    } catch (thrown) {
      if (!isOver) fail(thrown);
    }
  };
  /** While the issuer can't be reached, the stream stays open for `uncheckedMs`. */
  const fail = (thrown: unknown): void => {
    if (thrown instanceof TokenRefusal) return end('The token is not valid any more.');
    if (!(thrown instanceof CheckFailure)) report(thrown);
    else if (now() - good.checkedUntil < limits.uncheckedMs) return wakeIn(limits.failureMs);
    end('The token can not be checked.');
  };
  wait();
  return stop;
}

/** A second introspection of the same token may grant less. */
function reachesAsFar(found: AuthInfo, first: AuthInfo): boolean {
  const isSame = found.issuer === first.issuer && found.subject === first.subject;
  return isSame && first.scopes.every((scope) => found.scopes.includes(scope));
}
