// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Chooses and reads credentials (OpenAPI Security Requirement Object): one requirement is enough, with all its schemes.
 */
import { getOwnMember } from '../contract/json-value.ts';
import {
  type HttpBinding,
  type SecurityRequirement,
  type SecuritySchemeBinding,
  type UpstreamBinding,
  listSchemesUsedIfSet,
} from '../contract/bindings.ts';
import {
  type Environment,
  type FixedHeaders,
  headersVariableOf,
  variableSuffixOfHost,
  chooseOperationServer,
} from './upstream-settings.ts';
import { UpstreamError } from './upstream-error.ts';
import type { ClientCertificate, ProxyFeature } from './dispatcher.ts';
import { encodeUnreserved } from '../contract/http-syntax.ts';

export interface Access {
  api: UpstreamBinding;
  binding: Pick<HttpBinding, 'security' | 'servers' | 'ifSet'>;
  env: Environment;
  server?: URL;
  passed?: readonly [name: string, value: string][];
  fixed?: FixedHeaders | undefined;
  /** The caller's credentials by scheme; empty if the server's own must not be used. */
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
  if (access.fixed !== undefined && hasUnsetFixedHeaders(access)) return undefined;
  const requirements = listRequirements(access);
  if (requirements.length === 0) return {};
  let anonymous: SecurityRequirement | undefined;
  let unsupported: SecurityRequirement | undefined;
  for (const requirement of requirements) {
    const lookups = lookUpSchemes(access, requirement);
    if (!lookups.every(isSchemeAvailable)) continue;
    if (lookups.length === 0) anonymous ??= requirement;
    else if (lookups.some(({ scheme }) => scheme.type === 'unsupported')) unsupported ??= requirement;
    else return requirement;
  }
  const rest = anonymous ?? unsupported;
  if (rest !== undefined || schemesCallerLacks(access).length > 0) return rest;
  return access.env[CREDENTIALS_VARIABLE] === 'optional'
    ? {}
    : findRequirementMetByHeaders(access, requirements);
}

/** A fixed header needs a variable that is not set, and credentials are not optional. */
export function hasUnsetFixedHeaders({ fixed, env }: Access): boolean {
  return fixed !== undefined && fixed.unset.length > 0 && env[CREDENTIALS_VARIABLE] !== 'optional';
}

/** Finds the first requirement whose unset schemes are covered by fixed headers, and returns it without these schemes. */
function findRequirementMetByHeaders(
  access: Access,
  requirements: readonly SecurityRequirement[],
): SecurityRequirement | undefined {
  const { fixed } = access;
  if (fixed === undefined) return undefined;
  for (const requirement of requirements) {
    const unset = lookUpSchemes(access, requirement).filter((lookup) => !isSchemeAvailable(lookup));
    if (!unset.every(({ scheme }) => fixed.headers.get(identifyCredentialPlace(scheme)) !== undefined))
      continue;
    const left = unset.map(({ name }) => name);
    return Object.fromEntries(Object.entries(requirement).filter(([name]) => !left.includes(name)));
  }
  return undefined;
}

/** Where a credential goes; a request has room for one at each place. */
function identifyCredentialPlace(scheme: SecuritySchemeBinding): string {
  if (scheme.type === 'apiKey') {
    if (scheme.in === 'header') return scheme.name.toLowerCase();
    return `${scheme.in}=${scheme.name}`;
  }
  return scheme.type === 'mutualTLS' ? 'tls=' : 'authorization';
}

export function missingCredentialsError(access: Access): UpstreamError {
  const lacking = schemesCallerLacks(access);
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
      `${describeUnsetVariables(access)}, or ${CREDENTIALS_VARIABLE}=optional if the API does not ask for them after all. ` +
      `This can't be done through a tool call.`,
  );
}

/** Schemes without credentials of the caller, where the server's own must not be used. */
function schemesCallerLacks({ ofCaller }: Access): string[] {
  return [...(ofCaller ?? [])].flatMap(([name, values]) => (Object.keys(values).length === 0 ? [name] : []));
}

/** Explains 401 or 403 of a request without credentials. */
export function hintWithoutCredentials(access: Access): string {
  const variables = [describeUnsetVariables(access), describeUnsetOptionalSchemes(access)]
    .filter((words) => words !== '')
    .join(', or ');
  if (variables !== '')
    return `This MCP server sent no credentials of its own: not set in its environment: ${variables}.`;
  return (
    `This MCP server sent no credentials of its own, since the API's document names none for this call. If the API needs some, ` +
    `set ${headersVariableOf(access)} in its environment, such as "Authorization: Bearer …".`
  );
}

/** Explains 401 or 403 of a request with credentials. */
export function hintForRefused(access: Access, status: number): string | undefined {
  const used = lookUpSchemes(access, chooseRequirement(access) ?? {})
    .filter(({ scheme }) => scheme.type !== 'unsupported')
    .map(describeScheme);
  if (access.fixed !== undefined) used.push(...access.fixed.variables);
  const unset = describeUnsetOptionalSchemes(access);
  const words = [
    // 403 accepts the credentials, but they are not enough (RFC 9110, section 15.5.4).
    used.length > 0 && status === 401
      ? `Check ${used.join(' and ')} in the environment of this MCP server.`
      : '',
    unset === '' ? '' : `Not set in the environment of this MCP server: ${unset}.`,
  ];
  return words.filter((each) => each !== '').join(' ') || undefined;
}

function describeUnsetOptionalSchemes(access: Access): string {
  const names = listSchemesUsedIfSet(access.api, access.binding);
  const lookups = lookUpSchemes(access, Object.fromEntries(names.map((name) => [name, []])));
  return lookups
    .filter((lookup) => !isSchemeAvailable(lookup))
    .map(describeScheme)
    .join(', or ');
}

export function describeUnsetVariables(access: Access): string {
  const alternatives = listRequirements(access).map((requirement) =>
    lookUpSchemes(access, requirement)
      .filter((lookup) => !isSchemeAvailable(lookup))
      .map(describeScheme)
      .join(' and '),
  );
  const words = [...new Set(alternatives)].filter((each) => each !== '').join(', or ');
  return [words, ...(access.fixed?.unset ?? [])].filter((each) => each !== '').join(' and ');
}

export interface TokenRequest {
  scheme: Extract<SecuritySchemeBinding, { type: 'oauth2' }>;
  /** Scopes to ask for, unless the scheme's variable sets others. */
  scopes: string[];
  env: Environment;
}

export interface Tokens {
  readCertificate: ProxyFeature['readCertificate'];
  get(request: TokenRequest): Promise<string>;
  forget(request: TokenRequest, refused: string): Promise<void>;
}

/** Synchronous unless a file or a token must be fetched. */
export function loadCredentials(
  access: Access,
  requirement: SecurityRequirement,
  tokens: Tokens,
): Credentials | Promise<Credentials> {
  const lookups = lookUpSchemes(access, requirement);
  if (lookups.some(needsFetchedCredentials)) return fetchCredentials(access, requirement, tokens);
  const credentials: Credentials = { headers: [], query: [], cookies: [], secrets: [] };
  for (const { scheme, env } of lookups) addCredential(credentials, scheme, env);
  return credentials;
}

function needsFetchedCredentials({ scheme, env }: Lookup): boolean {
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
    if (!needsFetchedCredentials(lookup)) {
      addCredential(credentials, scheme, env);
    } else if (scheme.type === 'mutualTLS') {
      credentials.certificate = await tokens.readCertificate(scheme, env);
    } else if (scheme.type === 'oauth2') {
      const request = { scheme, scopes: getOwnMember(requirement, name) ?? [], env };
      const token = await tokens.get(request);
      addAuthorization(credentials, 'Bearer', token);
      credentials.renew = async () => {
        await tokens.forget(request, token);
        return fetchCredentials(access, requirement, tokens);
      };
    }
  }
  return credentials;
}

export function listRequirements(access: Access): SecurityRequirement[] {
  const { api, binding } = access;
  const demanded = binding.security ?? api.security ?? [];
  return api.ifSet === undefined && binding.ifSet === undefined
    ? demanded
    : addSchemesThatAreSet(access, demanded);
}

/** Adds the schemes that are set, each where no other one has its place. */
function addSchemesThatAreSet(
  access: Access,
  demanded: readonly SecurityRequirement[],
): SecurityRequirement[] {
  const ifSet = listSchemesUsedIfSet(access.api, access.binding);
  const asked = Object.fromEntries(ifSet.map((name) => [name, []]));
  const set = lookUpSchemes(access, asked).filter(
    (lookup) => lookup.scheme.type !== 'unsupported' && isSchemeAvailable(lookup),
  );
  return (demanded.length === 0 ? [{}] : demanded).map((requirement) => {
    const taken = new Set(
      lookUpSchemes(access, requirement).map(({ scheme }) => identifyCredentialPlace(scheme)),
    );
    const free = set.filter(({ scheme }) => taken.size < taken.add(identifyCredentialPlace(scheme)).size);
    return { ...Object.fromEntries(free.map(({ name }) => [name, []])), ...requirement };
  });
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
    else lookups.push({ name, scheme, env: environmentOfScheme(name, scheme, access) });
  }
  return lookups;
}

/**
 * An operation's own server may have own credentials (`<VARIABLE>_<HOST>`): all of a scheme come from one place, so
 * that no user name meets another's password.
 */
function environmentOfScheme(name: string, scheme: SecuritySchemeBinding, access: Access): Environment {
  const { api, binding, env } = access;
  const ofCaller = keyPassedByCaller(scheme, access) ?? access.ofCaller?.get(name);
  if (ofCaller !== undefined) return ofCaller;
  const own = binding.servers === undefined ? undefined : chooseOperationServer(binding, env, api.name);
  const host = own && variableSuffixOfHost(own);
  if (host === undefined || scheme.type === 'unsupported') return env;
  const values = Object.values(scheme.env).map((name) => [name, env[`${name}_${host}`]] as const);
  return values.some(([, value]) => value) ? Object.fromEntries(values) : env;
}

/** The caller's own key wins over all others. */
export function keyPassedByCaller(
  scheme: SecuritySchemeBinding,
  { passed = [] }: Access,
): Environment | undefined {
  if (scheme.type !== 'apiKey' || scheme.in !== 'header') return undefined;
  const own = passed.find(([name]) => name === scheme.name.toLowerCase());
  return own && { [scheme.env.key]: own[1] };
}

export interface Credentials {
  headers: [name: string, value: string][];
  query: string[];
  cookies: string[];
  secrets: string[];
  certificate?: ClientCertificate;
  /** Fetches new credentials. Absent if there can be no others. */
  renew?: () => Promise<Credentials>;
  ofCaller?: readonly string[];
}

function hasTokenEndpoint({ tokenUrl, metadataUrl }: TokenRequest['scheme']): boolean {
  return tokenUrl !== undefined || metadataUrl !== undefined;
}

/** Names the variable without which no request uses the scheme. */
function mainVariable(scheme: Exclude<SecuritySchemeBinding, { type: 'unsupported' }>): string {
  switch (scheme.type) {
    case 'apiKey':
      return scheme.env.key;
    case 'basic':
      // A token as user name without password is common.
      return scheme.env.username;
    case 'http':
      return scheme.env.authorization;
    case 'mutualTLS':
      return scheme.env.cert;
    case 'bearer':
    case 'oauth2':
      return scheme.env.token;
  }
}

export function isSchemeAvailable({ scheme, env }: Pick<Lookup, 'scheme' | 'env'>): boolean {
  if (scheme.type === 'unsupported' || env[mainVariable(scheme)]) return true;
  if (scheme.type !== 'oauth2' || !hasTokenEndpoint(scheme)) return false;
  return Boolean(env[scheme.env.clientId] && env[scheme.env.clientSecret]);
}

function describeScheme({ name, scheme }: Lookup): string {
  return `${describeVariables(scheme)} (${name})`;
}

function describeVariables(scheme: SecuritySchemeBinding): string {
  if (scheme.type === 'unsupported') return scheme.reason;
  const main = mainVariable(scheme);
  if (scheme.type === 'basic') return `${main} and ${scheme.env.password}`;
  if (scheme.type === 'mutualTLS') return `${main} and ${scheme.env.key}`;
  return scheme.type === 'oauth2' && hasTokenEndpoint(scheme)
    ? `${scheme.env.clientId} and ${scheme.env.clientSecret}, or ${main}`
    : main;
}

function addCredential(credentials: Credentials, scheme: SecuritySchemeBinding, env: Environment): void {
  if (scheme.type === 'unsupported') return;
  const { headers, query, cookies, secrets } = credentials;
  const value = env[mainVariable(scheme)] ?? '';
  switch (scheme.type) {
    case 'apiKey': {
      secrets.push(value);
      if (scheme.in === 'header') return void headers.push([scheme.name, value]);
      const encoded = encodeUnreserved(value);
      secrets.push(encoded);
      (scheme.in === 'query' ? query : cookies).push(`${encodeUnreserved(scheme.name)}=${encoded}`);
      break;
    }
    case 'basic': {
      const password = env[scheme.env.password] ?? '';
      const encoded = Buffer.from(`${value}:${password}`, 'utf8').toString('base64');
      secrets.push(encoded, password || value);
      headers.push(['Authorization', `Basic ${encoded}`]);
      break;
    }
    case 'bearer':
    case 'oauth2':
      addAuthorization(credentials, 'Bearer', value);
      break;
    case 'http':
      addAuthorization(credentials, scheme.scheme, value);
      break;
    case 'mutualTLS':
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
