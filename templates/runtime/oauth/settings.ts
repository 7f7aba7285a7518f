// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Settings of the environment for tokens of callers, and the limits of their checks. */
import { omitUndefined } from '../contract/json-value.ts';
import {
  type Environment,
  parseInteger,
  parseEnvSwitch,
  splitList,
  omitUrlSecrets,
} from '../main/settings.ts';
import { UsageError } from '../contract/feature.ts';
import { isLoopback } from '../transports/http/read-request.ts';
import { AUTH_VARIABLES } from '../contract/auth-variables.ts';

export interface AuthSettings {
  /** `iss` of tokens, compared character by character. At least one, as of audiences. */
  issuers: readonly string[];
  audiences: readonly string[];
  /** The URL of this server (RFC 9728, `resource`). */
  resource: URL;
  /** Where the keys of the only issuer are. Default: the URL that the issuer's metadata names. */
  jwksUri?: URL;
  /** Only asymmetric algorithms may sign a token. */
  algorithms: readonly string[];
  /** Tokens of the type `JWT`, or without a type, are accepted too. */
  plainJwt: boolean;
  trailingSlash: boolean;
  toleranceSeconds: number;
  /** Checks tokens that are no JWT. Default: they are refused. */
  introspection?: Introspection;
  /** Whether `/.well-known/oauth-authorization-server` is served. */
  pointer: boolean;
}

/** RFC 7662, section 2. */
export interface Introspection {
  url: URL;
  clientId: string;
  clientSecret: string;
}

export function parseAuthSettings(env: Environment): AuthSettings {
  const issuers = parseRequiredList(
    env,
    'MCP_AUTH_ISSUER',
    'who issues the tokens that count, such as https://id.example.com',
  );
  const audiences = parseRequiredList(
    env,
    'MCP_AUTH_AUDIENCE',
    'the URL of this server, such as https://mcp.example.com/mcp',
  );
  for (const issuer of issuers) parseIdentifierUrl('MCP_AUTH_ISSUER', issuer);
  const jwksUri = parseUrlVariable(env, 'MCP_AUTH_JWKS_URI');
  if (jwksUri !== undefined && issuers.length > 1)
    throw new UsageError(
      'MCP_AUTH_JWKS_URI goes with one issuer, and MCP_AUTH_ISSUER names several: unset it.',
    );
  const introspection = parseIntrospection(env);
  return {
    issuers,
    audiences,
    resource: readResource(env, audiences),
    algorithms: parseAlgorithms(env),
    plainJwt: parseEnvSwitch(env, 'MCP_AUTH_PLAIN_JWT'),
    trailingSlash: parseEnvSwitch(env, 'MCP_AUTH_TRAILING_SLASH'),
    // More than five minutes would be a longer life for every token.
    toleranceSeconds: parseInteger(
      'MCP_AUTH_TOLERANCE_SECONDS',
      env['MCP_AUTH_TOLERANCE_SECONDS'] || '5',
      0,
      300,
    ),
    ...omitUndefined({ jwksUri, introspection }),
    pointer: parseEnvSwitch(env, 'MCP_AUTH_SERVER_POINTER'),
  };
}

function parseRequiredList(env: Environment, name: string, what: string): string[] {
  const values = splitList(env[name]);
  if (values.length > 0) return values;
  throw new UsageError(`${name} is not set. Over HTTP this server asks for tokens, so it must know ${what}.`);
}

/** The default is the first audience that is a URL without a fragment (RFC 9728, section 1.2). */
function readResource(env: Environment, audiences: readonly string[]): URL {
  const given = env['MCP_AUTH_RESOURCE'] ?? '';
  if (given !== '') return parseIdentifierUrl('MCP_AUTH_RESOURCE', given);
  const url = audiences.map(toIdentifierUrl).find((each) => each !== undefined);
  if (url !== undefined) return url;
  throw new UsageError(
    'MCP_AUTH_RESOURCE is not set, and no MCP_AUTH_AUDIENCE is an https URL: clients must be told the URL of this server.',
  );
}

function parseUrlVariable(env: Environment, name: string): URL | undefined {
  const value = env[name] ?? '';
  return value === '' ? undefined : parseUrl(name, value, parseSecureUrl, 'a user and a fragment');
}

function parseIdentifierUrl(name: string, value: string): URL {
  return parseUrl(name, value, toIdentifierUrl, 'user, query and fragment');
}

function parseUrl(name: string, value: string, parse: typeof toIdentifierUrl, excluded: string): URL {
  const url = parse(value);
  if (url !== undefined) return url;
  throw new UsageError(
    `${name} must be an https URL without ${excluded} (http on this machine alone), not ${omitUrlSecrets(value)}.`,
  );
}

function parseAlgorithms(env: Environment): string[] {
  const name = 'MCP_AUTH_ALGORITHMS';
  const known = splitList(AUTH_VARIABLES.find((variable) => variable.name === name)?.default);
  const given = splitList(env[name]);
  const stranger = given.find((each) => !known.includes(each));
  if (stranger === undefined) return given.length === 0 ? known : given;
  throw new UsageError(
    `${name} can't hold ${stranger}: only signatures by a private key count, ${known.join(', ')}.`,
  );
}

function parseIntrospection(env: Environment): Introspection | undefined {
  const url = parseUrlVariable(env, 'MCP_AUTH_INTROSPECTION_URI');
  if (url === undefined) return refuseUnusedClientVariables(env);
  const { MCP_AUTH_CLIENT_ID: clientId = '', MCP_AUTH_CLIENT_SECRET: clientSecret = '' } = env;
  if (clientId !== '' && clientSecret !== '') return { url, clientId, clientSecret };
  throw new UsageError(
    'MCP_AUTH_INTROSPECTION_URI needs MCP_AUTH_CLIENT_ID and MCP_AUTH_CLIENT_SECRET: issuers answer nobody they do not know.',
  );
}

function refuseUnusedClientVariables(env: Environment): undefined {
  const name = ['MCP_AUTH_CLIENT_ID', 'MCP_AUTH_CLIENT_SECRET'].find((each) => env[each]);
  if (name !== undefined)
    throw new UsageError(`${name} goes with MCP_AUTH_INTROSPECTION_URI: set that as well, or unset it.`);
}

/** Undefined unless the URL is https, or http on loopback: nobody can forge its answers. */
export function parseSecureUrl(text: unknown): URL | undefined {
  if (typeof text !== 'string' || !URL.canParse(text) || /[\s#]/.test(text)) return undefined;
  const url = new URL(text);
  const isSecure =
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[(.*)\]$/, '$1')));
  return isSecure && url.username === '' && url.password === '' ? url : undefined;
}

/** Issuers and resources have no query either (RFC 8414, section 2; RFC 9728, section 1.2). */
function toIdentifierUrl(text: unknown): URL | undefined {
  const url = parseSecureUrl(text);
  return url === undefined || url.href.includes('?') ? undefined : url;
}

/** Limits of the checks of tokens; times are in milliseconds. */
export const AUTH_LIMITS = {
  /** Age at which keys of an issuer are fetched anew, and JWTs that they verified are checked again. */
  keysMs: 10 * 60_000,
  /** Further time for which keys remain valid while their issuer can't be reached. */
  staleKeysMs: 60 * 60_000,
  cooldownMs: 30_000,
  /** Pause after a fetch that failed. */
  failureMs: 5_000,
  /** Number of good tokens that are cached, and of bad ones; the one that was checked first is dropped first. */
  tokens: 10_000,
  /** An introspected token may be revoked, so it is cached no longer. */
  introspectionMs: 30_000,
  /** `verifyToken` checks the token of an open stream or socket again after this time. */
  ownMs: 30_000,
  ownTimeoutMs: 5_000,
  ownChecks: 1_000,
  /** How long a check that runs beyond its time still counts among `ownChecks`. */
  ownLateMs: 60_000,
  refusedMs: 5_000,
  /** Streams and sockets stay open for this time while their token can't be checked. */
  uncheckedMs: 60_000,
  /** Most introspections at the same time; others wait. */
  questions: 64,
  /** Useless introspections in a row, after which none is sent for `failureMs`. */
  failuresInARow: 10,
  /** Checks of one address that end in a refusal, or in an introspection without an answer. */
  refusalsPerMinute: 300,
  /** Further checks of JWTs: a signature costs about as much as a request. */
  spareJwtsPerMinute: 3_000,
  /** Further checks of tokens that are no JWT: each needs an introspection. */
  spareQuestionsPerMinute: 120,
  /** Time without a check beyond the limit, after which the log reports the end. */
  calmMs: 60_000,
  reportedAddresses: 100,
  /** Addresses whose refusals are counted. */
  addresses: 10_000,
};

export const RETRY_SECONDS = String(AUTH_LIMITS.failureMs / 1000);

export type AuthLimits = typeof AUTH_LIMITS;
