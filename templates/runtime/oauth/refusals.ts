/** What a request without a token that reaches far enough is answered by: why, and which token to come back with. */
import { isScopeToken } from '../contract/token-syntax.ts';
import type { Caller } from '../core/call.ts';
import { INTERNAL_ERROR } from '../protocol/protocol-error.ts';
import { HttpRefusal } from '../transports/http/http-answer.ts';
import type { Bearer } from './resource-guard.ts';
import { RETRY_SECONDS } from './settings.ts';

interface RefusalsOptions {
  /** Where the metadata of this server are. */
  metadata: string;
  /** Those that a client can ask for, and those that stand for others: a token that has some is to keep them. */
  known: readonly string[];
  /** Those that a client should ask for who has no token. */
  first: readonly string[];
}

type Reason = Pick<Challenge, 'error' | 'description'>;

export class Refusals {
  readonly #options: RefusalsOptions;

  constructor(options: RefusalsOptions) {
    this.#options = options;
  }

  /** Of a request that brings none, or none that can be read. */
  noToken(kind: Exclude<Bearer['kind'], 'token'>): HttpRefusal {
    switch (kind) {
      case 'none':
        return this.#challenge(401, 'A token is needed.');
      case 'misplaced':
        return this.#challenge(
          400,
          'A token is taken from the header Authorization alone.',
          'invalid_request',
        );
      case 'constrained':
        return this.#challenge(
          401,
          'This server verifies no DPoP proof: only tokens of the scheme Bearer count.',
          'invalid_token',
        );
      case 'malformed':
        return this.#challenge(401, 'The token is malformed.', 'invalid_token');
    }
  }

  badToken({ message }: TokenRefusal): HttpRefusal {
    return this.#challenge(401, message, 'invalid_token');
  }

  /** Nobody can say now. */
  unchecked(): HttpRefusal {
    const words = 'Tokens can not be checked now. Try again later.';
    return new HttpRefusal(503, words, { 'retry-after': RETRY_SECONDS }, undefined, INTERNAL_ERROR);
  }

  /** `WWW-Authenticate` for a caller that lacks some of `scopes`, which are all that the request needs. */
  lacking(scopes: readonly string[], { auth }: Pick<Caller, 'auth'>): string {
    // Those that it had are asked for again: a token that took its place without them would be refused elsewhere.
    const had = auth.scopes.filter((scope) => this.#options.known.includes(scope));
    const description = 'The token does not reach this far.';
    return this.#written({ error: 'insufficient_scope', description }, [...new Set([...scopes, ...had])]);
  }

  #challenge(status: number, words: string, error?: Challenge['error']): HttpRefusal {
    const reason = error === undefined ? {} : { error, description: words };
    return new HttpRefusal(status, words, {
      'www-authenticate': this.#written(reason, this.#options.first),
    });
  }

  #written(reason: Reason, scopes: readonly string[]): string {
    return writeChallenge({ ...reason, scopes, metadata: this.#options.metadata });
  }
}

/** Why a token does not count (RFC 6750, section 3.1: `invalid_token`). The words are ours, and hold nothing of the token. */
export class TokenRefusal extends Error {
  override readonly name = 'TokenRefusal';
  /** For the log, where the issuer or the server must be changed: why its tokens are refused. It is told once of each issuer. */
  readonly fault: string | undefined;
  /** Its issuer has signed it: nobody else can have made it up. */
  isSigned = false;

  constructor(message: string, fault?: string) {
    super(message);
    this.fault = fault;
  }
}

/** Tokens can't be checked now, whatever they are worth: whoever issues them can't be reached, or says what nobody can use. */
export class CheckFailure extends Error {
  override readonly name = 'CheckFailure';
  /** Somebody was asked about this very token: what anyone can bring about by made-up ones, and so is counted. */
  readonly isOfToken: boolean;

  constructor(message: string, isOfToken = false) {
    super(message);
    this.isOfToken = isOfToken;
  }
}

/** `WWW-Authenticate` (RFC 6750, section 3; RFC 9728, section 5.1): why a request is refused, and how to come back. */
interface Challenge {
  error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope';
  description?: string;
  scopes: readonly string[];
  /** Where the metadata of this server are. */
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
