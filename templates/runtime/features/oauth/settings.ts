// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What the environment says of tokens, and the bounds of their checks. */
import { getSetting, parseChoice, type Setting } from '../../settings.ts';
import { type Env, UsageError } from '../../types.ts';
import { type Client, parseSecureUrl } from '../issuer-client.ts';

/** Only keys that the issuer alone has: with a shared secret, its public key could sign (RFC 8725, section 2.1). */
export const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

export const SETTINGS: readonly Setting[] = [
  {
    variable: 'MCP_AUTH_ISSUER',
    help: 'Accepted issuers of tokens (iss). Required over HTTP, as is the next.',
  },
  {
    variable: 'MCP_AUTH_AUDIENCE',
    help: 'Accepted audiences (aud): the URL of this server. Lists are separated by commas.',
  },
  { variable: 'MCP_AUTH_RESOURCE', help: 'The URL of this server, if the first audience is none.' },
  { variable: 'MCP_AUTH_JWKS_URI', help: "Where the issuer's keys are. Default: where its metadata says." },
  { variable: 'MCP_AUTH_PLAIN_JWT', help: '1: tokens of the type JWT, or of none, are accepted too.' },
  { variable: 'MCP_AUTH_INTROSPECTION_URI', help: 'Where to ask about tokens that are no JWT (RFC 7662).' },
  { variable: 'MCP_AUTH_CLIENT_ID', help: 'Client id of this server there.' },
  { variable: 'MCP_AUTH_CLIENT_SECRET', help: 'Its secret.' },
];

/** Times are in milliseconds. */
export const AUTH_LIMITS = {
  /** Keys of an issuer are fetched again after this time, and what they verified is checked again. */
  keysMs: 10 * 60_000,
  /** While their issuer can't be asked, keys count for this further time. */
  staleKeysMs: 60 * 60_000,
  /** Between fetches for a key that is not known: anyone can name one. */
  cooldownMs: 30_000,
  /** After a fetch that failed. */
  failureMs: 5_000,
  /** Accepted tokens that are remembered, and refused ones. */
  tokens: 10_000,
  refusedMs: 5_000,
  /** What others say of a token counts for this time: its issuer, or `verifyToken`. */
  introspectionMs: 30_000,
  /** Useless introspections in a row, after which none is sent for `failureMs`. */
  failuresInARow: 10,
  /** A check by `verifyToken`. */
  ownTimeoutMs: 5_000,
  /** Streams stay open for this time while their token can't be checked. */
  uncheckedMs: 60_000,
  /** Checks a minute of one address for which somebody is asked, and that end in a refusal. */
  refusalsPerMinute: 300,
  /** How far clocks may differ. */
  toleranceSeconds: 5,
};

export interface AuthSettings {
  /** `iss` of tokens, compared character by character. At least one, as of audiences. */
  issuers: string[];
  audiences: string[];
  /** The URL of this server (RFC 9728, section 2, `resource`). */
  resource: URL;
  jwksUri: URL | undefined;
  takesPlainJwt: boolean;
  introspection: ({ url: URL } & Client) | undefined;
}

/** @throws {UsageError} for what can't be used, or has no effect */
export function readAuthSettings(env: Env): AuthSettings {
  const issuers = readList(env, 'MCP_AUTH_ISSUER');
  const audiences = readList(env, 'MCP_AUTH_AUDIENCE');
  if (issuers.length === 0 || audiences.length === 0)
    throw new UsageError(
      'Set MCP_AUTH_ISSUER, who issues the tokens, such as https://id.example.com, and MCP_AUTH_AUDIENCE, the URL of this server, such as https://mcp.example.com/mcp.',
    );
  for (const issuer of issuers) requireUrl('MCP_AUTH_ISSUER', issuer, toIdentifier);
  const jwksUri = readUrl(env, 'MCP_AUTH_JWKS_URI');
  if (jwksUri !== undefined && issuers.length > 1)
    throw new UsageError('MCP_AUTH_JWKS_URI goes with one issuer, and MCP_AUTH_ISSUER names several.');
  return {
    issuers,
    audiences,
    resource: readResource(env, audiences),
    jwksUri,
    takesPlainJwt: parseChoice(getSetting({}, env, '', 'MCP_AUTH_PLAIN_JWT'), ['0', '1']) === '1',
    introspection: readIntrospection(env),
  };
}

export function readList(env: Env, name: string): string[] {
  const parts = (env[name] ?? '').split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

/** The first audience that is a URL, unless the operator names another. */
function readResource(env: Env, audiences: readonly string[]): URL {
  const { MCP_AUTH_RESOURCE: text = '' } = env;
  if (text !== '') return requireUrl('MCP_AUTH_RESOURCE', text, toIdentifier);
  const url = audiences.map(toIdentifier).find((candidate) => candidate !== undefined);
  if (url !== undefined) return url;
  throw new UsageError(
    'MCP_AUTH_RESOURCE is not set, and no MCP_AUTH_AUDIENCE is an https URL: clients must learn the URL of this server.',
  );
}

function readIntrospection(env: Env): AuthSettings['introspection'] {
  const url = readUrl(env, 'MCP_AUTH_INTROSPECTION_URI');
  const { MCP_AUTH_CLIENT_ID: clientId = '', MCP_AUTH_CLIENT_SECRET: clientSecret = '' } = env;
  if (new Set([url === undefined, clientId === '', clientSecret === '']).size > 1)
    throw new UsageError(
      'MCP_AUTH_INTROSPECTION_URI, MCP_AUTH_CLIENT_ID and MCP_AUTH_CLIENT_SECRET go together: set all three, or none.',
    );
  return url && { url, clientId, clientSecret };
}

export function readUrl(env: Env, name: string): URL | undefined {
  const { [name]: text = '' } = env;
  return text === '' ? undefined : requireUrl(name, text, parseSecureUrl);
}

function requireUrl(name: string, text: string, parse: (text: string) => URL | undefined): URL {
  const url = parse(text);
  if (url !== undefined) return url;
  // The text may hold a password.
  throw new UsageError(
    `${name} must be an https URL (http on this machine alone) without a user and a fragment${parse === toIdentifier ? ', and without a query' : ''}.`,
  );
}

/** Issuers and resources have no query (RFC 8414, section 2; RFC 9728, section 1.2). */
function toIdentifier(text: string): URL | undefined {
  const url = parseSecureUrl(text);
  return url?.href.includes('?') === true ? undefined : url;
}
