// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Whether a token counts: by the user's own code, as a JWT (RFC 9068, section 4), or by the issuer's answer (RFC 7662). */
import { compactVerify, decodeJwt, decodeProtectedHeader, errors } from 'jose';
import type { CompactVerifyGetKey } from 'jose';
import { isRecord } from '../../json-rpc.ts';
import type { JsonObject } from '../../types.ts';
import { type AuthInfo, type Claims, type Confirmation, redactToken } from './caller.ts';
import { Unavailable, type VerifyToken } from './caller.ts';
import type { Introspect, KeySet } from './issuer.ts';
import { ALGORITHMS, AUTH_LIMITS, type AuthSettings } from './settings.ts';

/** A token, or the proof of its key, is not valid (RFC 6750, section 3.1). The message holds nothing of the token. */
export class TokenRefusal extends Error {
  override name = 'TokenRefusal';
  readonly error: 'invalid_token' | 'invalid_dpop_proof' | 'use_dpop_nonce';

  constructor(message: string, error: TokenRefusal['error'] = 'invalid_token') {
    super(message);
    this.error = error;
  }
}

/** A token can't be checked now. */
export class CheckFailure extends Error {
  override name = 'CheckFailure';
}

/** The keys that a token is bound to. @throws {TokenRefusal} for a binding that is not verified here */
export type ReadConfirmation = (claims: Claims) => Confirmation | undefined;

export interface Checks {
  settings: AuthSettings;
  keySets: ReadonlyMap<string, KeySet>;
  introspect: Introspect | undefined;
  verifyToken: VerifyToken | undefined;
  readConfirmation: ReadConfirmation;
  now: () => number;
  report: (words: string) => void;
}

export interface CheckedToken {
  auth: AuthInfo;
  /** Milliseconds since 1970, with the tolerance of clocks; or `Infinity`. */
  endsAt: number;
  /** Then it is checked again. */
  checkedUntil: number;
}

/** @throws {TokenRefusal | CheckFailure} */
export async function checkToken(token: string, checks: Checks): Promise<CheckedToken> {
  const { settings, introspect, now, verifyToken } = checks;
  const make = (auth: AuthInfo, until: number, tolerance = AUTH_LIMITS.toleranceSeconds): CheckedToken => {
    const endsAt = ((auth.expiresAt ?? Infinity) + tolerance) * 1000;
    return { auth, endsAt, checkedUntil: Math.min(endsAt, until) };
  };
  const ownAuth = verifyToken && (await checkByOwnCode(token, verifyToken, checks));
  if (ownAuth !== undefined) return make(ownAuth, now() + AUTH_LIMITS.introspectionMs, 0);
  if (isJwt(token)) {
    const { claims, issuer, until } = await verifyJwt(token, checks);
    const auth = checkClaims(claims, issuer, checks);
    if (auth.expiresAt === undefined) throw new TokenRefusal('The token does not say when it expires.');
    return make(auth, until);
  }
  if (introspect === undefined) throw new TokenRefusal('The token is no JWT.');
  const claims = await introspect(token);
  if (claims['active'] !== true) throw new TokenRefusal('The token is not valid, or not any more.');
  const [onlyIssuer, ...others] = settings.issuers;
  const { iss = others.length === 0 ? onlyIssuer : undefined } = claims;
  if (typeof iss !== 'string' || !settings.issuers.includes(iss))
    throw new TokenRefusal('The token is of another issuer.');
  return make(checkClaims(claims, iss, checks), now() + AUTH_LIMITS.introspectionMs);
}

// JWT. The order: type, algorithm, issuer, signature, claims. Keys come from the issuer alone: `jwk`, `jku`, `x5c` and `x5u` of a token
// are ignored.

export function isJwt(token: string): boolean {
  if (token.split('.').length !== 3) return false;
  try {
    return typeof decodeProtectedHeader(token).alg === 'string';
  } catch {
    return false;
  }
}

async function verifyJwt(token: string, { settings, keySets }: Checks) {
  const { typ, alg = '' } = decodeProtectedHeader(token);
  // RFC 9068, section 2.1; `application/` may be left out (RFC 7515, section 4.1.9).
  const type = String(typ ?? 'jwt')
    .toLowerCase()
    .replace(/^application\//, '');
  if (type !== 'at+jwt' && !(type === 'jwt' && settings.takesPlainJwt)) {
    const way = type === 'jwt' ? ', or JWT with MCP_AUTH_PLAIN_JWT=1 at the server' : '';
    throw new TokenRefusal(`The token is no access token: its type must be at+jwt${way}.`);
  }
  if (!ALGORITHMS.includes(alg))
    throw new TokenRefusal('The token is signed with an algorithm that does not count here.');
  const issuer = issuerOf(token);
  const keySet = keySets.get(issuer);
  if (keySet === undefined) throw new TokenRefusal('The token is of another issuer.');
  const verifyOnce = async () => {
    const { keys, until } = await keySet.keys();
    return { claims: await verifySignature(token, keys, alg), issuer, until };
  };
  try {
    return await verifyOnce().catch(async (thrown: unknown) => {
      // The key may be new.
      if (!(thrown instanceof errors.JWKSNoMatchingKey) || !(await keySet.renew())) throw thrown;
      return verifyOnce();
    });
  } catch (thrown) {
    if (thrown instanceof TokenRefusal || thrown instanceof CheckFailure) throw thrown;
    throw new TokenRefusal('The signature of the token is wrong, or its key is not one of its issuer.');
  }
}

function issuerOf(token: string): string {
  try {
    const { iss } = decodeJwt(token);
    if (typeof iss === 'string') return iss;
  } catch {
    // No claims name nobody.
  }
  throw new TokenRefusal('The token does not say who issued it.');
}

async function verifySignature(token: string, keys: CompactVerifyGetKey, alg: string): Promise<Claims> {
  const options = { algorithms: [alg] };
  const { payload } = await compactVerify(token, keys, options).catch(async (thrown: unknown) => {
    // Without a `kid`, each key of the algorithm may be the one.
    if (thrown instanceof errors.JWKSMultipleMatchingKeys)
      for await (const key of thrown) {
        const verified = await compactVerify(token, key, options).catch(() => undefined);
        if (verified !== undefined) return verified;
      }
    throw thrown;
  });
  const claims: unknown = JSON.parse(new TextDecoder().decode(payload));
  if (isRecord(claims)) return claims;
  throw new TokenRefusal('The token holds no claims.');
}

// Claims, of a JWT or an introspection.

/** Checks audience, binding, kind, times and subject. The issuer is checked already. @throws {TokenRefusal} */
function checkClaims(claims: Claims, issuer: string, checks: Checks): AuthInfo {
  const { settings, now, readConfirmation } = checks;
  checkAudience(claims['aud'], settings);
  const confirmation = readConfirmation(claims);
  refuseOtherKinds(claims);
  const expiresAt = checkTimes(claims, now() / 1000, AUTH_LIMITS.toleranceSeconds);
  const { sub: subject, client_id: client = claims['azp'] } = claims;
  if (!isText(subject)) throw new TokenRefusal('The token does not say whom it is about.');
  return deepFreeze({
    ...{ issuer, subject, scopes: scopesOf(claims), claims: claims as JsonObject },
    ...(typeof client === 'string' && { clientId: client }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(confirmation !== undefined && { confirmation }),
  });
}

/** A token for another audience must be refused (RFC 8707, section 2; RFC 9068, section 4). */
function checkAudience(aud: unknown, { audiences }: AuthSettings): void {
  // A bare origin has the path `/`, written or not (RFC 3986, section 6.2.3).
  const normalize = (audience: string): string =>
    /^https?:\/\/[^/?#]+\/$/i.test(audience) ? audience.replace(/\/$/, '') : audience;
  const accepted = new Set(audiences.map(normalize));
  const named = [aud].flat().filter((audience) => typeof audience === 'string');
  if (!named.some((audience) => accepted.has(normalize(audience))))
    throw new TokenRefusal('The token is meant for another audience.');
}

/**
 * A token that is bound to a key needs a proof of it (DPoP, RFC 9449; mutual TLS, RFC 8705). Without one, a stolen token would count.
 */
export function refuseBound({ cnf, token_type: type = 'Bearer' }: Claims): undefined {
  if (cnf !== undefined)
    throw new TokenRefusal(
      'The token is bound to a key of its client (cnf), whose proof this server does not verify: only bearer tokens count.',
    );
  if (typeof type !== 'string' || !/^bearer$/i.test(type))
    throw new TokenRefusal('The token is no bearer token (token_type).');
}

/** Refresh and ID tokens are for the client. Issuers name the kind in introspections (`typ`), and in claims of their own. */
function refuseOtherKinds({ typ = 'JWT', token_use: use = 'access' }: Claims): void {
  if (!isText(typ) || !/^(?:bearer|(?:application\/)?(?:at\+)?jwt|access(?:[-_ ]?token)?)$/i.test(typ))
    throw new TokenRefusal('The token is no access token (typ).');
  if (!isText(use) || !/^access(?:[-_ ]?token)?$/i.test(use))
    throw new TokenRefusal('The token is no access token (token_use).');
}

/** The last second of the year 9999: a later time was meant in milliseconds. */
const LATEST = 253_402_300_799;

export function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value <= LATEST;
}

/** Returns `exp` (RFC 7519, section 4.1). */
function checkTimes(claims: Claims, now: number, tolerance: number): number | undefined {
  const { exp, nbf, iat } = claims;
  if ((exp ?? undefined) !== undefined && !isTime(exp))
    throw new TokenRefusal("The token's exp is no time in seconds since 1970.");
  if (isTime(exp) && now >= exp + tolerance) throw new TokenRefusal('The token has expired.');
  for (const [start, words] of [
    [nbf, 'The token is not valid yet.'],
    [iat, 'The token was issued in the future.'],
  ] as const)
    if ((start ?? undefined) !== undefined && !(typeof start === 'number' && start <= now + tolerance))
      throw new TokenRefusal(words);
  return isTime(exp) ? exp : undefined;
}

/** Issuers may use `scp` in place of `scope`. */
function scopesOf({ scope, scp }: Claims): string[] {
  const texts = [scope, scp].flat().filter((text) => typeof text === 'string');
  return [...new Set(texts.flatMap((text) => text.split(' ')))].filter((name) => name !== '');
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** All requests with a token share the value, so no handler may change it for the next. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

// The user's own code.

async function checkByOwnCode(
  token: string,
  verifyToken: VerifyToken,
  { report, now, readConfirmation }: Checks,
): Promise<AuthInfo | undefined> {
  const signal = AbortSignal.timeout(AUTH_LIMITS.ownTimeoutMs);
  // This listener is the first: else an error that the abort causes would count as a refusal.
  const late = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new CheckFailure('`verifyToken` did not answer in time.'))),
  );
  try {
    const verified: unknown = await Promise.race([(async () => verifyToken(token, { signal }))(), late]);
    if (verified === undefined) return undefined;
    const auth = parseOwnAuth(verified);
    if (now() >= (auth.expiresAt ?? 0) * 1000) throw new TokenRefusal('The token has expired.');
    // Code may return `cnf` beside the claims or in them.
    const confirmation = readConfirmation(verified as Claims) ?? readConfirmation(auth.claims);
    return deepFreeze(confirmation === undefined ? auth : { ...auth, confirmation });
  } catch (thrown) {
    if (thrown instanceof CheckFailure) throw thrown;
    const message = redactToken(String(thrown), token);
    if (thrown instanceof Error && thrown.name === Unavailable.name) throw new CheckFailure(message);
    report(`A token that \`verifyToken\` saw was refused: ${message}`);
    throw thrown instanceof TokenRefusal ? thrown : new TokenRefusal('The token is not valid.');
  }
}

/** @throws {Error} for what can't be one */
function parseOwnAuth(verified: unknown): AuthInfo {
  const { issuer, subject, clientId, scopes, expiresAt, claims = {} } = isRecord(verified) ? verified : {};
  const isAuth =
    [issuer, subject, clientId ?? 'none'].every(isText) &&
    isTime(expiresAt) &&
    isRecord(claims) &&
    Array.isArray(scopes) &&
    scopes.every(isText);
  if (!isAuth)
    throw new Error(
      'it must return { issuer, subject, scopes, expiresAt, claims? }, with `expiresAt` in seconds since 1970, or nothing',
    );
  const auth = { issuer, subject, scopes, expiresAt, claims, ...(clientId !== undefined && { clientId }) };
  return structuredClone(auth) as unknown as AuthInfo;
}
