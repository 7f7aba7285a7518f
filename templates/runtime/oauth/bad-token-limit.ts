/** Bounds what bad tokens cost: the checks that end in a refusal, by the address that they come from. */
import { overLimit } from '../protocol/protocol-error.ts';
import { HttpRefusal } from '../transports/http/http-refusal.ts';
import { PartyLimiters } from '../transports/http/party-limiters.ts';
import type { AuthLimits } from './limits.ts';
import { CheckFailure, TokenRefusal } from './token-refusal.ts';

export class BadTokenLimit {
  readonly #limiters: PartyLimiters;

  constructor({ refusalsPerMinute, addresses }: AuthLimits, now: () => number) {
    this.#limiters = new PartyLimiters(refusalsPerMinute, addresses, now);
  }

  /**
   * Runs `check` for `address`. It counts while it is under way, so that many at a time are bounded too, and after that if
   * it refuses the token, or somebody was asked about it and could not say.
   *
   * @throws {HttpRefusal} 429; what `check` rejects with
   */
  async run<T>(address: string, check: () => Promise<T>): Promise<T> {
    const limiter = this.#limiters.limiterOf(address);
    if (limiter?.take() === false) throw tooMany(limiter.waitSeconds);
    try {
      const found = await check();
      limiter?.giveBack();
      return found;
    } catch (thrown) {
      const isCounted =
        thrown instanceof TokenRefusal || (thrown instanceof CheckFailure && thrown.isOfToken);
      if (!isCounted) limiter?.giveBack();
      throw thrown;
    }
  }
}

function tooMany(seconds: number): HttpRefusal {
  const { code, message } = overLimit('Too many tokens of your address were refused.', seconds);
  return new HttpRefusal(429, message, { 'retry-after': String(seconds) }, undefined, code);
}
