/** The member `auth` of a configuration. */
import type { Check } from './parse-sources.ts';
import { isRecord, isStringList, unknownMember } from './shape.ts';

/** RFC 6749, section 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

export const authProblem: Check = (value) => {
  if (value === 'oauth' || value === 'none') return undefined;
  if (!isRecord(value)) return 'must be oauth, none, or an object with "scopes", "implies" or "scopeMap"';
  const stranger = unknownMember(value, ['scopes', 'implies', 'scopeMap']);
  if (stranger !== undefined) return stranger;
  const { scopes = [], implies = {}, scopeMap = {} } = value;
  if (!isScopes(scopes)) return 'has "scopes" that are no list of scopes';
  if (!isMap(implies)) return 'has an "implies" that gives no list of scopes for each';
  return isMap(scopeMap) ? undefined : 'has a "scopeMap" that gives no list of scopes for each';
};

function isMap(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isScopes);
}

function isScopes(value: unknown): boolean {
  return isStringList(value) && value.every((scope) => SCOPE.test(scope));
}
