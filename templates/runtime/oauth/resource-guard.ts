/** Asks each HTTP request for a token, and says to those who have none where to get one. */
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { AuthInfo } from '../definition.ts';
import type { RequestId } from '../protocol/json-rpc.ts';
import { ScopeError } from '../protocol/scope-error.ts';
import { tokenRedactor } from '../redact.ts';
import { clientAddress } from '../transports/http/client-address.ts';
import type { Caller } from '../core/caller.ts';
import type { Guard, GuardOptions } from '../transports/http/guard.ts';
import { ScopeRefusal } from '../transports/http/scope-refusal.ts';
import type { AskIssuer } from './ask-issuer.ts';
import { BadTokenLimit } from './bad-token-limit.ts';
import { bearerOf } from './bearer.ts';
import type { CheckedCaller } from './checked-caller.ts';
import { CheckedTokens, type Finding } from './checked-tokens.ts';
import { documentsOf } from './documents.ts';
import { isJwt } from './jwt.ts';
import { keySetsOf } from './key-sets.ts';
import { AUTH_LIMITS, type AuthLimits } from './limits.ts';
import { metadataUrl, strayResource } from './metadata.ts';
import { PacedQuestions } from './paced-questions.ts';
import { subjectKey } from './on-behalf/caller-key.ts';
import { Refusals } from './refusals.ts';
import { firstScopes, offeredScopes } from './scopes/asked-for.ts';
import { grants } from './scopes/granted.ts';
import { together } from './scopes/needed.ts';
import type { AuthSettings } from './settings.ts';
import { CheckFailure, TokenRefusal } from './token-refusal.ts';
import { TokenWatch } from './token-watch.ts';
import { type VerifierOptions, verify } from './verifier.ts';

export interface ResourceGuardOptions extends Omit<GuardOptions, 'env'> {
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

  admit(request: IncomingMessage): Caller | Promise<Caller> {
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

  #admitAnew(request: IncomingMessage): Caller | Promise<Caller> {
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
