// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Chooses and reads credentials (OpenAPI Security Requirement Object): one requirement is enough, with all its schemes.
 */
import type {
  HttpBinding,
  SecurityRequirement,
  SecuritySchemeBinding,
  UpstreamBinding,
} from '../contract/bindings.ts';
import { type UpstreamSettings, hostSuffix, ownServer } from './upstream-settings.ts';
import { UpstreamError } from './upstream-error.ts';
import type { ClientCertificate, ProxyFeature } from './dispatcher.ts';
import { encodeUnreserved } from '../contract/http-syntax.ts';

type Environment = UpstreamSettings['env'];

export interface Access {
  api: UpstreamBinding;
  binding: Pick<HttpBinding, 'security' | 'servers'>;
  env: Environment;
  server?: URL;
  /** Headers of the caller that go on to the API. Default none. */
  passed?: readonly [name: string, value: string][];
  /** By scheme, in place of the environment; empty if the server's own must not be used. */
  ofCaller?: ReadonlyMap<string, Environment>;
}

interface Lookup {
  name: string;
  scheme: SecuritySchemeBinding;
  env: Environment;
}

/** `optional` sends requests without credentials if those of the document are not set. */
const CREDENTIALS_VARIABLE = 'API_CREDENTIALS';

/**
 * Undefined when none can be met; `{}` is anonymous. Credentials that are set win over anonymous access, even if that
 * is listed first; unsupported schemes come last.
 */
export function chooseRequirement(access: Access): SecurityRequirement | undefined {
  const requirements = listRequirements(access);
  if (requirements.length === 0) return {};
  let anonymous: SecurityRequirement | undefined;
  let unsupported: SecurityRequirement | undefined;
  for (const requirement of requirements) {
    const lookups = lookUpSchemes(access, requirement);
    if (!lookups.every(isAvailable)) continue;
    if (lookups.length === 0) anonymous ??= requirement;
    else if (lookups.some(({ scheme }) => scheme.type === 'unsupported')) unsupported ??= requirement;
    else return requirement;
  }
  const isOptional = access.env[CREDENTIALS_VARIABLE] === 'optional';
  return anonymous ?? unsupported ?? (isOptional && lackingOfCaller(access).length === 0 ? {} : undefined);
}

export function missingCredentials(access: Access): UpstreamError {
  const lacking = lackingOfCaller(access);
  if (lacking.length > 0) {
    return new UpstreamError(
      'credentials',
      `Nothing was sent: this MCP server calls the API on behalf of its callers, and has no credentials of this one for ` +
        `${lacking.join(' and ')}. Whoever runs it can give it some, or set MCP_AUTH_ON_BEHALF=optional to have calls go out ` +
        `with the server's own. This can't be done through a tool call.`,
    );
  }
  return new UpstreamError(
    'credentials',
    `Nothing was sent: the API needs credentials that this MCP server does not have. In its environment set ` +
      `${unsetVariables(access)}, or ${CREDENTIALS_VARIABLE}=optional if the API does not ask for them after all. ` +
      `This can't be done through a tool call.`,
  );
}

/** Schemes without credentials of the caller, where the server's own must not be used. */
function lackingOfCaller({ ofCaller }: Access): string[] {
  return [...(ofCaller ?? [])].flatMap(([name, values]) => (Object.keys(values).length === 0 ? [name] : []));
}

/** For 401 or 403 without credentials. */
export function unsetHint(access: Access): string | undefined {
  const variables = unsetVariables(access);
  return variables === ''
    ? undefined
    : `This MCP server sent no credentials of its own: not set in its environment: ${variables}.`;
}

/** For 401 with credentials. */
export function refusedHint(access: Access): string | undefined {
  const variables = lookUpSchemes(access, chooseRequirement(access) ?? {})
    .filter(({ scheme }) => scheme.type !== 'unsupported')
    .map(({ name, scheme }) => `${describeVariables(scheme)} (${name})`);
  return variables.length === 0
    ? undefined
    : `Check ${variables.join(' and ')} in the environment of this MCP server.`;
}

export function unsetVariables(access: Access): string {
  const alternatives = listRequirements(access).map((requirement) =>
    lookUpSchemes(access, requirement)
      .filter((lookup) => !isAvailable(lookup))
      .map(({ name, scheme }) => `${describeVariables(scheme)} (${name})`)
      .join(' and '),
  );
  return [...new Set(alternatives)].filter((words) => words !== '').join(', or ');
}

export interface TokenRequest {
  scheme: Extract<SecuritySchemeBinding, { type: 'oauth2' }>;
  /** The scheme's variable wins over these. */
  scopes: string[];
  env: UpstreamSettings['env'];
}

export interface Tokens {
  readCertificate: ProxyFeature['readCertificate'];
  get(request: TokenRequest): Promise<string>;
  forget(request: TokenRequest): void;
}

/** Synchronous unless a file or a token must be fetched. */
export function readCredentials(
  access: Access,
  requirement: SecurityRequirement,
  tokens: Tokens,
): Credentials | Promise<Credentials> {
  const lookups = lookUpSchemes(access, requirement);
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
  for (const lookup of lookUpSchemes(access, requirement)) {
    const { name, scheme, env } = lookup;
    if (!isElsewhere(lookup)) {
      addCredential(credentials, scheme, env);
    } else if (scheme.type === 'mutualTLS') {
      credentials.certificate = await tokens.readCertificate(scheme, env);
    } else if (scheme.type === 'oauth2') {
      const request = { scheme, scopes: requirement[name] ?? [], env };
      addAuthorization(credentials, 'Bearer', await tokens.get(request));
      credentials.renew = () => {
        tokens.forget(request);
        return fetchCredentials(access, requirement, tokens);
      };
    }
  }
  return credentials;
}

export function listRequirements({ api, binding }: Access): SecurityRequirement[] {
  return binding.security ?? api.security ?? [];
}

export function lookUpSchemes(access: Access, requirement: SecurityRequirement): Lookup[] {
  const { securitySchemes } = access.api;
  const lookups: Lookup[] = [];
  for (const name of Object.keys(requirement)) {
    const described = Object.hasOwn(securitySchemes, name) ? securitySchemes[name] : undefined;
    const scheme = described ?? { type: 'unsupported', reason: 'not described' };
    // Without TLS, a proxy in front of the API presents the certificate.
    if (scheme.type === 'mutualTLS' && access.server?.protocol === 'http:')
      lookups.push({ name, scheme: { type: 'unsupported', reason: 'not TLS' }, env: access.env });
    else lookups.push({ name, scheme, env: environmentFor(name, scheme, access) });
  }
  return lookups;
}

/**
 * An operation's own server may have own credentials (`<VARIABLE>_<HOST>`): all of a scheme come from one place, so
 * that no user name meets another's password.
 */
function environmentFor(name: string, scheme: SecuritySchemeBinding, access: Access): Environment {
  const { api, binding, env, passed = [] } = access;
  const ofCaller = (passed.length > 0 ? passedKey(scheme, access) : undefined) ?? access.ofCaller?.get(name);
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

/** The caller's own key wins over all others. */
export function passedKey(
  scheme: SecuritySchemeBinding,
  { passed = [] }: Pick<Access, 'passed'>,
): Environment | undefined {
  if (scheme.type !== 'apiKey' || scheme.in !== 'header') return undefined;
  const own = passed.find(([name]) => name === scheme.name.toLowerCase());
  return own === undefined ? undefined : { [scheme.env.key]: own[1] };
}

export interface Credentials {
  headers: [name: string, value: string][];
  query: string[];
  cookies: string[];
  secrets: string[];
  certificate?: ClientCertificate;
  /** Fetches new ones. Absent: there are no others. */
  renew?: () => Promise<Credentials>;
  /** Schemes that use the caller's credentials. */
  ofCaller?: readonly string[];
}

function hasTokenEndpoint({ tokenUrl, metadataUrl }: TokenRequest['scheme']): boolean {
  return tokenUrl !== undefined || metadataUrl !== undefined;
}

export function isAvailable({ scheme, env }: Pick<Lookup, 'scheme' | 'env'>): boolean {
  switch (scheme.type) {
    case 'apiKey':
      return Boolean(env[scheme.env.key]);
    case 'basic':
      // A token as user name without password is common.
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

function describeVariables(scheme: SecuritySchemeBinding): string {
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

function addCredential(credentials: Credentials, scheme: SecuritySchemeBinding, env: Environment): void {
  const { headers, secrets } = credentials;
  switch (scheme.type) {
    case 'apiKey': {
      const key = env[scheme.env.key] ?? '';
      secrets.push(key);
      if (scheme.in === 'header') {
        headers.push([scheme.name, key]);
      } else {
        const encoded = encodeUnreserved(key);
        secrets.push(encoded);
        credentials[scheme.in === 'query' ? 'query' : 'cookies'].push(
          `${encodeUnreserved(scheme.name)}=${encoded}`,
        );
      }
      break;
    }
    case 'basic': {
      const [username = '', password = ''] = [env[scheme.env.username], env[scheme.env.password]];
      const encoded = Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
      secrets.push(encoded, password === '' ? username : password);
      headers.push(['Authorization', `Basic ${encoded}`]);
      break;
    }
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

/** People copy the value with its scheme in front (RFC 9110, section 11.4). */
function addAuthorization(credentials: Credentials, scheme: string, value: string): void {
  const isPrefixed = value.slice(0, scheme.length + 1).toLowerCase() === `${scheme.toLowerCase()} `;
  const bare = isPrefixed ? value.slice(scheme.length).trimStart() : value;
  credentials.secrets.push(bare);
  credentials.headers.push(['Authorization', `${scheme} ${bare}`]);
}
