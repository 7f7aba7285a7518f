// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Verifies a token: by the project's own code first, else as a JWT or by introspection. */
import { isRecord } from '../contract/json-value.ts';
import type { Caller } from '../feature-loaders.ts';
import type { AuthInfo, VerifyToken } from '../definition.ts';
import { Unavailable } from '../protocol/json-rpc.ts';
import { createRedactor } from '../redact.ts';
import type { AskIssuer } from './ask-issuer.ts';
import {
  type Claims,
  type Confirmation,
  type ReadConfirmation,
  deepFreeze,
  isExpiry,
  isText,
  validateClaims,
  refuseSenderConstrained,
} from './claims.ts';
import { type KeySet, isJwt, verifyJwt } from './jwt.ts';
import { CheckFailure, TokenRefusal } from './refusals.ts';
import type { AuthLimits, AuthSettings, Introspection } from './settings.ts';

export interface VerifierOptions {
  settings: AuthSettings;
  keySets: ReadonlyMap<string, KeySet>;
  ask: AskIssuer;
  verifyToken: VerifyToken | undefined;
  /** Default: tokens that are bound to a key are refused. */
  readConfirmation?: ReadConfirmation | undefined;
  limits: AuthLimits;
  now: () => number;
  report: (thrown: unknown) => void;
  faultyIssuers: Set<string>;
}

interface Verified {
  auth: AuthInfo;
  /** Milliseconds since 1970, the tolerance of clocks included; or `Infinity`. */
  endsAt: number;
  /** Milliseconds since 1970 after which the token must be checked again. */
  checkedUntil: number;
  isKept: boolean;
}

export type CheckedCaller = Caller & Omit<Verified, 'isKept'>;

/** Rejects with a `TokenRefusal`, or with a `CheckFailure` if the token can't be checked now. */
export async function verifyAccessToken(token: string, options: VerifierOptions): Promise<Verified> {
  const { settings, keySets, limits, now, ask } = options;
  const { toleranceSeconds } = settings;
  const own = await verifyByOwnCode(token, options);
  if (own !== undefined) return toVerified(own, now() + limits.ownMs, false, 0);
  if (isJwt(token)) {
    const { claims, issuer, until } = await verifyJwt(token, keySets, settings);
    const auth = markRefusalAsSigned(() => validateAndReportClaims(claims, issuer, options));
    if (auth.expiresAt === undefined) throw new TokenRefusal('The token does not say when it expires.');
    return toVerified(auth, until, true, toleranceSeconds);
  }
  const { introspection, issuers } = settings;
  if (introspection === undefined) throw new TokenRefusal('The token is no JWT.');
  const { claims, issuer } = await introspectToken(token, introspection, issuers, ask);
  const auth = validateAndReportClaims(claims, issuer, options);
  return toVerified(auth, now() + limits.introspectionMs, true, toleranceSeconds);
}

function markRefusalAsSigned<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof TokenRefusal) thrown.isSigned = true;
    throw thrown;
  }
}

function validateAndReportClaims(
  claims: Claims,
  issuer: string,
  { settings, now, report, faultyIssuers, readConfirmation }: VerifierOptions,
): AuthInfo {
  try {
    return validateClaims(claims, issuer, settings, now() / 1000, readConfirmation);
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

/** An introspection may lack an expiry (RFC 7662, section 2.2). */
function toVerified(auth: AuthInfo, until: number, isKept: boolean, toleranceSeconds: number): Verified {
  const { expiresAt = Infinity } = auth;
  const endsAt = (expiresAt + toleranceSeconds) * 1000;
  return { auth, endsAt, checkedUntil: Math.min(endsAt, until), isKept };
}

/** Results of the project's own code are not cached: only that code knows how long they hold. */
async function verifyByOwnCode(token: string, options: VerifierOptions): Promise<AuthInfo | undefined> {
  const { verifyToken, report, now } = options;
  if (verifyToken === undefined) return undefined;
  let found: unknown;
  try {
    found = await verifyWithTimeout(verifyToken, token, options.limits.ownTimeoutMs);
  } catch (thrown) {
    if (thrown instanceof CheckFailure) throw thrown;
    const words = createRedactor([token])(String(thrown));
    if (thrown instanceof Unavailable) throw new CheckFailure(words, true);
    // The log gets a line without a stack, since anyone can provoke this.
    report(`\`verifyToken\` refused a token: ${words}`);
    throw new TokenRefusal('The token is not valid.');
  }
  if (found === undefined) return undefined;
  const auth = parseAuth(found);
  if (auth === undefined) {
    report(
      '`verifyToken` must answer { issuer, subject, scopes, expiresAt, claims? }, with `expiresAt` in seconds since 1970 and claims that are JSON, or nothing. The token was refused.',
    );
    throw new TokenRefusal('The token is not valid.');
  }
  const confirmation = findConfirmation(found, auth, options);
  if (now() >= (auth.expiresAt ?? 0) * 1000) throw new TokenRefusal('The token has expired.');
  return confirmation === undefined ? auth : deepFreeze({ ...auth, confirmation });
}

/** The user's code may mark a sender-constrained token by a member of its own or by the claims. */
function findConfirmation(
  found: unknown,
  { claims }: AuthInfo,
  { report, readConfirmation = refuseSenderConstrained }: VerifierOptions,
): Confirmation | undefined {
  try {
    const [own, claimed] = [found, claims].map((each) =>
      isRecord(each) ? readConfirmation(each) : undefined,
    );
    return own ?? claimed;
  } catch (thrown) {
    report(`\`verifyToken\` took a token that was refused: ${(thrown as TokenRefusal).message}`);
    throw thrown;
  }
}

async function verifyWithTimeout(
  verifyToken: VerifyToken,
  token: string,
  timeoutMs: number,
): Promise<unknown> {
  const controller = new AbortController();
  const { signal } = controller;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // The rejection comes first, or an error that the abort causes would count as a refusal.
      reject(new CheckFailure(`\`verifyToken\` did not answer within ${timeoutMs / 1000} seconds.`, true));
      controller.abort();
    }, timeoutMs);
  });
  try {
    return await Promise.race([(async () => verifyToken(token, { signal }))(), late]);
  } finally {
    clearTimeout(timer);
  }
}

function parseAuth(found: unknown): AuthInfo | undefined {
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
    return deepFreeze(isText(clientId) ? { ...copy, clientId } : copy);
  } catch {
    return undefined;
  }
}

/** These errors mean that the issuer refuses this server as its client; the token may be good. */
const CLIENT_ERRORS: readonly unknown[] = ['invalid_client', 'unauthorized_client', 'access_denied'];

async function introspectToken(
  token: string,
  { url, clientId, clientSecret }: Introspection,
  issuers: AuthSettings['issuers'],
  ask: AskIssuer,
): Promise<{ claims: Claims; issuer: string }> {
  const form = [['token', token] as const, ['token_type_hint', 'access_token'] as const];
  const { status, json } = await ask(url, { form, client: { clientId, clientSecret } });
  // Only the token varies in the request, so asking again would change nothing (RFC 6749, section 5.2).
  if (status === 400 && !CLIENT_ERRORS.includes(json?.['error']))
    throw new TokenRefusal('The issuer can not be asked about this token.');
  if (status !== 200 || json === undefined)
    throw new CheckFailure(
      `${url.href} answers questions about tokens by ${status}. Check MCP_AUTH_CLIENT_ID and its secret.`,
      true,
    );
  if (json['active'] !== true) throw new TokenRefusal('The token is not valid, or not any more.');
  return { claims: json, issuer: findIntrospectedIssuer(json, issuers) };
}

function findIntrospectedIssuer({ iss }: Claims, [first, ...others]: AuthSettings['issuers']): string {
  if (iss === undefined && first !== undefined && others.length === 0) return first;
  if (typeof iss === 'string' && [first, ...others].includes(iss)) return iss;
  throw new TokenRefusal('The token is of another issuer.');
}
