// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What issuers say: where their metadata and keys are, their keys, and whether a token is valid. */
import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { askIssuer, IssuerError, parseSecureUrl, placeOf } from '../issuer-client.ts';
import type { Claims } from './caller.ts';
import { AUTH_LIMITS, type AuthSettings } from './settings.ts';
import { CheckFailure, TokenRefusal } from './token.ts';

interface Metadata {
  url: URL;
  json: Readonly<Record<string, unknown>>;
}

/** In the order of clients (MCP 2025-11-25, "Authorization Server Metadata Discovery"). */
function listPlaces(issuer: string): URL[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(places)].map((place) => new URL(place));
}

/** Metadata of another spelling of the issuer could be anyone's (RFC 8414, section 3.3). @throws {IssuerError} */
export async function discover(issuer: string): Promise<Metadata> {
  for (const url of listPlaces(issuer)) {
    const { status, json } = await askIssuer(url);
    if (status !== 200 || json === undefined) continue;
    if (json['issuer'] === issuer) return { url, json };
    throw new IssuerError(
      `${url.href} is not of the issuer ${issuer}: MCP_AUTH_ISSUER must be written as it is there.`,
    );
  }
  throw new IssuerError(
    `The issuer ${issuer} says nowhere where its keys are. Check MCP_AUTH_ISSUER, or set MCP_AUTH_JWKS_URI.`,
  );
}

async function fetchKeys(issuer: string, jwksUri: URL | undefined): Promise<JSONWebKeySet> {
  let [url, namedBy] = [jwksUri, undefined as URL | undefined];
  if (url === undefined) {
    const metadata = await discover(issuer);
    const { jwks_uri: uri } = metadata.json;
    namedBy = metadata.url;
    url = parseSecureUrl(uri);
    if (uri === undefined) throw new IssuerError(`The issuer ${issuer} names no keys (jwks_uri).`);
    if (url === undefined) throw new IssuerError(`${namedBy.href} has a jwks_uri that is no https URL.`);
  }
  const { status, json } = await askIssuer(url, { namedBy });
  if (status !== 200 || json === undefined)
    throw new IssuerError(`The keys at ${placeOf(url)} were answered by ${status}.`);
  return { ...json, keys: Array.isArray(json['keys']) ? (json['keys'] as JSONWebKeySet['keys']) : [] };
}

export class KeySet {
  readonly #fetch: () => Promise<JSONWebKeySet>;
  readonly #now: () => number;
  readonly #report: (words: string) => void;
  #keys: ReturnType<typeof createLocalJWKSet> | undefined;
  #fetchedAt = -Infinity;
  #failedAt = -Infinity;
  #fetching: Promise<void> | undefined;

  constructor(issuer: string, jwksUri: URL | undefined, now: () => number, report: (words: string) => void) {
    this.#fetch = () => fetchKeys(issuer, jwksUri);
    this.#now = now;
    this.#report = report;
  }

  /** `until`: then what they verified is checked again, since a key may have been withdrawn. @throws {CheckFailure} */
  async keys() {
    const { keysMs, staleKeysMs, failureMs } = AUTH_LIMITS;
    if (this.#now() - this.#fetchedAt >= keysMs) await this.#fetchUnlessFailed();
    const now = this.#now();
    const oldAt = this.#fetchedAt + keysMs;
    if (this.#keys === undefined || now >= oldAt + staleKeysMs)
      throw new CheckFailure('The keys of the issuer can not be had.');
    return { keys: this.#keys, until: now < oldAt ? oldAt : now + failureMs };
  }

  /** For a key that is not known. False if they were fetched a moment ago. @throws {CheckFailure} */
  async renew(): Promise<boolean> {
    if (this.#now() - this.#fetchedAt < AUTH_LIMITS.cooldownMs) return false;
    if (await this.#fetchUnlessFailed()) return true;
    throw new CheckFailure('A key that is not known can not be looked for.');
  }

  async #fetchUnlessFailed(): Promise<boolean> {
    if (this.#now() - this.#failedAt < AUTH_LIMITS.failureMs) return false;
    this.#fetching ??= this.#fetchOnce().finally(() => (this.#fetching = undefined));
    await this.#fetching;
    return this.#failedAt < this.#fetchedAt;
  }

  async #fetchOnce(): Promise<void> {
    try {
      this.#keys = createLocalJWKSet(await this.#fetch());
      this.#fetchedAt = this.#now();
      this.#failedAt = -Infinity;
    } catch (thrown) {
      this.#failedAt = this.#now();
      this.#report(thrown instanceof IssuerError ? thrown.message : 'The issuer sends no set of keys.');
    }
  }
}

/** What the issuer answers about a token (RFC 7662, section 2.2). @throws {TokenRefusal | CheckFailure} */
export type Introspect = (token: string) => Promise<Claims>;

/** Errors that mean the server and not the token (RFC 6749, section 5.2). */
const ABOUT_SERVER: readonly unknown[] = ['invalid_client', 'unauthorized_client', 'access_denied'];

/** Anyone can make tokens up, so none is asked about for a moment after a failure. */
export function createIntrospection(
  { url, ...client }: NonNullable<AuthSettings['introspection']>,
  now: () => number,
): Introspect {
  const { failuresInARow, failureMs } = AUTH_LIMITS;
  let failures = 0;
  let failedAt = -Infinity;
  return async (token) => {
    if (now() - failedAt < failureMs)
      throw new CheckFailure(`${placeOf(url)} failed a moment ago, and is not asked.`);
    const form: [string, string][] = [
      ['token', token],
      ['token_type_hint', 'access_token'],
    ];
    const answer = await askIssuer(url, { form, client }).catch((thrown: unknown) => {
      failedAt = now();
      throw new CheckFailure((thrown as Error).message);
    });
    const { status, json } = answer;
    const isAnswered = (status === 200 && json !== undefined) || status === 400;
    failures = isAnswered ? 0 : failures + 1;
    if ([401, 403, 429].includes(status) || failures >= failuresInARow) {
      failures = 0;
      failedAt = now();
    }
    if (status === 200 && json !== undefined) return json;
    if (status === 400 && !ABOUT_SERVER.includes(json?.['error']))
      throw new TokenRefusal('The issuer can not be asked about this token.');
    const advice = 'Check MCP_AUTH_CLIENT_ID and its secret.';
    throw new CheckFailure(`${placeOf(url)} answers questions about tokens by ${status}. ${advice}`);
  };
}
