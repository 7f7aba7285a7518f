/** What the environment says of tokens. */
import { type Environment, listOf, switchOf, UsageError, withoutSecret } from '../main/settings.ts';
import { secureName, secureUrl } from './secure-url.ts';
import { AUTH_VARIABLES } from './variables.ts';

export interface AuthSettings {
  /** As tokens say it (`iss`); compared character by character. At least one. */
  issuers: readonly string[];
  /** At least one. */
  audiences: readonly string[];
  /** This server (RFC 9728, `resource`). */
  resource: URL;
  /** Of the only issuer. Default: found out. */
  jwksUri?: URL;
  /** All asymmetric. */
  algorithms: readonly string[];
  /** Tokens of the type `JWT`, or of none, count too. */
  plainJwt: boolean;
  /** A slash at the end makes no other audience. */
  trailingSlash: boolean;
  toleranceSeconds: number;
  /** Tokens that are no JWT are asked about. Default: they are refused. */
  introspection?: Introspection;
  /** `/.well-known/oauth-authorization-server` is served. */
  pointer: boolean;
}

/** RFC 7662, section 2. */
export interface Introspection {
  url: URL;
  clientId: string;
  clientSecret: string;
}

/** @throws {UsageError} naming the variable that is missing or can't be used */
export function readAuthSettings(env: Environment): AuthSettings {
  const issuers = required(
    env,
    'MCP_AUTH_ISSUER',
    'who issues the tokens that count, such as https://id.example.com',
  );
  const audiences = required(
    env,
    'MCP_AUTH_AUDIENCE',
    'the URL of this server, such as https://mcp.example.com/mcp',
  );
  for (const issuer of issuers) nameOf('MCP_AUTH_ISSUER', issuer);
  const jwksUri = optionalUrl(env, 'MCP_AUTH_JWKS_URI');
  if (jwksUri !== undefined && issuers.length > 1)
    throw new UsageError(
      'MCP_AUTH_JWKS_URI goes with one issuer, and MCP_AUTH_ISSUER names several: unset it.',
    );
  const introspection = introspectionOf(env);
  return {
    issuers,
    audiences,
    resource: resourceOf(env, audiences),
    ...(jwksUri === undefined ? {} : { jwksUri }),
    algorithms: algorithmsOf(env),
    plainJwt: switchOf('MCP_AUTH_PLAIN_JWT', env['MCP_AUTH_PLAIN_JWT']),
    trailingSlash: switchOf('MCP_AUTH_TRAILING_SLASH', env['MCP_AUTH_TRAILING_SLASH']),
    toleranceSeconds: toleranceOf(env),
    ...(introspection === undefined ? {} : { introspection }),
    pointer: switchOf('MCP_AUTH_SERVER_POINTER', env['MCP_AUTH_SERVER_POINTER']),
  };
}

function required(env: Environment, name: string, what: string): string[] {
  const values = listOf(env[name]);
  if (values.length > 0) return values;
  throw new UsageError(`${name} is not set. Over HTTP this server asks for tokens, so it must know ${what}.`);
}

/** Of RFC 9728, section 1.2: without a fragment. */
function resourceOf(env: Environment, audiences: readonly string[]): URL {
  const given = env['MCP_AUTH_RESOURCE'] ?? '';
  if (given !== '') return nameOf('MCP_AUTH_RESOURCE', given);
  const url = audiences.map(secureName).find((each) => each !== undefined);
  if (url !== undefined) return url;
  throw new UsageError(
    'MCP_AUTH_RESOURCE is not set, and no MCP_AUTH_AUDIENCE is an https URL: clients must be told the URL of this server.',
  );
}

function optionalUrl(env: Environment, name: string): URL | undefined {
  const value = env[name] ?? '';
  return value === '' ? undefined : urlOf(name, value);
}

function urlOf(name: string, value: string): URL {
  const url = secureUrl(value);
  if (url !== undefined) return url;
  throw new UsageError(
    `${name} must be an https URL without a user and a fragment (http on this machine alone), not ${withoutSecret(value)}.`,
  );
}

function nameOf(name: string, value: string): URL {
  const url = secureName(value);
  if (url !== undefined) return url;
  throw new UsageError(
    `${name} must be an https URL without user, query and fragment (http on this machine alone), not ${withoutSecret(value)}.`,
  );
}

function algorithmsOf(env: Environment): string[] {
  const name = 'MCP_AUTH_ALGORITHMS';
  const known = listOf(AUTH_VARIABLES.find((variable) => variable.name === name)?.default);
  const given = listOf(env[name]);
  const stranger = given.find((each) => !known.includes(each));
  if (stranger === undefined) return given.length === 0 ? known : given;
  throw new UsageError(
    `${name} can't hold ${stranger}: only signatures by a private key count, ${known.join(', ')}.`,
  );
}

/** Five minutes at most: more would be no tolerance, but a longer life for every token. */
function toleranceOf(env: Environment): number {
  const value = env['MCP_AUTH_TOLERANCE_SECONDS'] || '5';
  if (/^\d{1,3}$/.test(value) && Number(value) <= 300) return Number(value);
  throw new UsageError(`MCP_AUTH_TOLERANCE_SECONDS must be a whole number, 0 to 300, not ${value}.`);
}

function introspectionOf(env: Environment): Introspection | undefined {
  const url = optionalUrl(env, 'MCP_AUTH_INTROSPECTION_URI');
  if (url === undefined) return refuseLeftOver(env);
  const { MCP_AUTH_CLIENT_ID: clientId = '', MCP_AUTH_CLIENT_SECRET: clientSecret = '' } = env;
  if (clientId !== '' && clientSecret !== '') return { url, clientId, clientSecret };
  throw new UsageError(
    'MCP_AUTH_INTROSPECTION_URI needs MCP_AUTH_CLIENT_ID and MCP_AUTH_CLIENT_SECRET: issuers answer nobody they do not know.',
  );
}

/** Whoever set them means tokens to be asked about, and nobody would be. */
function refuseLeftOver(env: Environment): undefined {
  const name = ['MCP_AUTH_CLIENT_ID', 'MCP_AUTH_CLIENT_SECRET'].find((each) => env[each]);
  if (name !== undefined)
    throw new UsageError(`${name} goes with MCP_AUTH_INTROSPECTION_URI: set that as well, or unset it.`);
}
