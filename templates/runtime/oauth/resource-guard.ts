/** Asks each HTTP request for a token, and says to those who have none where to get one. */
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ScopeRefusal } from '../transports/http/http-answer.ts';
import type { Caller } from '../core/call.ts';
import type { AuthInfo } from '../definition.ts';
import type { RequestId } from '../protocol/json-rpc.ts';
import { ScopeError } from '../protocol/protocol-error.ts';
import { tokenRedactor } from '../redact.ts';
import { type Guard, type GuardOptions } from '../transports/http/guard.ts';
import { clientAddress } from '../transports/http/rate-limit-key.ts';
import { type AskIssuer, documentsOf, PacedQuestions } from './ask-issuer.ts';
import { BadTokenLimit } from './bad-token-limit.ts';
import { CheckedTokens, type Finding } from './checked-tokens.ts';
import { isJwt } from './jwt.ts';
import { keySetsOf } from './key-set.ts';
import { metadataUrl, strayResource } from './metadata.ts';
import { subjectKey } from './caller-token.ts';
import { CheckFailure, Refusals, TokenRefusal } from './refusals.ts';
import { firstScopes, grants, offeredScopes, together } from './scopes.ts';
import { AUTH_LIMITS, type AuthLimits, type AuthSettings } from './settings.ts';
import { TokenWatch } from './token-watch.ts';
import { type CheckedCaller, type VerifierOptions, verify } from './verifier.ts';

interface ResourceGuardOptions extends Omit<GuardOptions, 'env'> {
  settings: AuthSettings;
  ask: AskIssuer;
  /** Told of each token that was found good. Default: nobody is. */
  keep?: (auth: AuthInfo, token: string) => void;
  /** Default: as `limits.ts` says. */
  limits?: AuthLimits;
  /** Milliseconds since 1970. Default: now. */
  now?: () => number;
}

export class ResourceGuard implements Guard {
  readonly warning: string | undefined;
  readonly documents: Guard['documents'];
  readonly #options: ResourceGuardOptions;
  readonly #verifier: VerifierOptions;
  readonly #tokens: CheckedTokens<CheckedCaller>;
  readonly #bad: BadTokenLimit;
  readonly #refusals: Refusals;
  /** What each connection sent last: its next request mostly sends the same, and to compare is quicker than to digest. */
  readonly #last = new WeakMap<Socket, { authorization: string | undefined; digest: string }>();
  #reportedAt = -Infinity;

  constructor(options: ResourceGuardOptions) {
    const { settings, ask, report, verifyToken, limits = AUTH_LIMITS, now = Date.now } = options;
    this.#options = options;
    const keySets = keySetsOf(settings, ask, { limits, now, report });
    const questions = new PacedQuestions(ask, limits, now);
    this.#verifier = {
      settings,
      keySets,
      ask: questions.ask,
      verifyToken,
      limits,
      now,
      report,
      faultyIssuers: new Set(),
    };
    this.#tokens = new CheckedTokens({ most: limits.tokens, refusedMs: limits.refusedMs, now });
    this.#bad = new BadTokenLimit(limits, now, options.warn);
    const scopes = offeredScopes(options);
    const known = [...scopes, ...Object.keys(options.definition.implies ?? {})];
    const metadata = metadataUrl(settings.resource);
    this.#refusals = new Refusals({ metadata, known, first: firstScopes(options) });
    this.warning = strayResource(settings.resource, options.paths);
    this.documents = documentsOf({ ...options, scopes });
  }

  async admit(request: IncomingMessage): Promise<Caller> {
    const { socket, headers, url = '' } = request;
    const last = this.#last.get(socket);
    const isSame = last !== undefined && last.authorization === headers.authorization && !url.includes('?');
    return (isSame ? this.#tokens.known(last.digest) : undefined) ?? this.#admitAnew(request);
  }

  demand(scopes: readonly string[], caller: Caller, id?: RequestId): void {
    if (this.covers(scopes, caller)) return;
    const all = this.#withThoseOfAll(scopes);
    throw new ScopeRefusal(new ScopeError(all), this.lacking(all, caller), id);
  }

  covers(scopes: readonly string[], { auth }: Caller): boolean {
    return grants(auth.scopes, this.#withThoseOfAll(scopes), this.#options.definition.implies);
  }

  lacking(scopes: readonly string[], caller: Caller): string {
    return this.#refusals.lacking(scopes, caller);
  }

  #withThoseOfAll(scopes: readonly string[]): readonly string[] {
    return together(this.#options.definition.scopes, scopes);
  }

  async #admitAnew(request: IncomingMessage): Promise<Caller> {
    const bearer = bearerOf(request);
    if (bearer.kind !== 'token') throw this.#refusals.noToken(bearer.kind);
    const { token } = bearer;
    const digest = hash('sha256', token, 'base64');
    this.#last.set(request.socket, { authorization: request.headers.authorization, digest });
    return this.#tokens.known(digest) ?? this.#checked(token, digest, request);
  }

  async #checked(token: string, digest: string, request: IncomingMessage): Promise<Caller> {
    const address = clientAddress(request, this.#options.proxies);
    const check = async (): Promise<Finding<CheckedCaller>> => this.#check(token, digest);
    // One that was good is no made-up one: whoever else sends those from its address does not keep it waiting.
    const bounded = this.#tokens.wasGood(digest)
      ? check
      : async () => this.#bad.run(address, check, isJwt(token) ? 'jwt' : 'other');
    try {
      return await this.#tokens.get(digest, bounded);
    } catch (thrown) {
      if (thrown instanceof TokenRefusal) throw this.#refusals.badToken(thrown);
      if (!(thrown instanceof CheckFailure)) throw thrown;
      this.#reportRarely(thrown);
      throw this.#refusals.unchecked();
    }
  }

  async #check(token: string, digest: string): Promise<Finding<CheckedCaller>> {
    const { auth, endsAt, until, isKept } = await verify(token, this.#verifier);
    this.#options.keep?.(auth, token);
    const caller: CheckedCaller = {
      auth,
      subject: subjectKey(auth),
      withoutToken: tokenRedactor(token),
      untilRefused: (end) => this.#watch(caller, { token, digest, end }),
      endsAt,
      checkedUntil: until,
    };
    return { value: caller, until: isKept ? until : 0 };
  }

  #watch(
    caller: CheckedCaller,
    { token, digest, end }: { token: string; digest: string; end: (why: string) => void },
  ): () => void {
    const { limits, now, report } = this.#verifier;
    const look = async (): Promise<CheckedCaller> => {
      try {
        return await this.#tokens.get(digest, async () => this.#check(token, digest));
      } catch (thrown) {
        if (thrown instanceof CheckFailure) this.#reportRarely(thrown);
        throw thrown;
      }
    };
    const watch = new TokenWatch(caller, { look, limits, now, report, end });
    return () => watch.stop();
  }

  /** Every request would say the same. */
  #reportRarely(failure: CheckFailure): void {
    const { now, limits, report } = this.#verifier;
    if (now() - this.#reportedAt < limits.cooldownMs) return;
    this.#reportedAt = now();
    report(failure);
  }
}

/** The token of a request: in the header `Authorization`, and nowhere else (MCP, "Access Token Usage"). */
export type Bearer =
  | { kind: 'token'; token: string }
  | { kind: 'none' }
  /** One was sent, in a way that is refused whatever it is worth. */
  | { kind: 'misplaced' }
  /** By the scheme of tokens that are bound to a key (RFC 9449, section 7.1). */
  | { kind: 'constrained' }
  | { kind: 'malformed' };

/** RFC 6750, section 2.1. Schemes know no case (RFC 9110, section 11.1). */
const BEARER = /^bearer +([\w.~+/-]+=*) *$/i;

function bearerOf({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): Bearer {
  // It would stand in logs and histories (RFC 6750, section 5.3).
  if (hasQueryToken(url)) return { kind: 'misplaced' };
  const { authorization } = headers;
  if (authorization === undefined) return { kind: 'none' };
  const token = BEARER.exec(authorization)?.[1];
  if (token !== undefined) return { kind: 'token', token };
  if (/^dpop\b/i.test(authorization)) return { kind: 'constrained' };
  return { kind: /^bearer\b/i.test(authorization) ? 'malformed' : 'none' };
}

function hasQueryToken(url: string): boolean {
  const query = url.indexOf('?');
  return query !== -1 && new URLSearchParams(url.slice(query)).has('access_token');
}
