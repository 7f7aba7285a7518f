/** Checks the token of an open stream or socket again and again, and ends it when the token is no longer good. */
import type { AuthInfo } from '../definition.ts';
import type { CheckedCaller } from './verifier.ts';
import type { AuthLimits } from './settings.ts';
import { CheckFailure, TokenRefusal } from './refusals.ts';

/** Node's timers count to no more. */
const LONGEST_MS = 2_147_483_647;

export interface WatchOptions {
  /** Checks the token again. Rejects with a `TokenRefusal`, or with a `CheckFailure` if it can't be checked now. */
  look: () => Promise<CheckedCaller>;
  limits: Pick<AuthLimits, 'failureMs' | 'uncheckedMs'>;
  /** Milliseconds since 1970. */
  now: () => number;
  report: (thrown: unknown) => void;
  /** Called once, with a message for the client. */
  end: (why: string) => void;
}

export class TokenWatch {
  readonly #options: WatchOptions;
  readonly #first: AuthInfo;
  #good: CheckedCaller;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(caller: CheckedCaller, options: WatchOptions) {
    this.#options = options;
    this.#first = caller.auth;
    this.#good = caller;
    this.#wait();
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    const { checkedUntil, endsAt } = this.#good;
    this.#wakeIn(Math.min(checkedUntil, endsAt) - this.#options.now());
  }

  #wakeIn(ms: number): void {
    const delay = Math.min(Math.max(ms, 0), LONGEST_MS);
    this.#timer = setTimeout(() => void this.#look(), delay).unref();
  }

  async #look(): Promise<void> {
    const { look, now } = this.#options;
    if (now() >= this.#good.endsAt) return this.#end('The token has expired.');
    try {
      const found = await look();
      if (this.#isOver) return;
      if (!reachesAsFar(found.auth, this.#first)) return this.#end('The token reaches less far than it did.');
      this.#good = found;
      this.#wait();
    } catch (thrown) {
      if (!this.#isOver) this.#fail(thrown);
    }
  }

  /** While the issuer can't be reached, the stream stays open for `uncheckedMs`. */
  #fail(thrown: unknown): void {
    const { now, limits, report } = this.#options;
    if (thrown instanceof TokenRefusal) return this.#end('The token is not valid any more.');
    if (!(thrown instanceof CheckFailure)) report(thrown);
    else if (now() - this.#good.checkedUntil < limits.uncheckedMs) return this.#wakeIn(limits.failureMs);
    this.#end('The token can not be checked.');
  }

  #end(why: string): void {
    this.stop();
    this.#options.end(why);
  }
}

/** A second introspection of the same token may grant less. */
function reachesAsFar(found: AuthInfo, first: AuthInfo): boolean {
  const isSame = found.issuer === first.issuer && found.subject === first.subject;
  return isSame && first.scopes.every((scope) => found.scopes.includes(scope));
}
