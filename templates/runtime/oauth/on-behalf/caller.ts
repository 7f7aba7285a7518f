// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Credentials that the project's own code gave for a caller, by the variables that hold the server's own. */
import { isRecord } from '../../contract/json-value.ts';
import { canonicalJson } from '../../core/rounds/request-state.ts';
import type { AuthInfo } from '../../definition.ts';
import type { CallerScheme } from '../../on-behalf.ts';
import { isExpiry } from '../claims.ts';

/** The answer that the code must give for a scheme, for messages. */
export const SHAPES: Readonly<Record<CallerScheme['type'], string>> = {
  apiKey: '{ apiKey }',
  basic: '{ username, password? }',
  bearer: '{ token }',
  oauth2: '{ token }',
  http: '{ authorization }',
};

/** Returns undefined for an answer that can't be used. */
export function parseCredentials(scheme: CallerScheme, given: unknown): Record<string, string> | undefined {
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

/** Milliseconds since 1970; 0 without an expiry; undefined if it is no time in the future. */
export function parseExpiry(given: unknown, now: number): number | undefined {
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

/** These claims differ between tokens of the same caller (RFC 7519, section 4.1). */
const TOKEN_CLAIMS = new Set(['exp', 'nbf', 'iat', 'jti']);

const keys = new WeakMap<AuthInfo, string>();

/**
 * Cache key of a caller's credentials: issuer, subject and all else that may decide them, so that a token with fewer scopes, of
 * another client or for another tenant never gets credentials of a wider one.
 */
export function callerKey(caller: AuthInfo): string {
  const known = keys.get(caller);
  if (known !== undefined) return known;
  const { issuer, subject, clientId = null, scopes, claims } = caller;
  const lasting = Object.fromEntries(Object.entries(claims).filter(([name]) => !TOKEN_CLAIMS.has(name)));
  const key = canonicalJson([issuer, subject, clientId, [...scopes].sort(), lasting]);
  keys.set(caller, key);
  return key;
}
