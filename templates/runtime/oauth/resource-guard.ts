// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Checks the token of each HTTP request; a refusal says where to get one. */
import { hash } from 'node:crypto';
import { ScopeRefusal } from '../transports/http/http-answer.ts';

import type { AuthInfo } from '../definition.ts';
import { type RequestId, ScopeError } from '../protocol/json-rpc.ts';
import type { Caller, Guard, GuardOptions, HttpRequest, HttpResponse } from '../feature-loaders.ts';
import { clientAddress } from '../transports/http/client-limits.ts';
import {
  type AskIssuer,
  describeResourceMismatch,
  createMetadataDocuments,
  resourceMetadataUrl,
  limitIntrospections,
} from './ask-issuer.ts';
import type { TokenBinding } from './claims.ts';
import { BadTokenLimit, CheckFailure, Refusals, type Sent, TokenRefusal } from './refusals.ts';
import { CheckedTokens, type Finding, subjectKey, tokenRedactor, watchToken } from './checked-tokens.ts';
import { createKeySets, isJwt } from './jwt.ts';
import { listInitialScopes, grantsScopes, listSupportedScopes, joinScopes } from './scopes.ts';
import { AUTH_LIMITS, type AuthLimits, type AuthSettings } from './settings.ts';
import { type CheckedCaller, type VerifierOptions, verifyAccessToken } from './verifier.ts';

interface ResourceGuardOptions extends Omit<GuardOptions, 'env' | 'shared'> {
  settings: AuthSettings;
  ask: AskIssuer;
  keep?: (auth: AuthInfo, token: string) => void;
  /** Default: tokens that are bound to a key are refused. */
  binding?: TokenBinding | undefined;
  limits?: AuthLimits;
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
  /** A connection's next request mostly has the same token, and a comparison is faster than a digest. */
  readonly #last = new WeakMap<object, { authorization: string | undefined; digest: string }>();
  #reportedAt = -Infinity;

  constructor(options: ResourceGuardOptions) {
    const { settings, ask, report, verifyToken, binding, limits = AUTH_LIMITS, now = Date.now } = options;
    this.#options = options;
    const keySets = createKeySets(settings, ask, { limits, now, report });
    this.#verifier = {
      settings,
      keySets,
      ask: limitIntrospections(ask, limits, now),
      verifyToken,
      readConfirmation: binding && ((claims) => binding.readConfirmation(claims)),
      limits,
      now,
      report,
      faultyIssuers: new Set(),
    };
    this.#tokens = new CheckedTokens({ most: limits.tokens, refusedMs: limits.refusedMs, now });
    this.#bad = new BadTokenLimit(limits, now, options.warn);
    const scopes = listSupportedScopes(options);
    const known = [...scopes, ...Object.keys(options.definition.implies ?? {})];
    const metadata = resourceMetadataUrl(settings.resource);
    this.#refusals = new Refusals({ metadata, binding, known, first: listInitialScopes(options) });
    this.warning = describeResourceMismatch(settings.resource, options.paths);
    this.documents = createMetadataDocuments({ ...options, scopes, members: binding?.metadata });
  }

  async admitRequest(request: HttpRequest, response?: Pick<HttpResponse, 'setHeader'>): Promise<Caller> {
    const { socket, headers, url = '' } = request;
    const last = this.#last.get(socket);
    const isSame = last !== undefined && last.authorization === headers.authorization && !url.includes('?');
    const known = isSame ? this.#tokens.findGood(last.digest) : undefined;
    // A token that is bound to a key needs a proof in each request.
    if (known !== undefined && known.auth.confirmation === undefined) return known;
    return this.#checkAndAdmit(request, response);
  }

  demandScopes(scopes: readonly string[], caller: Caller, id?: RequestId): void {
    if (this.coversScopes(scopes, caller)) return;
    const all = this.#withCommonScopes(scopes);
    throw new ScopeRefusal(new ScopeError(all), this.scopeChallenge(all, caller), id);
  }

  coversScopes(scopes: readonly string[], { auth }: Caller): boolean {
    return grantsScopes(auth.scopes, this.#withCommonScopes(scopes), this.#options.definition.implies);
  }

  scopeChallenge(scopes: readonly string[], caller: Caller): string {
    return this.#refusals.scopeChallenge(scopes, caller);
  }

  #withCommonScopes(scopes: readonly string[]): readonly string[] {
    return joinScopes(this.#options.definition.scopes, scopes);
  }

  async #checkAndAdmit(
    request: HttpRequest,
    response: Pick<HttpResponse, 'setHeader'> | undefined,
  ): Promise<Caller> {
    const { binding } = this.#options;
    const sent = readToken(request, binding?.algorithms !== undefined);
    if (sent.kind !== 'token') throw this.#refusals.missingTokenRefusal(sent);
    const { token, scheme } = sent;
    const digest = hash('sha256', token, 'base64');
    try {
      const caller = this.#tokens.findGood(digest) ?? (await this.#findCaller(token, digest, request));
      await binding?.verifyBinding(caller, sent, request);
      if (scheme === 'DPoP' && binding?.needsNonce === true) response?.setHeader('dpop-nonce', binding.nonce);
      if (scheme === 'Bearer')
        this.#last.set(request.socket, { authorization: request.headers.authorization, digest });
      return caller;
    } catch (thrown) {
      if (thrown instanceof TokenRefusal) throw this.#refusals.badTokenRefusal(thrown, scheme);
      if (!(thrown instanceof CheckFailure)) throw thrown;
      this.#reportRarely(thrown);
      throw this.#refusals.uncheckedTokenRefusal();
    }
  }

  async #findCaller(token: string, digest: string, request: HttpRequest): Promise<Caller> {
    const address = clientAddress(request, this.#options.proxies);
    const checkSentToken = async (): Promise<Finding<CheckedCaller>> => this.#checkToken(token, digest);
    // Made-up tokens of the same address don't delay a token that was good.
    const bounded = this.#tokens.wasGood(digest)
      ? checkSentToken
      : async () => this.#bad.limitBadTokens(address, checkSentToken, isJwt(token) ? 'jwt' : 'other');
    return this.#tokens.checkOnce(digest, bounded);
  }

  async #checkToken(token: string, digest: string): Promise<Finding<CheckedCaller>> {
    const { isKept, ...verified } = await verifyAccessToken(token, this.#verifier);
    this.#options.keep?.(verified.auth, token);
    const caller: CheckedCaller = {
      ...verified,
      subject: subjectKey(verified.auth),
      withoutToken: tokenRedactor(token),
      untilRefused: (end) => this.#watchToken(caller, token, digest, end),
    };
    return { value: caller, until: isKept ? caller.checkedUntil : 0 };
  }

  #watchToken(caller: CheckedCaller, token: string, digest: string, end: (why: string) => void): () => void {
    const { limits, now, report } = this.#verifier;
    const checkCurrentToken = async (): Promise<CheckedCaller> => {
      try {
        return await this.#tokens.checkOnce(digest, async () => this.#checkToken(token, digest));
      } catch (thrown) {
        if (thrown instanceof CheckFailure) this.#reportRarely(thrown);
        throw thrown;
      }
    };
    return watchToken(caller, { look: checkCurrentToken, limits, now, report, end });
  }

  #reportRarely(failure: CheckFailure): void {
    const { now, limits, report } = this.#verifier;
    if (now() - this.#reportedAt < limits.cooldownMs) return;
    this.#reportedAt = now();
    report(failure);
  }
}

/** RFC 6750, section 2.1; RFC 9449, section 7.1. Schemes are case-insensitive (RFC 9110, section 11.1). */
const CREDENTIALS = /^(bearer|dpop) +([\w.~+/-]+=*) *$/i;

function readToken(
  { headers, url = '' }: Pick<HttpRequest, 'headers' | 'url'>,
  verifiesProofs: boolean,
): Sent {
  // Logs and histories would contain the token (RFC 6750, section 5.3).
  if (hasQueryToken(url)) return { kind: 'misplaced' };
  const { authorization } = headers;
  if (authorization === undefined) return { kind: 'none' };
  const [name] = /^(?:bearer|dpop)\b/i.exec(authorization) ?? [];
  if (name === undefined) return { kind: 'none' };
  const scheme = name.length === 4 ? 'DPoP' : 'Bearer';
  if (scheme === 'DPoP' && !verifiesProofs) return { kind: 'constrained' };
  const token = CREDENTIALS.exec(authorization)?.[2];
  return token === undefined ? { kind: 'malformed', scheme } : { kind: 'token', token, scheme };
}

function hasQueryToken(url: string): boolean {
  const query = url.indexOf('?');
  return query !== -1 && new URLSearchParams(url.slice(query)).has('access_token');
}
