/** The member `auth` of a configuration. */
import type { Check } from './parse-sources.ts';
import { isRecord, isStringList, unknownMember } from './shape.ts';

/** RFC 6749, section 3.3; the runtime's own would be one more module at every start of the command. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

const MEMBERS = ['scopes', 'implies', 'scopeMap', 'onBehalf', 'exchange'];

export const authProblem: Check = (value) => {
  if (value === 'oauth' || value === 'none') return undefined;
  if (!isRecord(value))
    return 'must be oauth, none, or an object with "scopes", "implies", "scopeMap", "onBehalf" or "exchange"';
  const stranger = unknownMember(value, MEMBERS);
  if (stranger !== undefined) return stranger;
  const { scopes = [], implies = {}, scopeMap = {}, onBehalf = 'required', exchange = {} } = value;
  if (!isScopes(scopes)) return 'has "scopes" that are no list of scopes';
  if (!isMap(implies)) return 'has an "implies" that gives no list of scopes for each';
  if (!isMap(scopeMap)) return 'has a "scopeMap" that gives no list of scopes for each';
  if (onBehalf !== 'required' && onBehalf !== 'optional')
    return 'has an "onBehalf" that is neither required nor optional';
  return isExchange(exchange)
    ? undefined
    : 'has an "exchange" that does not give "audience", "resource" or "scopes" as lists for each security scheme';
};

function isExchange(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isExchangeRule);
}

function isExchangeRule(value: unknown): boolean {
  if (!isRecord(value) || unknownMember(value, ['audience', 'resource', 'scopes']) !== undefined)
    return false;
  const { audience = [], resource = [], scopes = [] } = value;
  return isStringList(audience) && isStringList(resource) && resource.every(isResource) && isScopes(scopes);
}

/** RFC 8693, section 2.1: an absolute URI without a fragment. */
function isResource(value: string): boolean {
  return URL.canParse(value) && !value.includes('#');
}

function isMap(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isScopes);
}

function isScopes(value: unknown): boolean {
  return isStringList(value) && value.every((scope) => SCOPE.test(scope));
}
