/** Asks each HTTP request for a token, and says to those who have none where to get one. */
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { AuthInfo } from '../definition.ts';
import { grants } from './scopes/granted.ts';
import { INTERNAL_ERROR } from '../protocol/protocol-error.ts';
import type { Caller, Guard, GuardOptions, OpenDocument } from '../transports/http/guard.ts';
import { HttpRefusal } from '../transports/http/http-refusal.ts';
import { redactor } from '../upstream/redact.ts';
import type { AskIssuer } from './ask-issuer.ts';
import { bearerOf } from './bearer.ts';
import { type Challenge, writeChallenge } from './challenge.ts';
import { discoverIssuer } from './issuer-metadata.ts';
import { KeySet } from './key-set.ts';
import { AUTH_LIMITS, type AuthLimits } from './limits.ts';
import { describeResource, metadataPaths, metadataUrl, pointerPaths } from './metadata.ts';
import type { AuthSettings } from './settings.ts';
import { CheckFailure, TokenRefusal } from './token-refusal.ts';
import { VerifiedTokens } from './verified-tokens.ts';
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

/** Seconds after which issuers that could not be reached may be there again. */
const RETRY_SECONDS = '5';

export class ResourceGuard implements Guard {
  readonly documents: Guard['documents'];
  readonly #options: ResourceGuardOptions;
  readonly #verifier: VerifierOptions;
  readonly #known: VerifiedTokens<Caller>;
  readonly #metadata: string;
  /** What each connection sent last: its next request mostly sends the same, and to compare is quicker than to digest. */
  readonly #last = new WeakMap<Socket, { authorization: string | undefined; digest: string }>();
  #reportedAt = -Infinity;

  constructor(options: ResourceGuardOptions) {
    const { settings, ask, report, verifyToken, limits = AUTH_LIMITS, now = Date.now } = options;
    this.#options = options;
    const keySets = keySetsOf(settings, ask, { limits, now, report });
    this.#verifier = { settings, keySets, ask, verifyToken, limits, now, report };
    this.#known = new VerifiedTokens(limits.tokens, now);
    this.#metadata = metadataUrl(settings.resource);
    this.documents = documentsOf(options);
  }

  admit(request: IncomingMessage): Caller | Promise<Caller> {
    const { socket, headers, url = '' } = request;
    const last = this.#last.get(socket);
    const isSame = last !== undefined && last.authorization === headers.authorization && !url.includes('?');
    const caller = isSame ? this.#known.known(last.digest) : undefined;
    return caller === undefined ? this.#admitAnew(request) : this.#reaching(caller);
  }

  #admitAnew(request: IncomingMessage): Caller | Promise<Caller> {
    const bearer = bearerOf(request);
    if (bearer.kind === 'none') throw this.#refusal(401, 'A token is needed.', {});
    if (bearer.kind === 'misplaced')
      throw this.#refusal(400, 'A token is taken from the header Authorization alone.', {
        error: 'invalid_request',
      });
    if (bearer.kind === 'malformed')
      throw this.#refusal(401, 'The token is malformed.', { error: 'invalid_token' });
    const { token } = bearer;
    const digest = hash('sha256', token, 'base64');
    this.#last.set(request.socket, { authorization: request.headers.authorization, digest });
    const caller = this.#known.get(digest, async () => this.#check(token));
    if (!(caller instanceof Promise)) return this.#reaching(caller);
    return caller.then(
      (known) => this.#reaching(known),
      (thrown: unknown) => {
        throw this.#refusalOf(thrown);
      },
    );
  }

  lacking(scopes: readonly string[], caller: Caller): string {
    const words = 'The token does not reach this far.';
    return this.#challenge(this.#withGranted(scopes, caller), words, { error: 'insufficient_scope' });
  }

  async #check(token: string): Promise<{ value: Caller; until: number }> {
    const { auth, until } = await verify(token, this.#verifier);
    this.#options.keep?.(auth, token);
    const subject = JSON.stringify([auth.issuer, auth.subject]);
    return { value: { auth, subject, withoutToken: redactor([token]) }, until };
  }

  /** With the scopes that every request needs. */
  #reaching(caller: Caller): Caller {
    const { scopes = [], implies } = this.#options.definition;
    if (grants(caller.auth.scopes, scopes, implies)) return caller;
    throw new HttpRefusal(403, 'The token does not reach this far.', {
      'www-authenticate': this.lacking(scopes, caller),
    });
  }

  /** Those that it had are asked for again: a token that took its place without them would be refused elsewhere. */
  #withGranted(scopes: readonly string[], { auth }: Caller): string[] {
    const ours = auth.scopes.filter((scope) => this.#options.scopes.includes(scope));
    return [...new Set([...scopes, ...ours])];
  }

  #refusalOf(thrown: unknown): unknown {
    if (thrown instanceof TokenRefusal) return this.#refusal(401, thrown.message, { error: 'invalid_token' });
    if (!(thrown instanceof CheckFailure)) return thrown;
    this.#reportRarely(thrown);
    const words = 'Tokens can not be checked now. Try again later.';
    return new HttpRefusal(503, words, { 'retry-after': RETRY_SECONDS }, undefined, INTERNAL_ERROR);
  }

  /** Every request would say the same. */
  #reportRarely(failure: CheckFailure): void {
    const { now, limits, report } = this.#verifier;
    if (now() - this.#reportedAt < limits.cooldownMs) return;
    this.#reportedAt = now();
    report(failure);
  }

  #refusal(status: number, words: string, { error }: Pick<Challenge, 'error'>): HttpRefusal {
    const { scopes = [] } = this.#options.definition;
    const challenge = this.#challenge(scopes, error === undefined ? undefined : words, { error });
    return new HttpRefusal(status, words, { 'www-authenticate': challenge });
  }

  #challenge(
    scopes: readonly string[],
    description: string | undefined,
    { error }: { error: Challenge['error'] | undefined },
  ): string {
    return writeChallenge({
      ...(error === undefined ? {} : { error }),
      ...(description === undefined ? {} : { description }),
      scopes,
      metadata: this.#metadata,
    });
  }
}

function keySetsOf(
  { issuers, jwksUri }: AuthSettings,
  ask: AskIssuer,
  options: Pick<VerifierOptions, 'limits' | 'now' | 'report'>,
): Map<string, KeySet> {
  const fetch = async (issuer: string): Promise<Record<string, unknown>> => {
    const url = jwksUri ?? (await discoverIssuer(issuer, ask)).jwksUri;
    if (url === undefined) throw new CheckFailure(`The issuer ${issuer} names no keys (jwks_uri).`);
    const { status, json } = await ask(url);
    if (status === 200 && json !== undefined) return json;
    throw new CheckFailure(`The keys at ${url.href} were answered by ${status}.`);
  };
  return new Map(issuers.map((issuer) => [issuer, new KeySet({ ...options, fetch: () => fetch(issuer) })]));
}

function documentsOf({
  settings,
  scopes,
  info,
  paths,
  definition,
  ask,
}: ResourceGuardOptions): Guard['documents'] {
  const described = describeResource(settings, [...(definition.scopes ?? []), ...scopes], info);
  const documents = new Map<string, () => OpenDocument | Promise<OpenDocument>>(
    metadataPaths(settings.resource, paths).map((path) => [path, () => described]),
  );
  if (settings.pointer)
    for (const path of pointerPaths(settings.resource, paths))
      documents.set(path, async () => pointTo(settings.issuers[0] ?? '', ask));
  return documents;
}

/** To where the issuer says it itself: a copy of ours could be out of date. */
async function pointTo(issuer: string, ask: AskIssuer): Promise<OpenDocument> {
  try {
    const { url } = await discoverIssuer(issuer, ask);
    return { status: 302, headers: { location: url.href }, body: '' };
  } catch (thrown) {
    if (!(thrown instanceof CheckFailure)) throw thrown;
    return { status: 503, headers: { 'retry-after': RETRY_SECONDS }, body: '' };
  }
}
