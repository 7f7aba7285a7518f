/** Credentials that the project's own code gave for a caller, by the variables that hold the server's own. */
import { isRecord } from '../../contract/json-value.ts';
import { canonicalJson } from '../../core/rounds/request-state.ts';
import type { AuthInfo } from '../../definition.ts';
import type { CallerScheme } from '../../on-behalf.ts';
import { isExpiry } from '../claims.ts';

/** What the code must answer for a scheme, in words. */
const SHAPES: Readonly<Record<CallerScheme['type'], string>> = {
  apiKey: '{ apiKey }',
  basic: '{ username, password? }',
  bearer: '{ token }',
  oauth2: '{ token }',
  http: '{ authorization }',
};

export function shapeOf({ type }: CallerScheme): string {
  return SHAPES[type];
}

/** Undefined for what can't be used: a person's code may answer anything. */
export function valuesOf(scheme: CallerScheme, given: unknown): Record<string, string> | undefined {
  if (!isRecord(given)) return undefined;
  switch (scheme.type) {
    case 'apiKey':
      return named(scheme.env.key, given['apiKey']);
    case 'basic': {
      const { username, password = '' } = given;
      if (!isText(username) || typeof password !== 'string') return undefined;
      return { [scheme.env.username]: username, [scheme.env.password]: password };
    }
    case 'bearer':
    case 'oauth2':
      return named(scheme.env.token, given['token']);
    case 'http':
      return named(scheme.env.authorization, given['authorization']);
  }
}

/** Milliseconds since 1970; 0 where it does not say; undefined where it says what is no time to come. */
export function expiryOf(given: unknown, now: number): number | undefined {
  const { expiresAt } = isRecord(given) ? given : {};
  if (expiresAt === undefined) return 0;
  return isExpiry(expiresAt) && expiresAt * 1000 > now ? expiresAt * 1000 : undefined;
}

function named(variable: string, value: unknown): Record<string, string> | undefined {
  return isText(value) ? { [variable]: value } : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Cache key of a caller: credentials of two keys are never mixed. */

/** Claims of one token, which the next of the same caller has otherwise (RFC 7519, section 4.1). */
const OF_ONE_TOKEN = new Set(['exp', 'nbf', 'iat', 'jti']);

const keys = new WeakMap<AuthInfo, string>();

/**
 * Issuer and subject, and all else that may decide what credentials are theirs: a token of fewer scopes, of another client
 * or for another tenant does not get at what a wider one was given.
 */
export function callerKey(caller: AuthInfo): string {
  const known = keys.get(caller);
  if (known !== undefined) return known;
  const { issuer, subject, clientId = null, scopes, claims } = caller;
  const lasting = Object.fromEntries(Object.entries(claims).filter(([name]) => !OF_ONE_TOKEN.has(name)));
  const key = canonicalJson([issuer, subject, clientId, [...scopes].sort(), lasting]);
  keys.set(caller, key);
  return key;
}
