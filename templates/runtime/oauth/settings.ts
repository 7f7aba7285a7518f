/** What the environment says of tokens. */
import { type Environment, listOf, switchOf, UsageError, withoutSecret } from '../main/settings.ts';
import { isLoopback } from '../transports/http/origin-check.ts';
import { AUTH_VARIABLES } from '../contract/auth-variables.ts';

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

/**
 * An absolute URL that nobody in between can answer: https, or http on this machine. Without a user and a fragment.
 */
export function secureUrl(text: unknown): URL | undefined {
  if (typeof text !== 'string' || !URL.canParse(text) || /[\s#]/.test(text)) return undefined;
  const url = new URL(text);
  const isSecure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(bareHost(url)));
  return isSecure && url.username === '' && url.password === '' ? url : undefined;
}

/** Without a query too, as issuers and resources are written (RFC 8414, section 2; RFC 9728, section 1.2). */
function secureName(text: unknown): URL | undefined {
  const url = secureUrl(text);
  return url === undefined || url.href.includes('?') ? undefined : url;
}

function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** The bounds of what is kept of issuers and tokens. */
export const AUTH_LIMITS = {
  /** Milliseconds after which the keys of an issuer are fetched anew, and a JWT that they verified is looked at again. */
  keysMs: 10 * 60_000,
  /** Milliseconds that keys count for while their issuer can't be reached. */
  staleKeysMs: 60 * 60_000,
  /** Milliseconds from one fetch of keys to the next for the sake of a token whose key is not among them. */
  cooldownMs: 30_000,
  /** Milliseconds after a fetch that failed during which none is tried. */
  failureMs: 5_000,
  /** Tokens that are remembered as good, and as many as bad: the one that was checked longest ago is forgotten first. */
  tokens: 10_000,
  /** Milliseconds that a token that was asked about is remembered, and never longer than it is valid: it may be revoked meanwhile. */
  introspectionMs: 30_000,
  /** Milliseconds after which a token that the project's own code took is looked at again, for what it opened and still lasts. */
  ownMs: 30_000,
  /** Milliseconds that the project's own code has to check a token. */
  ownTimeoutMs: 5_000,
  /** Checks of tokens that the project's own code has under way at a time. */
  ownChecks: 1_000,
  /** Milliseconds that one which goes on after its time is still counted among them. */
  ownLateMs: 60_000,
  /** Milliseconds that a bad token is remembered. */
  refusedMs: 5_000,
  /** Milliseconds that what a token opened goes on while nobody can say whether it is still good. */
  uncheckedMs: 60_000,
  /** Questions about tokens under way at a time; others wait. */
  questions: 64,
  /** Answers in a row that say nothing of their tokens, after which nobody is asked for `failureMs`. */
  failuresInARow: 10,
  /** Checks a minute of one address that end in a refusal, or in a question without an answer. */
  refusalsPerMinute: 300,
  /** Checks a minute beyond these that an address still has, of JWTs: to look at a signature costs about as much as a request. */
  spareJwtsPerMinute: 3_000,
  /** The same, of other tokens: somebody is asked about each. */
  spareQuestionsPerMinute: 120,
  /** Milliseconds without a check beyond the limit, after which the log says that it is over. */
  calmMs: 60_000,
  /** Addresses of which the log says so at one time. */
  toldAddresses: 100,
  /** Addresses whose refusals are counted. */
  addresses: 10_000,
};

/** After which issuers that could not be reached may be there again. */
export const RETRY_SECONDS = String(AUTH_LIMITS.failureMs / 1000);

export type AuthLimits = typeof AUTH_LIMITS;
