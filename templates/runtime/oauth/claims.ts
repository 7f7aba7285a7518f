/** What a token, or an issuer asked about one, says of it: checked, and made what handlers see. */
import type { JsonObject } from '../contract/json-schema.ts';
import type { AuthInfo } from '../definition.ts';
import { TokenRefusal } from './refusals.ts';
import type { AuthSettings } from './settings.ts';

export type Claims = Readonly<Record<string, unknown>>;

type Rules = Pick<AuthSettings, 'audiences' | 'trailingSlash' | 'toleranceSeconds'>;

/**
 * Issuer and signature have been checked. Here, in this order: audience, kind of token, expiry, not before, issued at, subject. An
 * expiry may be missing: whether it may is for the kind of token to say.
 *
 * @param nowSeconds since 1970
 * @throws {TokenRefusal}
 */
export function readClaims(claims: Claims, issuer: string, rules: Rules, nowSeconds: number): AuthInfo {
  checkAudience(claims['aud'], rules);
  refuseSenderConstrained(claims);
  refuseOtherKinds(claims);
  const expiresAt = expiryOf(claims);
  checkTimes(claims, expiresAt, nowSeconds, rules.toleranceSeconds);
  const { sub: subject } = claims;
  if (typeof subject !== 'string' || subject === '')
    throw new TokenRefusal('The token does not say whom it is about.');
  const clientId = claims['client_id'] ?? claims['azp'];
  return frozen({
    issuer,
    subject,
    ...(typeof clientId === 'string' ? { clientId } : {}),
    scopes: scopesOf(claims),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    claims: claims as JsonObject,
  });
}

/** RFC 8707, section 2: a token for somebody else must not work here (RFC 9068, section 4). */
function checkAudience(aud: unknown, { audiences, trailingSlash }: Rules): void {
  const same = (one: string): string => comparable(one, trailingSlash);
  const meant = [aud].flat().filter((each) => typeof each === 'string');
  const ours = new Set(audiences.map(same));
  if (!meant.some((each) => ours.has(same(each))))
    throw new TokenRefusal('The token is meant for another audience.');
}

/** An origin alone has the path `/`, written or not (RFC 3986, section 6.2.3): clients add it. */
function comparable(audience: string, trailingSlash: boolean): string {
  const isOrigin = /^https?:\/\/[^/?#]+\/$/i.test(audience);
  return isOrigin || trailingSlash ? audience.replace(/\/$/, '') : audience;
}

function checkTimes(claims: Claims, expiresAt = Infinity, now: number, tolerance: number): void {
  if (now >= expiresAt + tolerance) throw new TokenRefusal('The token has expired.');
  if ((timeOf(claims, 'nbf') ?? now) > now + tolerance) throw new TokenRefusal('The token is not valid yet.');
  if ((timeOf(claims, 'iat') ?? now) > now + tolerance)
    throw new TokenRefusal('The token was issued in the future.');
}

/** RFC 7519, section 4.1.4. */
function expiryOf({ exp }: Claims): number | undefined {
  if (exp === undefined || exp === null) return undefined;
  if (isExpiry(exp)) return exp;
  throw new TokenRefusal(
    "The token's exp is no time in seconds since 1970.",
    'their `exp` is no time in seconds since 1970 (RFC 7519), but maybe in milliseconds.',
  );
}

/** A NumericDate (RFC 7519, section 2). */
function timeOf(claims: Claims, name: 'nbf' | 'iat'): number | undefined {
  const time = claims[name];
  if (time === undefined || time === null) return undefined;
  if (typeof time === 'number' && Number.isFinite(time)) return time;
  throw new TokenRefusal(`The token's ${name} is no time.`);
}

/** `scope` (RFC 9068, section 2.2.3), and `scp`, which others say instead, as a text or a list. */
function scopesOf({ scope, scp }: Claims): string[] {
  const texts = [scope, scp].flat().filter((each) => typeof each === 'string');
  return [...new Set(texts.flatMap((text) => text.split(' ')).filter((each) => each !== ''))];
}

/** One value serves all requests with its token, so that no handler may change it for the next. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) frozen(member);
  }
  return value;
}

/**
 * Only bearer access tokens count. A sender-constrained token counts together with a proof of its client's key (DPoP, RFC 9449;
 * mutual TLS, RFC 8705). No proof is verified here, so that such a token would count for anyone who has stolen it.
 */

/** Issuers say by these which of their tokens it is: in introspection (RFC 7662), and in claims of their own. */
const KINDS: readonly [name: string, access: RegExp][] = [
  ['typ', /^(?:bearer|(?:application\/)?(?:at\+)?jwt|access(?:[-_ ]?token)?)$/i],
  ['token_use', /^access(?:[-_ ]?token)?$/i],
];

/**
 * A confirmation that can't be understood is one too: whatever its member `cnf` holds, the token is not for a bearer.
 *
 * @throws {TokenRefusal}
 */
export function refuseSenderConstrained({ cnf, token_type: type }: Claims): void {
  if (cnf !== undefined)
    throw new TokenRefusal(
      'The token is bound to a key of its client (cnf), whose proof this server does not verify: only bearer tokens count.',
      'they are bound to a key (`cnf`), and no proof of it is verified here: its issuer must give this server bearer tokens.',
    );
  if (type === undefined || (typeof type === 'string' && /^bearer$/i.test(type))) return;
  throw new TokenRefusal('The token is no bearer token (token_type).');
}

/** Of refresh tokens and ID tokens, which prove nothing to a resource. @throws {TokenRefusal} */
export function refuseOtherKinds(claims: Claims): void {
  for (const [name, access] of KINDS) {
    const { [name]: kind } = claims;
    if (kind !== undefined && !(typeof kind === 'string' && access.test(kind)))
      throw new TokenRefusal(`The token is no access token (${name}).`);
  }
}

/** Expiry of an answer from an issuer or from the project's own code. */

/** The last second of the year 9999, since 1970: what is later was meant in milliseconds. */
const LATEST_SECONDS = 253_402_300_799;

/** Whether it is a time in seconds since 1970 that can have been meant. */
export function isExpiry(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value <= LATEST_SECONDS;
}
