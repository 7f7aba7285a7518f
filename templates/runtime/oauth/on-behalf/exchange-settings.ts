// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Settings of the environment for credentials of callers. */
import { getOwnMember } from '../../contract/json-value.ts';
import { type Bindings, listApis } from '../../contract/bindings.ts';
import { suggestNearest, UsageError } from '../../contract/feature.ts';
import { type Environment, parseEnvChoice, splitList } from '../../main/settings.ts';
import type { WantedCredentials } from '../../feature-loaders.ts';
import type { CallerScheme, OnBehalfMode, ExchangeRule } from '../../definition.ts';
import { parseSecureUrl } from '../settings.ts';

/** RFC 8693, section 2.1. */
export interface ExchangeSettings {
  url: URL;
  clientId: string;
  clientSecret: string;
  /** RFC 6749, section 2.3.1. */
  clientAuth: 'basic' | 'body';
  /** Audience, resource and scopes are for schemes without a rule of their own. */
  audience: readonly string[];
  resource: readonly string[];
  scopes: readonly string[];
  subjectTokenType: string;
  requestedTokenType: string;
}

/** The types of tokens that an API accepts (RFC 8693, section 3). */
export const TOKEN_TYPES = {
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

export function parseExchangeSettings(env: Environment): ExchangeSettings | undefined {
  const value = env[URI] ?? '';
  if (value === '') return refuseUnusedExchangeVariables(env);
  const url = parseSecureUrl(value);
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
    clientAuth: parseEnvChoice(env, 'MCP_AUTH_EXCHANGE_CLIENT_AUTH', ['basic', 'body']),
    audience: splitList(env['MCP_AUTH_EXCHANGE_AUDIENCE']),
    resource: splitList(env['MCP_AUTH_EXCHANGE_RESOURCE']).map(assertResourceUri),
    scopes: (env['MCP_AUTH_EXCHANGE_SCOPES'] ?? '').split(' ').filter((scope) => scope !== ''),
    subjectTokenType: parseTokenType(env, 'MCP_AUTH_EXCHANGE_SUBJECT_TYPE'),
    requestedTokenType: parseTokenType(env, 'MCP_AUTH_EXCHANGE_TOKEN_TYPE'),
  };
}

export function parseOnBehalfMode(env: Environment): OnBehalfMode | undefined {
  const name = 'MCP_AUTH_ON_BEHALF';
  if (!env[name]) return undefined;
  return parseEnvChoice<OnBehalfMode>(env, name, ['required', 'optional']);
}

function refuseUnusedExchangeVariables(env: Environment): undefined {
  const name = OTHERS.map((each) => `MCP_AUTH_EXCHANGE_${each}`).find((each) => env[each]);
  if (name !== undefined) throw new UsageError(`${name} goes with ${URI}: set that as well, or unset it.`);
}

function parseTokenType(env: Environment, name: string): string {
  return TOKEN_TYPES[parseEnvChoice(env, name, ['access_token', 'jwt'])];
}

/** RFC 8693, section 2.1: an absolute URI without a fragment. */
function assertResourceUri(value: string): string {
  if (URL.canParse(value) && !value.includes('#')) return value;
  throw new UsageError(
    `MCP_AUTH_EXCHANGE_RESOURCE must hold absolute URIs without fragments, separated by commas, not ${value}.`,
  );
}

export type ExchangeRules = Readonly<Record<string, ExchangeRule>>;

const TOKEN_SCHEMES: readonly string[] = ['bearer', 'oauth2'] satisfies CallerScheme['type'][];

/** Returns undefined for a scheme without exchange. Scopes default to those of the operation. */
export function makeExchangeTarget(
  { api, name, scheme, scopes }: WantedCredentials,
  rules: ExchangeRules | undefined,
  general: ExchangeSettings,
): Required<ExchangeRule> | undefined {
  if (!TOKEN_SCHEMES.includes(scheme.type)) return undefined;
  const rule = rules === undefined ? {} : findExchangeRule(rules, api, name);
  if (rule === undefined) return undefined;
  const common = general.scopes.length > 0 ? general.scopes : scopes;
  return {
    audience: rule.audience ?? [...general.audience],
    resource: rule.resource ?? [...general.resource],
    scopes: rule.scopes ?? [...common],
  };
}

function findExchangeRule(
  rules: ExchangeRules,
  api: string | undefined,
  scheme: string,
): ExchangeRule | undefined {
  const names = api === undefined ? [scheme] : [`${api}/${scheme}`, scheme];
  const name = names.find((each) => Object.hasOwn(rules, each));
  return name === undefined ? undefined : getOwnMember(rules, name);
}

/** A server of several APIs must have rules, since a token for one API must not be sent to another. */
export function assertExchangeRules(
  rules: ExchangeRules | undefined,
  bindings: Pick<Bindings, 'upstream' | 'upstreams'>,
): void {
  const apis = listApis(bindings);
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
  for (const name of Object.keys(rules)) if (!known.includes(name)) throw unknownSchemeError(name, known);
}

function unknownSchemeError(name: string, known: readonly string[]): UsageError {
  const meant = suggestNearest(name, known);
  return new UsageError(
    `\`auth.exchange\` names ${JSON.stringify(name)}, and no security scheme that sends a token has this name` +
      (meant === undefined ? '.' : `. Did you mean ${JSON.stringify(meant)}?`),
  );
}
