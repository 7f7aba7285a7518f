// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Refusals of requests without a sufficient token: the reason, and the token to request. */
import { isScopeToken } from '../contract/token-syntax.ts';
import type { Caller } from '../core/call.ts';
import { INTERNAL_ERROR } from '../protocol/protocol-error.ts';
import { HttpRefusal } from '../transports/http/http-answer.ts';
import type { Bearer } from './resource-guard.ts';
import { RETRY_SECONDS } from './settings.ts';

interface RefusalsOptions {
  /** The URL of this server's metadata. */
  metadata: string;
  /** The scopes that a client can request, and those that imply others: a new token should keep them. */
  known: readonly string[];
  /** The scopes of a first token. */
  first: readonly string[];
}

type Reason = Pick<Challenge, 'error' | 'description'>;

const NO_TOKEN: Record<
  Exclude<Bearer['kind'], 'token'>,
  [status: number, words: string, error?: Challenge['error']]
> = {
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

  noToken(kind: Exclude<Bearer['kind'], 'token'>): HttpRefusal {
    const [status, words, error] = NO_TOKEN[kind];
    return this.#challenge(status, words, error);
  }

  badToken({ message }: TokenRefusal): HttpRefusal {
    return this.#challenge(401, message, 'invalid_token');
  }

  unchecked(): HttpRefusal {
    const words = 'Tokens can not be checked now. Try again later.';
    return new HttpRefusal(503, words, { 'retry-after': RETRY_SECONDS }, undefined, INTERNAL_ERROR);
  }

  /** `WWW-Authenticate` for a caller that lacks some of `scopes`, which are all that the request needs. */
  lacking(scopes: readonly string[], { auth }: Pick<Caller, 'auth'>): string {
    // The new token should have the scopes of the old one too, or it would be refused elsewhere.
    const had = auth.scopes.filter((scope) => this.#options.known.includes(scope));
    const description = 'The token does not reach this far.';
    return this.#write({ error: 'insufficient_scope', description }, [...new Set([...scopes, ...had])]);
  }

  #challenge(status: number, words: string, error?: Challenge['error']): HttpRefusal {
    const reason = error === undefined ? {} : { error, description: words };
    return new HttpRefusal(status, words, {
      'www-authenticate': this.#write(reason, this.#options.first),
    });
  }

  #write(reason: Reason, scopes: readonly string[]): string {
    return writeChallenge({ ...reason, scopes, metadata: this.#options.metadata });
  }
}

/** A token is not valid (RFC 6750, section 3.1: `invalid_token`). The message contains nothing of the token. */
export class TokenRefusal extends Error {
  override readonly name = 'TokenRefusal';
  /** The reason for the log, once for each issuer, if the issuer or the server must be changed. */
  readonly fault: string | undefined;
  /** The issuer has signed the token, so nobody made it up. */
  isSigned = false;

  constructor(message: string, fault?: string) {
    super(message);
    this.fault = fault;
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

/** `WWW-Authenticate` (RFC 6750, section 3; RFC 9728, section 5.1). */
interface Challenge {
  error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope';
  description?: string;
  scopes: readonly string[];
  metadata: string;
}

export function writeChallenge({ error, description, scopes, metadata }: Challenge): string {
  const words = scopes.filter(isScopeToken).join(' ');
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(description === undefined ? [] : [`error_description="${description.replace(/["\\]/g, "'")}"`]),
    ...(words === '' ? [] : [`scope="${words}"`]),
    `resource_metadata="${metadata}"`,
  ];
  return `Bearer ${parts.join(', ')}`;
}
