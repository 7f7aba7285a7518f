// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Admits requests by their token, and ends what a token opened when it counts no more. */
import { hash } from 'node:crypto';
import type { Caller, HttpExchange, Route } from '../../feature.ts';
import { INVALID_REQUEST, limitReached, RpcError } from '../../json-rpc.ts';
import type { Server } from '../../server.ts';
import type { Session } from '../../session.ts';
import { type AuthInfo, keepToken, redactToken, subjectOf } from './caller.ts';
import { createIntrospection, KeySet } from './issuer.ts';
import type { Scopes } from './scopes.ts';
import { AUTH_LIMITS, type AuthSettings } from './settings.ts';
import { CheckFailure, type CheckedToken, type Checks, checkToken, isJwt } from './token.ts';
import { type ReadConfirmation, refuseBound, TokenRefusal } from './token.ts';

declare module '../../feature.ts' {
  interface Caller {
    readonly auth?: AuthInfo;
  }
}

export type Scheme = 'Bearer' | 'DPoP';

/** A feature by which tokens count that are bound to a key, has it among the parts `tokens`. Undefined: it is off. */
export type OpenBinding = (server: Server) => Promise<TokenBinding | undefined>;

export interface TokenBinding {
  /** Algorithms of DPoP proofs. Undefined: none is verified. */
  readonly algorithms?: readonly string[] | undefined;
  /** Only tokens that are bound by DPoP are accepted. */
  readonly isRequired: boolean;
  /** Each proof needs a nonce of the server. */
  readonly needsNonce: boolean;
  /** The next one. */
  readonly nonce: string;
  /** Members of the metadata (RFC 9728, section 2). */
  readonly metadata: object;
  readonly readConfirmation: ReadConfirmation;
  /** @throws {TokenRefusal | CheckFailure} unless the request proves the keys that the token is bound to */
  verify(auth: AuthInfo, token: string, scheme: Scheme, exchange: HttpExchange): Promise<void>;
}

type GuardedCaller = Caller & CheckedToken;

/** RFC 6750, section 2.1; RFC 9449, section 7.1. */
const CREDENTIALS = /^(bearer|dpop) +([\w.~+/-]+=*) *$/i;
const WELL_KNOWN = '/.well-known/oauth-protected-resource';

export class Guard {
  readonly routes: Route[] = [];
  readonly #checks: Checks;
  readonly #scopes: Scopes;
  readonly #binding: TokenBinding | undefined;
  readonly #metadataUrl: string;
  readonly #now: () => number;
  readonly #report: (words: string) => void;
  readonly #good = new Map<string, GuardedCaller>();
  /** Apart from the good ones, which made-up tokens must not displace. */
  readonly #bad = new Map<string, { refusal: TokenRefusal; until: number }>();
  readonly #pending = new Map<string, Promise<GuardedCaller>>();
  readonly #refusals: PerMinute;
  /** A line that any caller can provoke is written once a minute. */
  readonly #reportedAt = new Map<string, number>();

  constructor(
    server: Server,
    parts: {
      settings: AuthSettings;
      scopes: Scopes;
      binding: TokenBinding | undefined;
      paths: readonly string[];
      now: () => number;
    },
  ) {
    const { settings, scopes, binding, paths, now } = parts;
    const { definition } = server;
    const { issuers, jwksUri, introspection, resource } = settings;
    this.#scopes = scopes;
    this.#now = now;
    this.#report = (words) => {
      if (now() - (this.#reportedAt.get(words) ?? -Infinity) < 60_000) return;
      setBounded(this.#reportedAt, words, now(), 100);
      server.report(words);
    };
    this.#binding = binding;
    this.#checks = {
      settings,
      keySets: new Map(issuers.map((issuer) => [issuer, new KeySet(issuer, jwksUri, now, this.#report)])),
      introspect: introspection && createIntrospection(introspection, now),
      verifyToken: definition.handlers?.verifyToken,
      readConfirmation: this.#binding?.readConfirmation ?? refuseBound,
      now,
      report: this.#report,
    };
    this.#refusals = new PerMinute(AUTH_LIMITS.refusalsPerMinute, now);
    const suffix = resource.pathname === '/' ? '' : resource.pathname;
    // The path of the resource comes last (RFC 9728, section 3.1).
    this.#metadataUrl = resource.origin + WELL_KNOWN + suffix;
    const { title = definition.info.name } = definition.info;
    const metadata = JSON.stringify({
      resource: suffix === '' ? resource.origin : resource.href,
      authorization_servers: issuers,
      scopes_supported: scopes.supported.length > 0 ? scopes.supported : undefined,
      bearer_methods_supported: ['header'],
      resource_name: title,
      ...this.#binding?.metadata,
    });
    const handle: Route['handle'] = ({ request, response }) => {
      if (!/^(?:GET|HEAD)$/.test(request.method ?? '')) {
        const headers = { allow: 'GET, HEAD, OPTIONS' };
        throw new RpcError(INVALID_REQUEST, 'Only GET is served here.', { status: 405, headers });
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(metadata);
    };
    // Clients make the path of the URL that they know, which a proxy may have changed.
    for (const ending of new Set(['', suffix, ...paths]))
      this.routes.push({ path: WELL_KNOWN + ending, handle, isOpen: true });
  }

  /** @throws {RpcError} with the challenge of the refusal */
  async admit(exchange: HttpExchange): Promise<Caller> {
    const { request, response } = exchange;
    const { url = '', headers } = request;
    const { authorization = '' } = headers;
    // Logs and histories would hold the token (RFC 6750, section 5.3).
    if (new URLSearchParams(url.split('?')[1]).has('access_token'))
      throw this.#refuse(400, 'A token is taken from the header Authorization alone.', 'invalid_request');
    const scheme = schemeOf(authorization);
    if (scheme === undefined) throw this.#refuse(401, 'A token is needed.');
    if (scheme === 'DPoP' && this.#binding?.algorithms === undefined)
      throw this.#refuse(
        401,
        'This server verifies no DPoP proof: only tokens of the scheme Bearer count.',
        'invalid_token',
      );
    const [, , token] = CREDENTIALS.exec(authorization) ?? [];
    if (token === undefined) throw this.#refuse(401, 'The token is malformed.', 'invalid_token', scheme);
    try {
      const caller = await this.#findCaller(token, exchange.client);
      await this.#binding?.verify(caller.auth, token, scheme, exchange);
      if (scheme === 'DPoP' && this.#binding?.needsNonce === true)
        response.setHeader('dpop-nonce', this.#binding.nonce);
      caller.require?.([]);
      return caller;
    } catch (thrown) {
      if (thrown instanceof TokenRefusal) throw this.#refuse(401, thrown.message, thrown.error, scheme);
      if (!(thrown instanceof CheckFailure)) throw thrown;
      this.#report(thrown.message);
      const retry = { 'retry-after': String(AUTH_LIMITS.failureMs / 1000) };
      const words = 'Tokens can not be checked now. Try again later.';
      throw new RpcError(-32603, words, { status: 503, headers: retry });
    }
  }

  // The cache: each token is checked once for requests at the same time.

  async #findCaller(token: string, address: string): Promise<GuardedCaller> {
    const digest = hash('sha256', token, 'base64');
    const good = this.#good.get(digest);
    if (good !== undefined && this.#now() < good.checkedUntil) return good;
    // A token that was good before is not delayed by made-up ones of its address.
    return this.#check(token, digest, good === undefined ? address : undefined);
  }

  #check(token: string, digest: string, address?: string): Promise<GuardedCaller> {
    const bad = this.#bad.get(digest);
    if (bad !== undefined && this.#now() < bad.until) return Promise.reject(bad.refusal);
    const pending = this.#pending.get(digest);
    if (pending !== undefined) return pending;
    const isAsked = this.#checks.verifyToken !== undefined || !isJwt(token);
    const run = (): Promise<CheckedToken> => checkToken(token, this.#checks);
    const checking = (address === undefined || !isAsked ? run() : this.#bounded(address, run))
      .then((checked) => this.#keep(token, digest, checked))
      .catch((thrown: unknown) => {
        if (thrown instanceof TokenRefusal) {
          this.#good.delete(digest);
          const refused = { refusal: thrown, until: this.#now() + AUTH_LIMITS.refusedMs };
          setBounded(this.#bad, digest, refused, AUTH_LIMITS.tokens);
        }
        throw thrown;
      })
      .finally(() => this.#pending.delete(digest));
    this.#pending.set(digest, checking);
    return checking;
  }

  #keep(token: string, digest: string, checked: CheckedToken): GuardedCaller {
    const { auth } = checked;
    keepToken(auth, token);
    const caller: GuardedCaller = {
      ...checked,
      subject: subjectOf(auth),
      redact: (text) => redactToken(text, token),
      require: (needs) => this.#requireScopes(auth, needs),
      watch: (end, session) => this.#watch(caller, () => this.#check(token, digest), end, session),
    };
    setBounded(this.#good, digest, caller, AUTH_LIMITS.tokens);
    return caller;
  }

  /**
   * Anyone can make tokens up, and the issuer or the project is asked about each: a check counts for its address while it runs, and
   * afterwards if it refuses the token. Clients behind a proxy that is not named share an address.
   */
  async #bounded<T>(address: string, check: () => Promise<T>): Promise<T> {
    if (!this.#refusals.take(address)) {
      this.#report(
        `More than ${AUTH_LIMITS.refusalsPerMinute} tokens a minute of ${address} were refused: new ones get 429. If this is a proxy, name it in MCP_TRUSTED_PROXIES.`,
      );
      throw limitReached('Too many tokens of your address were refused.', this.#refusals.seconds);
    }
    try {
      const checked = await check();
      this.#refusals.giveBack(address);
      return checked;
    } catch (thrown) {
      if (thrown instanceof CheckFailure) this.#refusals.giveBack(address);
      throw thrown;
    }
  }

  // Streams.

  #watch(
    caller: GuardedCaller,
    check: () => Promise<GuardedCaller>,
    end: () => void,
    session: Session | undefined,
  ): () => void {
    if (session !== undefined) this.#scopes.listen(session, caller, end);
    let checked = caller;
    let timer: NodeJS.Timeout;
    let isOver = false;
    const release = (): void => {
      isOver = true;
      clearTimeout(timer);
      if (session !== undefined) this.#scopes.forget(session, caller, end);
    };
    const stop = (): void => {
      release();
      end();
    };
    const wakeIn = (ms: number): void => {
      // Node's timers fire at once for a longer time.
      timer = setTimeout(() => void look(), Math.min(Math.max(ms, 0), 2_147_483_647)).unref();
    };
    const schedule = (): void => wakeIn(checked.checkedUntil - this.#now());
    const look = async (): Promise<void> => {
      if (this.#now() >= checked.endsAt) return stop();
      try {
        const again = await check();
        if (isOver) return;
        if (!grantsAsMuch(again.auth, caller.auth)) return stop();
        checked = again;
        schedule();
      } catch (thrown) {
        if (isOver) return;
        const isPassing = thrown instanceof CheckFailure && this.#now() < checked.endsAt;
        if (!isPassing || this.#now() - checked.checkedUntil >= AUTH_LIMITS.uncheckedMs) return stop();
        this.#report(thrown.message);
        wakeIn(AUTH_LIMITS.failureMs);
      }
    };
    schedule();
    return release;
  }

  // Refusals.

  #requireScopes(auth: AuthInfo, needs: readonly string[]): void {
    const missing = this.#scopes.missing(auth.scopes, needs);
    if (missing === undefined) return;
    const words = `The token does not reach this far: it takes the scopes ${missing.join(', ')}.`;
    // A new token should keep what the old one could do here.
    const oldScopes = auth.scopes.filter((scope) => this.#scopes.known.has(scope));
    const scheme = auth.confirmation?.jkt === undefined ? 'Bearer' : 'DPoP';
    const challenge = this.#challenge(scheme, [...new Set([...missing, ...oldScopes])], {
      error: 'insufficient_scope',
      error_description: 'The token does not reach this far.',
    });
    throw new RpcError(INVALID_REQUEST, words, {
      status: 403,
      headers: { 'www-authenticate': challenge },
      data: { requiredScopes: missing },
    });
  }

  /** The first challenge has the reason: clients read the first `error` and `scope` of the header. */
  #refuse(status: number, words: string, error?: string, tried?: Scheme): RpcError {
    const { algorithms, isRequired = false, needsNonce = false, nonce = '' } = this.#binding ?? {};
    const offered: Scheme[] = isRequired || tried === 'DPoP' ? ['DPoP'] : ['Bearer', 'DPoP'];
    const [head = 'Bearer', other] = algorithms === undefined ? [] : offered;
    const reason = error === undefined ? {} : { error, error_description: words };
    const challenges = [
      this.#challenge(head, this.#scopes.initial, reason),
      ...(other === undefined ? [] : [this.#challenge(other, [], {})]),
    ];
    const headers: Record<string, string> = { 'www-authenticate': challenges.join(', ') };
    const isAsked = error === 'use_dpop_nonce' || (needsNonce && algorithms !== undefined);
    if (isAsked) headers['dpop-nonce'] = nonce;
    return new RpcError(INVALID_REQUEST, words, { status, headers });
  }

  /** RFC 6750, section 3; RFC 9449, section 7.1; RFC 9728, section 5.1. */
  #challenge(scheme: Scheme, scopes: readonly string[], reason: Record<string, string>): string {
    const scope = scopes.filter(isScopeToken).join(' ');
    const parameters = {
      ...reason,
      ...(scope !== '' && { scope }),
      resource_metadata: this.#metadataUrl,
      ...(scheme === 'DPoP' && { algs: this.#binding?.algorithms?.join(' ') ?? '' }),
    };
    const parts = Object.entries(parameters).map(
      ([name, value]) => `${name}="${value.replace(/["\\]/g, "'")}"`,
    );
    return `${scheme} ${parts.join(', ')}`;
  }
}

/** RFC 6749, section 3.3. */
export const isScopeToken = (scope: string): boolean => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope);

function schemeOf(authorization: string): Scheme | undefined {
  const [name] = /^(?:bearer|dpop)\b/i.exec(authorization) ?? [];
  return name === undefined ? undefined : name.length === 4 ? 'DPoP' : 'Bearer';
}

/** A second introspection of one token may grant less. */
function grantsAsMuch(auth: AuthInfo, first: AuthInfo): boolean {
  const keysOf = ({ confirmation = {} }: AuthInfo): string =>
    JSON.stringify([confirmation.jkt, confirmation['x5t#S256']]);
  const isSame = subjectOf(auth) === subjectOf(first) && keysOf(auth) === keysOf(first);
  return isSame && first.scopes.every((scope) => auth.scopes.includes(scope));
}

function setBounded<V>(map: Map<string, V>, key: string, value: V, max: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}

/** Counts by address in buckets that empty evenly. */
class PerMinute {
  readonly #limit: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, { count: number; at: number }>();

  constructor(limit: number, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  get seconds(): number {
    return Math.max(1, Math.ceil(60 / this.#limit));
  }

  take(key: string): boolean {
    const count = this.#count(key);
    const isTaken = count + 1 <= this.#limit;
    setBounded(this.#buckets, key, { count: isTaken ? count + 1 : count, at: this.#now() }, 10_000);
    return isTaken;
  }

  giveBack(key: string): void {
    this.#buckets.set(key, { count: Math.max(0, this.#count(key) - 1), at: this.#now() });
  }

  #count(key: string): number {
    const { count, at } = this.#buckets.get(key) ?? { count: 0, at: 0 };
    return Math.max(0, count - ((this.#now() - at) * this.#limit) / 60_000);
  }
}
