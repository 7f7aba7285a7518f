// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Limits the checks that end in a refusal, by address. Clients behind a proxy that is not named share an address, so beyond the
 * limit tokens are still checked, at a lower rate, and good ones are accepted.
 */
import { overLimit } from '../protocol/protocol-error.ts';
import { HttpRefusal } from '../transports/http/http-answer.ts';
import { KeyedRateLimiters } from '../transports/http/rate-limit-key.ts';
import type { AuthLimits } from './settings.ts';
import { CheckFailure, TokenRefusal } from './refusals.ts';

/** Each kind has spare checks of its own, so that made-up tokens of one kind use up none of the other. */
export type TokenKind = 'jwt' | 'other';

export class BadTokenLimit {
  readonly #limits: AuthLimits;
  readonly #now: () => number;
  readonly #warn: (words: string) => void;
  readonly #limiters: KeyedRateLimiters;
  readonly #spare: Record<TokenKind, KeyedRateLimiters>;
  /** Addresses beyond the limit, with the time of the last such check and the number of refusals. */
  readonly #beyond = new Map<string, { at: number; refused: number }>();
  #timer: NodeJS.Timeout | undefined;

  /** `warn` is called when an address exceeds the limit, and when that is over. */
  constructor(limits: AuthLimits, now: () => number, warn: (words: string) => void = () => undefined) {
    const limitersOf = (perMinute: number): KeyedRateLimiters =>
      new KeyedRateLimiters(perMinute, limits.addresses, now);
    this.#limits = limits;
    this.#now = now;
    this.#warn = warn;
    this.#limiters = limitersOf(limits.refusalsPerMinute);
    this.#spare = {
      jwt: limitersOf(limits.spareJwtsPerMinute),
      other: limitersOf(limits.spareQuestionsPerMinute),
    };
  }

  /**
   * Runs `check` for `address`. It counts while it runs, so that concurrent checks are limited too, and afterwards if it
   * refuses the token, or the issuer was asked in vain.
   *
   * @throws {HttpRefusal} 429; what `check` rejects with
   */
  async run<T>(address: string, check: () => Promise<T>, kind: TokenKind = 'other'): Promise<T> {
    const limiter = this.#limiters.limiterOf(address);
    const isBeyond = limiter?.take() === false;
    const spent = isBeyond ? this.#spare[kind].limiterOf(address) : limiter;
    if (isBeyond && spent?.take() === false) throw this.#tooMany(address, limiter?.waitSeconds);
    try {
      const found = await check();
      spent?.giveBack();
      return found;
    } catch (thrown) {
      if (!isBadToken(thrown)) spent?.giveBack();
      // The owner of a token that its issuer has signed must learn that another one is needed.
      else if (isBeyond && !(thrown instanceof TokenRefusal && thrown.isSigned))
        throw this.#tooMany(address, limiter?.waitSeconds);
      throw thrown;
    }
  }

  #tooMany(address: string, waitSeconds = 0): HttpRefusal {
    this.#note(address);
    // The limit may allow another check by now.
    const seconds = Math.max(waitSeconds, 1);
    const { code, message } = overLimit('Too many tokens of your address were refused.', seconds);
    return new HttpRefusal(429, message, { 'retry-after': String(seconds) }, undefined, code);
  }

  #note(address: string): void {
    const { refusalsPerMinute, calmMs, reportedAddresses } = this.#limits;
    const known = this.#beyond.get(address);
    if (known === undefined && this.#beyond.size >= reportedAddresses) return;
    this.#beyond.set(address, { at: this.#now(), refused: (known?.refused ?? 0) + 1 });
    if (known !== undefined) return;
    this.#warn(
      `more than ${refusalsPerMinute} tokens a minute of ${address} were refused: from now on its new tokens are checked at a ` +
        'limited rate, and some are answered by 429. Tokens that were good before go on. If this is the address of a proxy, ' +
        'name it by --trusted-proxy or MCP_TRUSTED_PROXIES, and its clients are counted one by one.',
    );
    this.#timer ??= setInterval(() => this.#tellCalm(), calmMs / 2).unref();
  }

  #tellCalm(): void {
    for (const [address, { at, refused }] of this.#beyond) {
      if (this.#now() - at < this.#limits.calmMs) continue;
      this.#beyond.delete(address);
      this.#warn(`tokens of ${address} are checked as usual again; ${refused} were answered by 429.`);
    }
    if (this.#beyond.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function isBadToken(thrown: unknown): boolean {
  return thrown instanceof TokenRefusal || (thrown instanceof CheckFailure && thrown.isOfToken);
}
