// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Checks access tokens that are JWTs (RFC 9068, section 4), in this order: form, type, algorithm, issuer, signature,
 * then the claims. Keys come from the issuer alone: `jwk`, `jku`, `x5c` and `x5u` of a token are ignored.
 */
import {
  type JSONWebKeySet,
  type ProtectedHeaderParameters,
  compactVerify,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
} from 'jose';

import { isRecord } from '../contract/json-value.ts';
import { type AskIssuer, discoverIssuer } from './ask-issuer.ts';
import type { Claims } from './claims.ts';
import { CheckFailure, TokenRefusal } from './refusals.ts';
import type { AuthLimits, AuthSettings } from './settings.ts';

type Rules = Pick<AuthSettings, 'algorithms' | 'plainJwt'>;

/** The first part names the algorithm of the third (RFC 7515, section 7.1). */
export function isJwt(token: string): boolean {
  if (token.split('.').length !== 3) return false;
  try {
    return typeof decodeProtectedHeader(token).alg === 'string';
  } catch {
    return false;
  }
}

interface Signed extends Pick<KnownKeys, 'until'> {
  claims: Claims;
}

export async function verifyJwt(
  token: string,
  keySets: ReadonlyMap<string, KeySet>,
  rules: Rules,
): Promise<Signed & { issuer: string }> {
  const header = decodeProtectedHeader(token);
  assertTokenType(header, rules);
  if (!rules.algorithms.includes(header.alg ?? ''))
    throw new TokenRefusal('The token is signed with an algorithm that does not count here.');
  if (header.crit !== undefined)
    throw new TokenRefusal('The token has critical headers that are not known here.');
  const issuer = decodeIssuer(token);
  const keySet = keySets.get(issuer);
  if (keySet === undefined) throw new TokenRefusal('The token is of another issuer.');
  return { ...(await verifyWithRenewal(keySet, token, rules)), issuer };
}

/** RFC 9068, section 2.1; `application/` may be left out (RFC 7515, section 4.1.9). */
function assertTokenType({ typ }: ProtectedHeaderParameters, { plainJwt }: Rules): void {
  const type = (typ === undefined ? 'jwt' : String(typ)).toLowerCase().replace(/^application\//, '');
  if (type === 'at+jwt' || (plainJwt && type === 'jwt')) return;
  const way = type === 'jwt' ? ', or JWT with MCP_AUTH_PLAIN_JWT=1 at the server' : '';
  throw new TokenRefusal(`The token is no access token: its type must be at+jwt${way}.`);
}

function decodeIssuer(token: string): string {
  try {
    const { iss } = decodeJwt(token);
    if (typeof iss === 'string') return iss;
  } catch {
    // Reported below.
  }
  throw new TokenRefusal('The token does not say who issued it.');
}

/** Verifies a token. If its key is unknown, the keys are fetched again, since it may be new. */
async function verifyWithRenewal(keySet: KeySet, token: string, rules: Rules): Promise<Signed> {
  const verifyOnce = async (): Promise<Signed> => {
    const { keys, until } = await keySet.keys();
    return { claims: await verifyClaims(keys, token, rules), until };
  };
  try {
    return await verifyOnce().catch(async (thrown: unknown) => {
      if (!(thrown instanceof errors.JWKSNoMatchingKey) || !(await keySet.renewKeys())) throw thrown;
      return verifyOnce();
    });
  } catch (thrown) {
    throw toTokenRefusal(thrown);
  }
}

async function verifyClaims(keys: Keys, token: string, { algorithms }: Rules): Promise<Claims> {
  const options = { algorithms: [...algorithms] };
  try {
    return parsePayload(await compactVerify(token, keys, options));
  } catch (thrown) {
    if (!(thrown instanceof errors.JWKSMultipleMatchingKeys)) throw thrown;
    for await (const key of thrown) {
      const verified = await compactVerify(token, key, options).catch(() => undefined);
      if (verified !== undefined) return parsePayload(verified);
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

function parsePayload({ payload }: { payload: Uint8Array }): Claims {
  const claims: unknown = JSON.parse(new TextDecoder().decode(payload));
  if (isRecord(claims)) return claims;
  throw new TokenRefusal('The token holds no claims.');
}

function toTokenRefusal(thrown: unknown): unknown {
  if (thrown instanceof errors.JWKSNoMatchingKey)
    return new TokenRefusal('The token is signed with a key that its issuer does not have.');
  if (thrown instanceof DOMException)
    return new TokenRefusal('The token is signed with a key that its issuer tells wrongly.');
  return thrown instanceof errors.JOSEError || thrown instanceof SyntaxError || thrown instanceof TypeError
    ? new TokenRefusal('The signature of the token is wrong.')
    : thrown;
}

type Keys = ReturnType<typeof createLocalJWKSet>;

interface KnownKeys {
  keys: Keys;
  /** Milliseconds since 1970. Tokens are checked again then, since their key may have been revoked. */
  until: number;
}

interface KeySetOptions {
  fetch: () => Promise<Record<string, unknown>>;
  limits: AuthLimits;
  now: () => number;
  report: (thrown: unknown) => void;
}

/** The keys of one issuer: fetched at first use, and again when they expire or a key is missing. */
export class KeySet {
  readonly #options: KeySetOptions;
  #keys: Keys | undefined;
  #fetchedAt = -Infinity;
  #failedAt = -Infinity;
  #fetching: Promise<void> | undefined;

  constructor(options: KeySetOptions) {
    this.#options = options;
  }

  /** Keys remain valid for a while if their issuer can't be reached. Rejects with a `CheckFailure` if there are none. */
  async keys(): Promise<KnownKeys> {
    const { limits, now } = this.#options;
    if (now() - this.#fetchedAt >= limits.keysMs) await this.#fetchUnlessFailed();
    const oldAt = this.#fetchedAt + limits.keysMs;
    if (this.#keys === undefined || now() >= oldAt + limits.staleKeysMs)
      throw new CheckFailure('The keys of the issuer can not be had.');
    return { keys: this.#keys, until: now() < oldAt ? oldAt : now() + limits.failureMs };
  }

  /** Returns false if the keys were fetched a moment ago. Rejects with a `CheckFailure` if the fetch fails. */
  async renewKeys(): Promise<boolean> {
    const { limits, now } = this.#options;
    if (now() - this.#fetchedAt < limits.cooldownMs) return false;
    if (await this.#fetchUnlessFailed()) return true;
    throw new CheckFailure('A key that is not known can not be looked for.');
  }

  async #fetchUnlessFailed(): Promise<boolean> {
    const { limits, now } = this.#options;
    if (now() - this.#failedAt < limits.failureMs) return false;
    await (this.#fetching ??= this.#fetchKeySet().finally(() => (this.#fetching = undefined)));
    return this.#failedAt < this.#fetchedAt;
  }

  async #fetchKeySet(): Promise<void> {
    const { fetch, now, report } = this.#options;
    try {
      this.#keys = createLocalJWKSet(toKeySet(await fetch()));
      this.#fetchedAt = now();
      this.#failedAt = -Infinity;
    } catch (thrown) {
      this.#failedAt = now();
      report(
        thrown instanceof errors.JOSEError ? new CheckFailure('The issuer sends no set of keys.') : thrown,
      );
    }
  }
}

function toKeySet(json: Record<string, unknown>): JSONWebKeySet {
  return { ...json, keys: Array.isArray(json['keys']) ? json['keys'] : [] };
}

export function createKeySets(
  { issuers, jwksUri }: Pick<AuthSettings, 'issuers' | 'jwksUri'>,
  ask: AskIssuer,
  options: Omit<KeySetOptions, 'fetch'>,
): ReadonlyMap<string, KeySet> {
  const fetch = async (issuer: string): Promise<Record<string, unknown>> => {
    const keys = jwksUri === undefined ? (await discoverIssuer(issuer, ask)).keys : { url: jwksUri };
    if (keys === undefined) throw new CheckFailure(`The issuer ${issuer} names no keys (jwks_uri).`);
    const { url, ...question } = keys;
    const { status, json } = await ask(url, question);
    if (status === 200 && json !== undefined) return json;
    throw new CheckFailure(`The keys at ${url.href} were answered by ${status}.`);
  };
  return new Map(issuers.map((issuer) => [issuer, new KeySet({ ...options, fetch: () => fetch(issuer) })]));
}
