// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Refusals of requests without a sufficient token, and a limit of the checks that end in one. */
import { isScopeToken } from '../contract/http-syntax.ts';
import { omitUndefined } from '../contract/json-value.ts';
import type { Caller } from '../feature-loaders.ts';
import { INTERNAL_ERROR, limitReachedError } from '../protocol/json-rpc.ts';
import { KeyedRateLimiters } from '../transports/http/client-limits.ts';
import { HttpRefusal } from '../transports/http/http-answer.ts';
import type { TokenBinding } from './claims.ts';
import { type AuthLimits, RETRY_SECONDS } from './settings.ts';

interface RefusalsOptions {
  metadata: string;
  binding?: TokenBinding | undefined;
  /** Scopes that a client can request, and those that imply others: a new token should keep them. */
  known: readonly string[];
  first: readonly string[];
}

export type Scheme = 'Bearer' | 'DPoP';

export interface SentToken {
  token: string;
  scheme: Scheme;
}

export type Sent = ({ kind: 'token' } & SentToken) | { kind: NoToken; scheme?: Scheme };

/**
 * `misplaced` is a token in the query of the URL, `constrained` one whose scheme binds it to a key (RFC 9449, section
 * 7.1), where no proof of it is verified.
 */
export type NoToken = 'none' | 'misplaced' | 'constrained' | 'malformed';

type Reason = Pick<Challenge, 'error' | 'description'>;

const NO_TOKEN: Record<NoToken, [status: number, words: string, error?: Challenge['error']]> = {
  none: [401, 'A token is needed.'],
  misplaced: [400, 'A token is taken from the header Authorization alone.', 'invalid_request'],
  constrained: [
    401,
    'This server verifies no DPoP proof: only tokens of the scheme Bearer count.',
    'invalid_token',
  ],
  malformed: [401, 'The token is malformed.', 'invalid_token'],
};

export class Refusals {
  readonly #options: RefusalsOptions;

  constructor(options: RefusalsOptions) {
    this.#options = options;
  }

  missingTokenRefusal({ kind, scheme }: { kind: NoToken; scheme?: Scheme }): HttpRefusal {
    const [status, words, error] = NO_TOKEN[kind];
    return this.#makeRefusal(status, words, error, scheme);
  }

  badTokenRefusal({ message, error }: TokenRefusal, scheme: Scheme): HttpRefusal {
    return this.#makeRefusal(401, message, error, scheme);
  }

  uncheckedTokenRefusal(): HttpRefusal {
    const words = 'Tokens can not be checked now. Try again later.';
    return new HttpRefusal(503, words, { 'retry-after': RETRY_SECONDS }, undefined, INTERNAL_ERROR);
  }

  scopeChallenge(scopes: readonly string[], { auth }: Pick<Caller, 'auth'>): string {
    const had = auth.scopes.filter((scope) => this.#options.known.includes(scope));
    const description = 'The token does not reach this far.';
    const scheme = auth.confirmation?.jkt === undefined ? 'Bearer' : 'DPoP';
    return this.#printChallenge(
      { error: 'insufficient_scope', description },
      [...new Set([...scopes, ...had])],
      scheme,
    );
  }

  /** The first challenge has the reason: clients read the first `error` and `scope` of the header. */
  #makeRefusal(status: number, words: string, error?: Challenge['error'], tried?: Scheme): HttpRefusal {
    const reason = error === undefined ? {} : { error, description: words };
    const { binding, first } = this.#options;
    const [head = 'Bearer', ...others] = challengeSchemes(binding, tried);
    const challenges = [
      this.#printChallenge(reason, first, head),
      ...others.map((scheme) => this.#printChallenge({}, [], scheme)),
    ];
    const headers = { 'www-authenticate': challenges.join(', ') };
    const offersDpop = head === 'DPoP' || others.length > 0;
    const needsNonce = error === 'use_dpop_nonce' || (offersDpop && binding?.needsNonce === true);
    return new HttpRefusal(
      status,
      words,
      needsNonce ? { ...headers, 'dpop-nonce': binding?.nonce } : headers,
    );
  }

  #printChallenge(reason: Reason, scopes: readonly string[], scheme: Scheme): string {
    const { metadata, binding } = this.#options;
    return writeChallenge({ ...reason, scopes, metadata, scheme, algorithms: binding?.algorithms });
  }
}

/** A client that sent its token by DPoP learns only of DPoP. */
function challengeSchemes(binding: TokenBinding | undefined, tried: Scheme | undefined): Scheme[] {
  if (binding?.algorithms === undefined) return ['Bearer'];
  return binding.isRequired || tried === 'DPoP' ? ['DPoP'] : ['Bearer', 'DPoP'];
}

/** A token, or the proof of its key, is not valid (RFC 6750, section 3.1). The message contains nothing of the token. */
export class TokenRefusal extends Error {
  override readonly name = 'TokenRefusal';
  /** The challenge's error code (RFC 6750, section 3.1; RFC 9449, section 7.1). */
  readonly error: 'invalid_token' | 'invalid_dpop_proof' | 'use_dpop_nonce';
  /** Logged once for each issuer, if the issuer or the server must be changed. */
  readonly fault: string | undefined;
  isSigned = false;

  constructor(message: string, fault?: string, error: TokenRefusal['error'] = 'invalid_token') {
    super(message);
    this.fault = fault;
    this.error = error;
  }
}

/** Tokens can't be checked now: their issuer can't be reached, or its answer can't be used. */
export class CheckFailure extends Error {
  override readonly name = 'CheckFailure';
  /** The check concerned this very token, so anyone can provoke it by made-up tokens, and it is counted. */
  readonly isOfToken: boolean;

  constructor(message: string, isOfToken = false) {
    super(message);
    this.isOfToken = isOfToken;
  }
}

/** `WWW-Authenticate` (RFC 6750, section 3; RFC 9449, section 7.1; RFC 9728, section 5.1). */
interface Challenge {
  scheme?: Scheme;
  algorithms?: readonly string[] | undefined;
  error?: 'invalid_request' | 'insufficient_scope' | TokenRefusal['error'];
  description?: string;
  scopes: readonly string[];
  metadata: string;
}

export function writeChallenge(challenge: Challenge): string {
  const { scheme = 'Bearer', algorithms, error, description, scopes, metadata } = challenge;
  const parameters = omitUndefined({
    error,
    error_description: description?.replace(/["\\]/g, "'"),
    scope: scopes.filter(isScopeToken).join(' ') || undefined,
    resource_metadata: metadata,
    algs: scheme === 'DPoP' ? algorithms?.join(' ') : undefined,
  });
  const parts = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  return `${scheme} ${parts.join(', ')}`;
}

/** Separate spare checks keep made-up tokens of one kind from using up those of the other. */
type TokenKind = 'jwt' | 'other';

/**
 * Limits the checks that end in a refusal, by address. Clients behind a proxy that is not named share an address, so
 * beyond the limit tokens are still checked, at a lower rate, and good ones are accepted.
 */
export class BadTokenLimit {
  readonly #limits: AuthLimits;
  readonly #now: () => number;
  readonly #warn: (words: string) => void;
  readonly #limiters: KeyedRateLimiters;
  readonly #spare: Record<TokenKind, KeyedRateLimiters>;
  readonly #beyond = new Map<string, { at: number; refused: number }>();
  #timer: NodeJS.Timeout | undefined;

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
   * A check counts while it runs, so that concurrent ones are limited too, and afterwards if it refuses the token, or
   * the issuer was asked in vain.
   * @throws {HttpRefusal} 429
   */
  async limitBadTokens<T>(address: string, check: () => Promise<T>, kind: TokenKind = 'other'): Promise<T> {
    const limiter = this.#limiters.limiterForClient(address);
    const isBeyond = limiter?.tryTake() === false;
    const spent = isBeyond ? this.#spare[kind].limiterForClient(address) : limiter;
    if (isBeyond && spent?.tryTake() === false) throw this.#makeTooManyRefusal(address, limiter?.waitSeconds);
    try {
      const found = await check();
      spent?.giveBackOne();
      return found;
    } catch (thrown) {
      if (!isBadToken(thrown)) spent?.giveBackOne();
      // The owner of a token that its issuer has signed must learn that another one is needed.
      else if (isBeyond && !(thrown instanceof TokenRefusal && thrown.isSigned))
        throw this.#makeTooManyRefusal(address, limiter?.waitSeconds);
      throw thrown;
    }
  }

  #makeTooManyRefusal(address: string, waitSeconds = 0): HttpRefusal {
    this.#noteAddressOverLimit(address);
    const seconds = Math.max(waitSeconds, 1);
    const { code, message } = limitReachedError('Too many tokens of your address were refused.', seconds);
    return new HttpRefusal(429, message, { 'retry-after': String(seconds) }, undefined, code);
  }

  #noteAddressOverLimit(address: string): void {
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
    this.#timer ??= setInterval(() => this.#reportCalm(), calmMs / 2).unref();
  }

  #reportCalm(): void {
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
