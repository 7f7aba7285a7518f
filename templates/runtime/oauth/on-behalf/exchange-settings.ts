/** What the environment says of credentials of callers. */
import { apisOf } from '../../contract/apis.ts';
import type { Bindings } from '../../contract/bindings.ts';
import { suggest } from '../../contract/suggest.ts';
import { type Environment, listOf, UsageError } from '../../main/settings.ts';
import type { CallerScheme, ExchangeRule, OnBehalfMode, WantedCredentials } from '../../on-behalf.ts';
import { secureUrl } from '../settings.ts';

/** RFC 8693, section 2.1. */
export interface ExchangeSettings {
  /** The token endpoint. */
  url: URL;
  clientId: string;
  clientSecret: string;
  /** Where these stand (RFC 6749, section 2.3.1). */
  clientAuth: 'basic' | 'body';
  /** For schemes that have no rule of their own. */
  audience: readonly string[];
  resource: readonly string[];
  scopes: readonly string[];
  subjectTokenType: string;
  requestedTokenType: string;
}

/** RFC 8693, section 3: the two that an API can be sent. */
export const TOKEN_TYPES: Readonly<Record<string, string>> = {
  access_token: 'urn:ietf:params:oauth:token-type:access_token',
  jwt: 'urn:ietf:params:oauth:token-type:jwt',
};

const URI = 'MCP_AUTH_EXCHANGE_URI';
const OTHERS = [
  'CLIENT_ID',
  'CLIENT_SECRET',
  'CLIENT_AUTH',
  'AUDIENCE',
  'RESOURCE',
  'SCOPES',
  'SUBJECT_TYPE',
  'TOKEN_TYPE',
];

/** Undefined: there is none. @throws {UsageError} naming the variable that is missing or can't be used */
export function readExchangeSettings(env: Environment): ExchangeSettings | undefined {
  const value = env[URI] ?? '';
  if (value === '') return refuseLeftOver(env);
  const url = secureUrl(value);
  if (url === undefined)
    throw new UsageError(
      `${URI} must be an https URL without a user and a fragment (http on this machine alone): the token endpoint.`,
    );
  const { MCP_AUTH_EXCHANGE_CLIENT_ID: clientId = '', MCP_AUTH_EXCHANGE_CLIENT_SECRET: clientSecret = '' } =
    env;
  if (clientId === '' || clientSecret === '')
    throw new UsageError(
      `${URI} needs MCP_AUTH_EXCHANGE_CLIENT_ID and MCP_AUTH_EXCHANGE_CLIENT_SECRET: tokens are exchanged for clients that are known.`,
    );
  return {
    url,
    clientId,
    clientSecret,
    clientAuth: oneOf(env, 'MCP_AUTH_EXCHANGE_CLIENT_AUTH', ['basic', 'body']),
    audience: listOf(env['MCP_AUTH_EXCHANGE_AUDIENCE']),
    resource: listOf(env['MCP_AUTH_EXCHANGE_RESOURCE']).map(resourceOf),
    scopes: (env['MCP_AUTH_EXCHANGE_SCOPES'] ?? '').split(' ').filter((scope) => scope !== ''),
    subjectTokenType: tokenTypeOf(env, 'MCP_AUTH_EXCHANGE_SUBJECT_TYPE'),
    requestedTokenType: tokenTypeOf(env, 'MCP_AUTH_EXCHANGE_TOKEN_TYPE'),
  };
}

/** Undefined: the environment does not say. @throws {UsageError} */
export function readOnBehalfMode(env: Environment): OnBehalfMode | undefined {
  const name = 'MCP_AUTH_ON_BEHALF';
  if (!env[name]) return undefined;
  return oneOf<OnBehalfMode>(env, name, ['required', 'optional']);
}

/** Nothing would come of them. */
function refuseLeftOver(env: Environment): undefined {
  const name = OTHERS.map((each) => `MCP_AUTH_EXCHANGE_${each}`).find((each) => env[each]);
  if (name !== undefined) throw new UsageError(`${name} goes with ${URI}: set that as well, or unset it.`);
}

/** The first is the default. */
function oneOf<W extends string>(env: Environment, name: string, words: readonly [W, W]): W {
  const value = env[name] ?? '';
  const found = value === '' ? words[0] : words.find((word) => word === value);
  if (found !== undefined) return found;
  throw new UsageError(`${name} must be ${words.join(' or ')}, not ${value}.`);
}

function tokenTypeOf(env: Environment, name: string): string {
  const { access_token: type = '' } = TOKEN_TYPES;
  const word = oneOf(env, name, ['access_token', 'jwt']);
  return TOKEN_TYPES[word] ?? type;
}

/** RFC 8693, section 2.1: an absolute URI without a fragment. */
function resourceOf(value: string): string {
  if (URL.canParse(value) && !value.includes('#')) return value;
  throw new UsageError(
    `MCP_AUTH_EXCHANGE_RESOURCE must hold absolute URIs without fragments, separated by commas, not ${value}.`,
  );
}

/** Exchange rules: the schemes that exchange a caller's token, and the audience, resource and scopes they ask for. */

/** By scheme, or by `<api>/<scheme>` in a server of several APIs. */
export type ExchangeRules = Readonly<Record<string, ExchangeRule>>;

/** Schemes that send a token. */
const TOKEN_SCHEMES: readonly string[] = ['bearer', 'oauth2'] satisfies CallerScheme['type'][];

/**
 * What is asked for, undefined for a scheme without exchange. A rule says it first, then the environment; scopes of neither
 * are those that the operation needs.
 */
export function targetOf(
  { api, name, scheme, scopes }: WantedCredentials,
  rules: ExchangeRules | undefined,
  general: ExchangeSettings,
): Required<ExchangeRule> | undefined {
  if (!TOKEN_SCHEMES.includes(scheme.type)) return undefined;
  const rule = rules === undefined ? {} : ruleOf(rules, api, name);
  if (rule === undefined) return undefined;
  const common = general.scopes.length > 0 ? general.scopes : scopes;
  return {
    audience: rule.audience ?? [...general.audience],
    resource: rule.resource ?? [...general.resource],
    scopes: rule.scopes ?? [...common],
  };
}

function ruleOf(rules: ExchangeRules, api: string | undefined, scheme: string): ExchangeRule | undefined {
  const names = [...(api === undefined ? [] : [`${api}/${scheme}`]), scheme];
  const name = names.find((each) => Object.hasOwn(rules, each));
  return name === undefined ? undefined : rules[name];
}

/**
 * Whether each rule is of a scheme that there is; and with several APIs, whether it is said which of them get tokens: one
 * that is meant for one API must not go to another.
 *
 * @throws {UsageError}
 */
export function checkRules(
  rules: ExchangeRules | undefined,
  bindings: Pick<Bindings, 'upstream' | 'upstreams'>,
): void {
  const apis = apisOf(bindings);
  if (rules === undefined) {
    if (apis.length < 2) return;
    throw new UsageError(
      'MCP_AUTH_EXCHANGE_URI is set, and this server has several APIs: `auth.exchange` of its configuration must say for ' +
        'which security schemes tokens are exchanged, and what audience each has.',
    );
  }
  const known = apis.flatMap(({ name: api, securitySchemes }) =>
    Object.entries(securitySchemes)
      .filter(([, { type }]) => TOKEN_SCHEMES.includes(type))
      .flatMap(([name]) => (api === undefined ? [name] : [name, `${api}/${name}`])),
  );
  for (const name of Object.keys(rules)) if (!known.includes(name)) throw unknownScheme(name, known);
}

function unknownScheme(name: string, known: readonly string[]): UsageError {
  const meant = suggest(name, known);
  return new UsageError(
    `\`auth.exchange\` names ${JSON.stringify(name)}, and no security scheme that sends a token has this name` +
      (meant === undefined ? '.' : `. Did you mean ${JSON.stringify(meant)}?`),
  );
}
