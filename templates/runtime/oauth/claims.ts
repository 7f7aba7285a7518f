/** What a token, or an issuer asked about one, says of it: checked, and made what handlers see. */
import type { AuthInfo } from '../definition.ts';
import type { JsonObject } from '../contract/json-schema.ts';
import type { AuthSettings } from './settings.ts';
import { isExpiry } from './expiry.ts';
import { refuseOtherKinds, refuseSenderConstrained } from './token-kind.ts';
import { TokenRefusal } from './token-refusal.ts';

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
