/** The member `auth` of a configuration. */

import type { ExchangeRule } from '../../../templates/runtime/features/exchange/settings.ts';
import {
  type Check,
  makeListCheck,
  makeMapCheck,
  makePredicateCheck,
  makeObjectCheck,
  makeChoiceCheck,
  texts,
  makeTextCheck,
} from './shape.ts';

/** OAuth with or without rules, or none. */
export type AuthChoice = 'oauth' | 'none' | AuthRules;

export interface AuthRules {
  /** Scopes that every request needs. Default none. */
  scopes?: string[];
  /** Scope → narrower scopes that it includes. Default none. */
  implies?: Record<string, string[]>;
  /** Scope of a source → scopes that callers need instead. Default: the same. */
  scopeMap?: Record<string, string[]>;
  /** Whether callers must have their own credentials for the API. `required` here or in `MCP_AUTH_ON_BEHALF` wins. Default `required`. */
  onBehalf?: 'required' | 'optional';
  /**
   * Security scheme, or `<api>/<scheme>`, → parameters of the token that is requested in exchange for the caller's (RFC 8693).
   * Default: those in the environment, for all schemes that send a token.
   */
  exchange?: Record<string, ExchangeRule>;
}

/** RFC 6749, section 3.3. Importing the pattern of the runtime would load one more module at every start of the command. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

const scopes = makeListCheck(
  makeTextCheck((scope) =>
    SCOPE.test(scope) ? undefined : 'a scope must not contain spaces, quotes or backslashes',
  ),
  'must be a list of scopes',
);
const scopeMap = makeMapCheck(scopes, 'must be an object whose values are lists of scopes');

/** RFC 8693, section 2.1: an absolute URI without a fragment. */
const resource = makeTextCheck((uri) =>
  URL.canParse(uri) && !uri.includes('#') ? undefined : 'it must be an absolute URI without a fragment',
);

const exchangeRule = makeObjectCheck(
  {
    audience: texts,
    resource: makeListCheck(resource, 'must be a list of URIs'),
    scopes,
  },
  'must be an object with "audience", "resource" or "scopes"',
);

const WORDS =
  'must be oauth, none, or an object with "scopes", "implies", "scopeMap", "onBehalf" or "exchange"';

const rules = makeObjectCheck(
  {
    scopes,
    implies: scopeMap,
    scopeMap,
    onBehalf: makeChoiceCheck('required', 'optional'),
    exchange: makeMapCheck(exchangeRule, 'must be an object with a rule per security scheme'),
  },
  WORDS,
);

const word = makePredicateCheck((value) => value === 'oauth' || value === 'none', WORDS);

export const checkAuth: Check = (value, path) => (typeof value === 'string' ? word : rules)(value, path);
