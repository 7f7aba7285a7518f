/**
 * Chooses and reads credentials (OpenAPI Security Requirement Object): of several requirements one is enough, of one
 * requirement every scheme is needed.
 */
import type {
  HttpBinding,
  SecurityRequirement,
  SecuritySchemeBinding,
  UpstreamBinding,
} from '../contract/bindings.ts';
import { hostSuffix, ownServer } from './server-url.ts';
import type { UpstreamSettings } from './settings.ts';
import { UpstreamError } from './upstream-error.ts';
import type { ClientCertificate, ProxyFeature } from './dispatcher.ts';
import { encodeUnreserved } from '../percent-encoding.ts';

type Environment = UpstreamSettings['env'];

/** What decides which credentials a call may use. */
export interface Access {
  api: UpstreamBinding;
  binding: Pick<HttpBinding, 'security' | 'servers'>;
  env: Environment;
  /** Where the request goes. */
  server?: URL;
  /** Headers of the caller that go on to the API. Default none. */
  passed?: readonly [name: string, value: string][];
  /** By scheme, in place of the environment: credentials of the one who calls, or none where the server's must not be used. */
  ofCaller?: ReadonlyMap<string, Environment>;
}

/** A scheme, and the environment as it counts for it. */
interface Lookup {
  name: string;
  scheme: SecuritySchemeBinding;
  env: Environment;
}

/** `optional`: where what the document demands is not all set, the request goes out without any of it. */
const CREDENTIALS_VARIABLE = 'API_CREDENTIALS';

/** The requirement that will be met, or undefined when every one lacks a credential. `{}` is anonymous. */
export function chooseRequirement(access: Access): SecurityRequirement | undefined {
  const requirements = requirementsOf(access);
  if (requirements.length === 0) return {};
  const met = requirements.filter((one) =>
    schemesOf(access, one).every(({ scheme, env }) => isAvailable(scheme, env)),
  );
  // Credentials at hand are used even where anonymous access, listed first, would do; and one that we can't send
  // ourselves comes after all we can.
  return (
    met.find((one) => {
      const schemes = schemesOf(access, one);
      return schemes.length > 0 && schemes.every(({ scheme }) => scheme.type !== 'unsupported');
    }) ??
    met.find((one) => Object.keys(one).length === 0) ??
    met[0] ??
    (access.env[CREDENTIALS_VARIABLE] === 'optional' && lackingOfCaller(access).length === 0 ? {} : undefined)
  );
}

/** Nothing was sent, since no requirement can be met. */
export function missingCredentials(access: Access): UpstreamError {
  const lacking = lackingOfCaller(access);
  if (lacking.length > 0) return noneOfCaller(lacking);
  return new UpstreamError(
    'credentials',
    `Nothing was sent: the API needs credentials that this MCP server does not have. In its environment set ` +
      `${unsetVariables(access)}, or ${CREDENTIALS_VARIABLE}=optional if the API does not ask for them after all. ` +
      `This can't be done through a tool call.`,
  );
}

/** The schemes that the one who calls has nothing for, and the server's own must not be used for. */
function lackingOfCaller({ ofCaller }: Access): string[] {
  return [...(ofCaller ?? [])].flatMap(([name, values]) => (Object.keys(values).length === 0 ? [name] : []));
}

function noneOfCaller(schemes: readonly string[]): UpstreamError {
  return new UpstreamError(
    'credentials',
    `Nothing was sent: this MCP server calls the API on behalf of its callers, and has no credentials of this one for ` +
      `${schemes.join(' and ')}. Whoever runs it can give it some, or set MCP_AUTH_ON_BEHALF=optional to have calls go out ` +
      `with the server's own. This can't be done through a tool call.`,
  );
}

/** For an answer of 401 or 403 to a request without credentials; undefined when the operation knows of none. */
export function unsetHint(access: Access): string | undefined {
  const variables = unsetVariables(access);
  return variables === ''
    ? undefined
    : `This MCP server sent no credentials of its own: not set in its environment: ${variables}.`;
}

/** For an answer of 401 to a request with credentials: where they come from. */
export function refusedHint(access: Access): string | undefined {
  const variables = schemesOf(access, chooseRequirement(access) ?? {})
    .filter(({ scheme }) => scheme.type !== 'unsupported')
    .map(({ name, scheme }) => `${variablesOf(scheme)} (${name})`);
  return variables.length === 0
    ? undefined
    : `Check ${variables.join(' and ')} in the environment of this MCP server.`;
}

/** The variables to set, never their values: those of each requirement that lacks some. */
export function unsetVariables(access: Access): string {
  const ways = requirementsOf(access).map((requirement) =>
    schemesOf(access, requirement)
      .filter(({ scheme, env }) => !isAvailable(scheme, env))
      .map(({ name, scheme }) => `${variablesOf(scheme)} (${name})`)
      .join(' and '),
  );
  return [...new Set(ways)].filter((way) => way !== '').join(', or ');
}

export interface TokenRequest {
  scheme: Extract<SecuritySchemeBinding, { type: 'oauth2' }>;
  /** What the operation needs; the scheme's environment variable wins. */
  scopes: string[];
  env: UpstreamSettings['env'];
}

/** Where OAuth 2.0 tokens, and certificates of clients, come from. */
export interface Tokens {
  readCertificate: ProxyFeature['readCertificate'];
  get(request: TokenRequest): Promise<string>;
  forget(request: TokenRequest): void;
}

/**
 * Reads the credentials of a chosen requirement: at once, unless one is a file or a token that may have to be asked of
 * the network.
 */
export function readCredentials(
  access: Access,
  requirement: SecurityRequirement,
  tokens: Tokens,
): Credentials | Promise<Credentials> {
  const lookups = schemesOf(access, requirement);
  if (lookups.some(isElsewhere)) return fetchCredentials(access, requirement, tokens);
  const credentials: Credentials = { headers: [], query: [], cookies: [], secrets: [] };
  for (const { scheme, env } of lookups) addCredential(credentials, scheme, env);
  return credentials;
}

function isElsewhere({ scheme, env }: Lookup): boolean {
  if (scheme.type === 'mutualTLS') return Boolean(env[scheme.env.cert]);
  return scheme.type === 'oauth2' && !env[scheme.env.token];
}

async function fetchCredentials(
  access: Access,
  requirement: SecurityRequirement,
  tokens: Tokens,
): Promise<Credentials> {
  const credentials: Credentials = { headers: [], query: [], cookies: [], secrets: [] };
  for (const { name, scheme, env } of schemesOf(access, requirement)) {
    if (scheme.type === 'mutualTLS') {
      if (env[scheme.env.cert]) {
        credentials.certificate = await tokens.readCertificate(scheme, env);
      }
    } else if (scheme.type === 'oauth2' && !env[scheme.env.token]) {
      const request = { scheme, scopes: requirement[name] ?? [], env };
      addAuthorization(credentials, 'Bearer', await tokens.get(request));
      credentials.renew = () => {
        tokens.forget(request);
        return fetchCredentials(access, requirement, tokens);
      };
    } else {
      addCredential(credentials, scheme, env);
    }
  }
  return credentials;
}

export function requirementsOf({ api, binding }: Access): SecurityRequirement[] {
  return binding.security ?? api.security ?? [];
}

export function schemesOf(access: Access, requirement: SecurityRequirement): Lookup[] {
  const { securitySchemes } = access.api;
  return Object.keys(requirement).map((name) => {
    const described = Object.hasOwn(securitySchemes, name) ? securitySchemes[name] : undefined;
    const scheme = described ?? { type: 'unsupported', reason: 'not described' };
    // Where the base URL is not TLS, something in between does that for us.
    const isPlain = scheme.type === 'mutualTLS' && access.server?.protocol === 'http:';
    return isPlain
      ? { name, scheme: { type: 'unsupported', reason: 'not TLS' }, env: access.env }
      : { name, scheme, env: environmentFor(name, scheme, access) };
  });
}

/**
 * An operation with a server of its own may have credentials of its own: `<VARIABLE>_<HOST>`. All of a scheme come
 * from one place, so that no user name meets another's password.
 */
function environmentFor(name: string, scheme: SecuritySchemeBinding, access: Access): Environment {
  const { api, binding, env } = access;
  const passed = passedKey(scheme, access);
  if (passed !== undefined) return passed;
  const ofCaller = access.ofCaller?.get(name);
  if (ofCaller !== undefined) return ofCaller;
  const own = binding.servers === undefined ? undefined : ownServer(binding, env, api.name);
  const host = own === undefined ? undefined : hostSuffix(own);
  if (host === undefined || scheme.type === 'unsupported') return env;
  const values = Object.values(scheme.env).map((name): [string, string | undefined] => [
    name,
    env[`${name}_${host}`],
  ]);
  return values.some(([, value]) => value) ? Object.fromEntries(values) : env;
}

/** The caller's own key, let through by name: it counts before any other. */
export function passedKey(
  scheme: SecuritySchemeBinding,
  { passed = [] }: Pick<Access, 'passed'>,
): Environment | undefined {
  if (passed.length === 0 || scheme.type !== 'apiKey' || scheme.in !== 'header') return undefined;
  const own = passed.find(([name]) => name === scheme.name.toLowerCase());
  return own === undefined ? undefined : { [scheme.env.key]: own[1] };
}

/** What one call sends to prove who it is. */
export interface Credentials {
  headers: [name: string, value: string][];
  query: string[];
  cookies: string[];
  /** Texts that must never be shown. */
  secrets: string[];
  certificate?: ClientCertificate;
  /** Set when they can be had anew: a token that can be fetched, or those of a caller. */
  renew?: () => Promise<Credentials>;
  /** The schemes whose credentials are those of the one who calls. Default none. */
  ofCaller?: readonly string[];
}

/** Whether client credentials can be turned into a token. */
function hasTokenEndpoint({
  tokenUrl,
  metadataUrl,
}: Extract<SecuritySchemeBinding, { type: 'oauth2' }>): boolean {
  return tokenUrl !== undefined || metadataUrl !== undefined;
}

export function isAvailable(scheme: SecuritySchemeBinding, env: Environment): boolean {
  switch (scheme.type) {
    case 'apiKey':
      return Boolean(env[scheme.env.key]);
    case 'basic':
      // A token as the user name and no password is common.
      return Boolean(env[scheme.env.username]);
    case 'bearer':
      return Boolean(env[scheme.env.token]);
    case 'http':
      return Boolean(env[scheme.env.authorization]);
    case 'oauth2':
      return Boolean(
        env[scheme.env.token] ||
        (hasTokenEndpoint(scheme) && env[scheme.env.clientId] && env[scheme.env.clientSecret]),
      );
    case 'mutualTLS':
      return Boolean(env[scheme.env.cert]);
    case 'unsupported':
      return true;
  }
}

/** The variables to set, in words. */
function variablesOf(scheme: SecuritySchemeBinding): string {
  switch (scheme.type) {
    case 'apiKey':
      return scheme.env.key;
    case 'basic':
      return `${scheme.env.username} and ${scheme.env.password}`;
    case 'bearer':
      return scheme.env.token;
    case 'http':
      return scheme.env.authorization;
    case 'oauth2':
      return hasTokenEndpoint(scheme)
        ? `${scheme.env.clientId} and ${scheme.env.clientSecret}, or ${scheme.env.token}`
        : scheme.env.token;
    case 'mutualTLS':
      return `${scheme.env.cert} and ${scheme.env.key}`;
    case 'unsupported':
      return scheme.reason;
  }
}

/** Adds what the environment holds as it is. */
function addCredential(credentials: Credentials, scheme: SecuritySchemeBinding, env: Environment): void {
  switch (scheme.type) {
    case 'apiKey':
      addApiKey(credentials, scheme, env[scheme.env.key] ?? '');
      break;
    case 'basic':
      addBasic(credentials, env[scheme.env.username] ?? '', env[scheme.env.password] ?? '');
      break;
    case 'bearer':
    case 'oauth2':
      addAuthorization(credentials, 'Bearer', env[scheme.env.token] ?? '');
      break;
    case 'http':
      addAuthorization(credentials, scheme.scheme, env[scheme.env.authorization] ?? '');
      break;
    case 'mutualTLS':
    case 'unsupported':
      break;
  }
}

function addApiKey(
  credentials: Credentials,
  scheme: Extract<SecuritySchemeBinding, { type: 'apiKey' }>,
  key: string,
): void {
  credentials.secrets.push(key);
  if (scheme.in === 'header') {
    credentials.headers.push([scheme.name, key]);
  } else {
    const pair = `${encodeUnreserved(scheme.name)}=${encodeUnreserved(key)}`;
    credentials.secrets.push(encodeUnreserved(key));
    (scheme.in === 'query' ? credentials.query : credentials.cookies).push(pair);
  }
}

function addBasic(credentials: Credentials, username: string, password: string): void {
  const encoded = Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
  credentials.secrets.push(encoded, password === '' ? username : password);
  credentials.headers.push(['Authorization', `Basic ${encoded}`]);
}

/** `<scheme> <value>` (RFC 9110, section 11.4); people copy the value with the scheme in front. */
function addAuthorization(credentials: Credentials, scheme: string, value: string): void {
  const isPrefixed = value.slice(0, scheme.length + 1).toLowerCase() === `${scheme.toLowerCase()} `;
  const bare = isPrefixed ? value.slice(scheme.length).trimStart() : value;
  credentials.secrets.push(bare);
  credentials.headers.push(['Authorization', `${scheme} ${bare}`]);
}
