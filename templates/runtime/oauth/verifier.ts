/** From a token to whom it stands for: the project's own check first, then those for JWTs and for all others. */
import { isRecord } from '../contract/json-value.ts';
import type { Caller } from '../core/call.ts';
import type { AuthInfo, VerifyToken } from '../definition.ts';
import { encodeFormUrl } from '../percent-encoding.ts';
import { Unavailable } from '../protocol/protocol-error.ts';
import { redactor } from '../redact.ts';
import type { AskIssuer } from './ask-issuer.ts';
import { type Claims, frozen, isExpiry, readClaims, refuseSenderConstrained } from './claims.ts';
import { isJwt, verifyJwt } from './jwt.ts';
import type { KeySet } from './key-set.ts';
import { CheckFailure, TokenRefusal } from './refusals.ts';
import type { AuthLimits, AuthSettings, Introspection } from './settings.ts';

export interface VerifierOptions {
  settings: AuthSettings;
  /** By issuer. */
  keySets: ReadonlyMap<string, KeySet>;
  ask: AskIssuer;
  verifyToken: VerifyToken | undefined;
  limits: AuthLimits;
  /** Milliseconds since 1970. */
  now: () => number;
  report: (thrown: unknown) => void;
  /** Faults of their tokens that the log has. */
  faultyIssuers: Set<string>;
}

interface Verified {
  auth: AuthInfo;
  /** As of `CheckedCaller`. */
  endsAt: number;
  /** Milliseconds since 1970, after which it is to be checked again. The token may expire later, or never. */
  until: number;
  /** Until then requests need no check of their own. */
  isKept: boolean;
}

/** Rejects with a `TokenRefusal`, or with a `CheckFailure` where nobody can say now. */
export async function verify(token: string, options: VerifierOptions): Promise<Verified> {
  const { settings, keySets, limits, now, ask } = options;
  const { toleranceSeconds } = settings;
  const own = await ownCheck(token, options);
  if (own !== undefined) return verified(own, { until: now() + limits.ownMs, isKept: false });
  if (isJwt(token)) {
    const { claims, issuer, until } = await verifyJwt(token, keySets, settings);
    const auth = signed(() => authOfClaims(claims, issuer, options));
    if (auth.expiresAt === undefined) throw new TokenRefusal('The token does not say when it expires.');
    return verified(auth, { until, isKept: true, toleranceSeconds });
  }
  const { introspection, issuers } = settings;
  if (introspection === undefined) throw new TokenRefusal('The token is no JWT.');
  const { claims, issuer } = await introspect(token, introspection, issuers, ask);
  const auth = authOfClaims(claims, issuer, options);
  return verified(auth, { until: now() + limits.introspectionMs, isKept: true, toleranceSeconds });
}

/** A refusal for what the token says, which its issuer has signed. */
function signed<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof TokenRefusal) thrown.isSigned = true;
    throw thrown;
  }
}

function authOfClaims(
  claims: Claims,
  issuer: string,
  { settings, now, report, faultyIssuers }: VerifierOptions,
): AuthInfo {
  try {
    return readClaims(claims, issuer, settings, now() / 1000);
  } catch (thrown) {
    const fault = thrown instanceof TokenRefusal ? thrown.fault : undefined;
    const line = `Tokens of ${issuer} are refused: ${fault}`;
    if (fault !== undefined && !faultyIssuers.has(line)) {
      faultyIssuers.add(line);
      report(line);
    }
    throw thrown;
  }
}

/** An issuer that was asked need not say when a token expires (RFC 7662, section 2.2). */
function verified(
  auth: AuthInfo,
  { until, isKept, toleranceSeconds = 0 }: Omit<Verified, 'auth' | 'endsAt'> & { toleranceSeconds?: number },
): Verified {
  const { expiresAt = Infinity } = auth;
  const endsAt = (expiresAt + toleranceSeconds) * 1000;
  return { auth, endsAt, until: Math.min(endsAt, until), isKept };
}

/** Its results are not kept: only that code knows for how long they hold. */
async function ownCheck(token: string, options: VerifierOptions): Promise<AuthInfo | undefined> {
  const { verifyToken, report, now } = options;
  if (verifyToken === undefined) return undefined;
  let found: unknown;
  try {
    found = await inTime(verifyToken, token, options.limits.ownTimeoutMs);
  } catch (thrown) {
    if (thrown instanceof CheckFailure) throw thrown;
    const words = redactor([token])(String(thrown));
    // Anyone can bring one about: the log has a line of it, and no stack.
    if (thrown instanceof Unavailable) throw new CheckFailure(words, true);
    report(`\`verifyToken\` refused a token: ${words}`);
    throw new TokenRefusal('The token is not valid.');
  }
  if (found === undefined) return undefined;
  const auth = authOf(found);
  if (auth === undefined) {
    report(
      '`verifyToken` must answer { issuer, subject, scopes, expiresAt, claims? }, with `expiresAt` in seconds since 1970 and claims that are JSON, or nothing. The token was refused.',
    );
    throw new TokenRefusal('The token is not valid.');
  }
  refuseOwn(found, auth, report);
  if (now() >= (auth.expiresAt ?? 0) * 1000) throw new TokenRefusal('The token has expired.');
  return auth;
}

/** A person's code sees no proof of a key, and may tell of a bound token by a member of its own or by the claims. */
function refuseOwn(found: unknown, { claims }: AuthInfo, report: VerifierOptions['report']): void {
  try {
    for (const each of [found, claims]) if (isRecord(each)) refuseSenderConstrained(each);
  } catch (thrown) {
    report(`\`verifyToken\` took a token that was refused: ${(thrown as TokenRefusal).message}`);
    throw thrown;
  }
}

/** Rejects with a `CheckFailure` when it takes too long; `signal` tells it so. */
async function inTime(verifyToken: VerifyToken, token: string, timeoutMs: number): Promise<unknown> {
  const controller = new AbortController();
  const { signal } = controller;
  const late = new Promise<never>((_, reject) => {
    const failure = new CheckFailure(
      `\`verifyToken\` did not answer within ${timeoutMs / 1000} seconds.`,
      true,
    );
    signal.addEventListener('abort', () => reject(failure), { once: true });
  });
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    return await Promise.race([(async () => verifyToken(token, { signal }))(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A person's code may answer anything. */
function authOf(found: unknown): AuthInfo | undefined {
  if (!isRecord(found)) return undefined;
  const { issuer, subject, clientId, scopes, expiresAt, claims = {} } = found;
  const isAuth =
    isText(issuer) &&
    isText(subject) &&
    (clientId === undefined || isText(clientId)) &&
    Array.isArray(scopes) &&
    scopes.every(isText) &&
    isExpiry(expiresAt) &&
    isRecord(claims);
  if (!isAuth) return undefined;
  try {
    const copy = structuredClone({ issuer, subject, scopes, expiresAt, claims }) as AuthInfo;
    return frozen(isText(clientId) ? { ...copy, clientId } : copy);
  } catch {
    // Claims that are no data, such as functions.
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Asks the issuer about a token that does not speak for itself (RFC 7662). */

/** Who asks is not known, or may not: tokens have no part in it. */
const OF_CLIENT: readonly unknown[] = ['invalid_client', 'unauthorized_client', 'access_denied'];

/** @throws {TokenRefusal}; {CheckFailure} when the issuer does not answer the question */
async function introspect(
  token: string,
  { url, clientId, clientSecret }: Introspection,
  issuers: AuthSettings['issuers'],
  ask: AskIssuer,
): Promise<{ claims: Claims; issuer: string }> {
  const credentials = `${encodeFormUrl(clientId)}:${encodeFormUrl(clientSecret)}`;
  const { status, json } = await ask(url, {
    body: `token=${encodeFormUrl(token)}&token_type_hint=access_token`,
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
  });
  if (isOfToken(status, json)) throw new TokenRefusal('The issuer can not be asked about this token.');
  if (status !== 200 || json === undefined)
    throw new CheckFailure(
      `${url.href} answers questions about tokens by ${status}. Check MCP_AUTH_CLIENT_ID and its secret.`,
      true,
    );
  if (json['active'] !== true) throw new TokenRefusal('The token is not valid, or not any more.');
  return { claims: json, issuer: issuerOf(json, issuers) };
}

/**
 * What differs from question to question is the token, so a question that is no good (RFC 6749, section 5.2, to which
 * RFC 7662, section 2.3, leaves it) has no good token. An issuer should say that such a one is not active; asking it again
 * would change nothing.
 */
function isOfToken(status: number, json: Claims | undefined): boolean {
  return status === 400 && !OF_CLIENT.includes(json?.['error']);
}

/** One that is not named is the only one. */
function issuerOf({ iss }: Claims, [first, ...others]: AuthSettings['issuers']): string {
  if (iss === undefined && first !== undefined && others.length === 0) return first;
  if (typeof iss === 'string' && [first, ...others].includes(iss)) return iss;
  throw new TokenRefusal('The token is of another issuer.');
}

/** A caller, as far as its token has been looked at. */
export interface CheckedCaller extends Caller {
  /** Milliseconds since 1970, from which the token counts no more, the tolerance of clocks included; or `Infinity`. */
  endsAt: number;
  /** Milliseconds since 1970, until which the token need not be looked at again. It may expire later, or never. */
  checkedUntil: number;
}
