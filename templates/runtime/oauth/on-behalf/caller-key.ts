/** What tells callers apart whose credentials must not be mixed. */
import { canonicalJson } from '../../core/rounds/request-state.ts';
import type { AuthInfo } from '../../definition.ts';

/** Claims of one token, which the next of the same caller has otherwise (RFC 7519, section 4.1). */
const OF_ONE_TOKEN = new Set(['exp', 'nbf', 'iat', 'jti']);

const keys = new WeakMap<AuthInfo, string>();

/** Issuer and subject as one text: who it is, whatever the token says beside it. */
export function subjectKey({ issuer, subject }: AuthInfo): string {
  return JSON.stringify([issuer, subject]);
}

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
