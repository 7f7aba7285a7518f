// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Checks the claims of a token or an introspection, and makes the `AuthInfo` for handlers. */

import { omitUndefined } from '../contract/json-value.ts';
import type { JsonObject } from '../contract/json-schema.ts';
import type { AuthInfo } from '../definition.ts';
import type { Caller, GuardOptions, HttpRequest } from '../feature-loaders.ts';
import { type SentToken, TokenRefusal } from './refusals.ts';
import type { AuthSettings } from './settings.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** The keys that a token is bound to (RFC 7800). */
export type Confirmation = NonNullable<AuthInfo['confirmation']>;

/** @throws {TokenRefusal} for a token whose binding is not verified here */
export type ReadConfirmation = (claims: Claims) => Confirmation | undefined;

/** The part of the feature `dpop`, by which tokens that are bound to a key count. */
export interface TokenBinding {
  /** Algorithms of DPoP proofs. Undefined: none is verified. */
  readonly algorithms: readonly string[] | undefined;
  /** Whether only tokens that are bound by DPoP are accepted. */
  readonly isRequired: boolean;
  readonly needsNonce: boolean;
  readonly nonce: string;
  /** Members of the metadata of this server (RFC 9728, section 2). */
  readonly metadata: Readonly<Record<string, unknown>>;
  readConfirmation: ReadConfirmation;
  /** Rejects with a `TokenRefusal` unless the request proves the keys that the token is bound to. */
  verifyBinding(caller: Caller, sent: SentToken, request: HttpRequest): Promise<void>;
}

/** Undefined if bound tokens are refused. @throws {UsageError} if the environment can't be used */
export type OpenTokenBinding = (options: BindingOptions) => TokenBinding | undefined;

export interface BindingOptions extends Pick<GuardOptions, 'env' | 'paths' | 'shared' | 'warn'> {
  resource: URL;
  now?: () => number;
}

type Rules = Pick<AuthSettings, 'audiences' | 'trailingSlash' | 'toleranceSeconds'>;

/**
 * Checks audience, kind of token, expiry, not before, issued at and subject, in this order. The caller has checked
 * issuer and signature, and decides whether an expiry may be missing.
 * @param nowSeconds since 1970
 * @throws {TokenRefusal}
 */
export function validateClaims(
  claims: Claims,
  issuer: string,
  rules: Rules,
  nowSeconds: number,
  readConfirmation: ReadConfirmation = refuseSenderConstrained,
): AuthInfo {
  checkAudience(claims['aud'], rules);
  const confirmation = readConfirmation(claims);
  refuseOtherKinds(claims);
  const expiresAt = readExpiry(claims);
  checkTimes(claims, expiresAt, nowSeconds, rules.toleranceSeconds);
  const { sub: subject } = claims;
  if (typeof subject !== 'string' || subject === '')
    throw new TokenRefusal('The token does not say whom it is about.');
  const client = claims['client_id'] ?? claims['azp'];
  const clientId = typeof client === 'string' ? client : undefined;
  const scopes = parseScopes(claims);
  return deepFreeze(
    omitUndefined({
      ...{ issuer, subject, clientId, scopes, expiresAt },
      ...{ claims: claims as JsonObject, confirmation },
    }),
  );
}

/** RFC 8707, section 2: tokens for other audiences must be refused (RFC 9068, section 4). */
function checkAudience(aud: unknown, { audiences, trailingSlash }: Rules): void {
  const normalizeOne = (one: string): string => normalizeAudience(one, trailingSlash);
  const meant = [aud].flat().filter((each) => typeof each === 'string');
  const ours = new Set(audiences.map(normalizeOne));
  if (!meant.some((each) => ours.has(normalizeOne(each))))
    throw new TokenRefusal('The token is meant for another audience.');
}

/** A bare origin has the path `/`, written or not (RFC 3986, section 6.2.3): clients add it. */
function normalizeAudience(audience: string, trailingSlash: boolean): string {
  const isOrigin = /^https?:\/\/[^/?#]+\/$/i.test(audience);
  return isOrigin || trailingSlash ? audience.replace(/\/$/, '') : audience;
}

function checkTimes(claims: Claims, expiresAt = Infinity, now: number, tolerance: number): void {
  if (now >= expiresAt + tolerance) throw new TokenRefusal('The token has expired.');
  if ((readTime(claims, 'nbf') ?? now) > now + tolerance)
    throw new TokenRefusal('The token is not valid yet.');
  if ((readTime(claims, 'iat') ?? now) > now + tolerance)
    throw new TokenRefusal('The token was issued in the future.');
}

/** Reads the claim `exp` (RFC 7519, section 4.1.4). */
function readExpiry({ exp }: Claims): number | undefined {
  if (exp === undefined || exp === null) return undefined;
  if (isExpiry(exp)) return exp;
  throw new TokenRefusal(
    "The token's exp is no time in seconds since 1970.",
    'their `exp` is no time in seconds since 1970 (RFC 7519), but maybe in milliseconds.',
  );
}

/** A NumericDate (RFC 7519, section 2). */
function readTime(claims: Claims, name: 'nbf' | 'iat'): number | undefined {
  const time = claims[name];
  if (time === undefined || time === null) return undefined;
  if (typeof time === 'number' && Number.isFinite(time)) return time;
  throw new TokenRefusal(`The token's ${name} is no time.`);
}

/** Issuers may use `scp` in place of `scope` (RFC 9068, section 2.2.3). */
function parseScopes({ scope, scp }: Claims): string[] {
  const texts = [scope, scp].flat().filter((each) => typeof each === 'string');
  return [...new Set(texts.flatMap((text) => text.split(' ')).filter((each) => each !== ''))];
}

/** All requests with a token share the value, so no handler may change it for the next. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}

/** Issuers name the kind of a token by these members, in introspection (RFC 7662) and in claims of their own. */
const KINDS: readonly [name: string, access: RegExp][] = [
  ['typ', /^(?:bearer|(?:application\/)?(?:at\+)?jwt|access(?:[-_ ]?token)?)$/i],
  ['token_use', /^access(?:[-_ ]?token)?$/i],
];

/**
 * Refuses sender-constrained tokens, whatever `cnf` contains: the proof of the client's key (DPoP, RFC 9449; mutual
 * TLS, RFC 8705) is not verified here, so a stolen one would be accepted.
 */
export function refuseSenderConstrained({ cnf, token_type: type }: Claims): undefined {
  if (cnf !== undefined)
    throw new TokenRefusal(
      'The token is bound to a key of its client (cnf), whose proof this server does not verify: only bearer tokens count.',
      'they are bound to a key (`cnf`), and no proof of it is verified here: its issuer must give this server bearer tokens.',
    );
  if (type === undefined || (typeof type === 'string' && /^bearer$/i.test(type))) return;
  throw new TokenRefusal('The token is no bearer token (token_type).');
}

/** Refuses refresh tokens and ID tokens, which are not meant for a resource. */
export function refuseOtherKinds(claims: Claims): void {
  for (const [name, access] of KINDS) {
    const { [name]: kind } = claims;
    if (kind !== undefined && !(typeof kind === 'string' && access.test(kind)))
      throw new TokenRefusal(`The token is no access token (${name}).`);
  }
}

/** The last second of the year 9999. A later time was meant in milliseconds. */
const LATEST_SECONDS = 253_402_300_799;

export function isExpiry(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value <= LATEST_SECONDS;
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
