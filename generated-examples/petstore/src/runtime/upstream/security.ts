/**
 * Chooses and applies credentials (OpenAPI Security Requirement Object): of several requirements one is enough, of one
 * requirement every scheme is needed.
 */
import type {
  HttpBinding,
  SecurityRequirement,
  SecuritySchemeBinding,
  UpstreamBinding,
} from '../bindings.ts';
import type { TokenSource } from './oauth-token.ts';
import { encodeUnreserved } from './percent-encoding.ts';
import type { UpstreamSettings } from './settings.ts';
import { UpstreamError } from './upstream-error.ts';

type Environment = UpstreamSettings['env'];

/** What one call sends to prove who it is. */
export interface Credentials {
  headers: [name: string, value: string][];
  query: string[];
  cookies: string[];
  /** Texts that must never be shown. */
  secrets: string[];
  /** Set when the `Authorization` header holds a token that can be fetched anew. */
  renew?: () => Promise<Credentials>;
}

/** The requirement that will be met, or undefined when every one lacks a credential. `{}` is anonymous. */
export function chooseRequirement(
  api: UpstreamBinding,
  binding: HttpBinding,
  env: Environment,
): SecurityRequirement | undefined {
  const requirements = binding.security ?? api.security ?? [];
  if (requirements.length === 0) return {};
  const met = requirements.filter((one) =>
    schemesOf(api, one).every(([, scheme]) => isAvailable(scheme, env)),
  );
  // Credentials at hand are used even where anonymous access, listed first, would do; and one that we can't send
  // ourselves comes after all we can.
  return (
    met.find((one) => {
      const schemes = schemesOf(api, one);
      return schemes.length > 0 && schemes.every(([, scheme]) => scheme.type !== 'unsupported');
    }) ??
    met.find((one) => Object.keys(one).length === 0) ??
    met[0]
  );
}

/** Nothing was sent, since no requirement can be met. */
export function missingCredentials(
  api: UpstreamBinding,
  binding: HttpBinding,
  env: Environment,
): UpstreamError {
  return new UpstreamError(
    'credentials',
    `Nothing was sent: the API needs credentials that this MCP server does not have. In its environment set ` +
      `${unsetVariables(api, binding, env)}. This can't be done through a tool call.`,
  );
}

/** For an answer of 401 or 403 to a request without credentials; undefined when the operation knows of none. */
export function unsetHint(api: UpstreamBinding, binding: HttpBinding, env: Environment): string | undefined {
  const variables = unsetVariables(api, binding, env);
  return variables === ''
    ? undefined
    : `This MCP server sent no credentials of its own: not set in its environment: ${variables}.`;
}

/** The variables to set, never their values: those of each requirement that lacks some. */
function unsetVariables(api: UpstreamBinding, binding: HttpBinding, env: Environment): string {
  const ways = (binding.security ?? api.security ?? []).map((requirement) =>
    schemesOf(api, requirement)
      .filter(([, scheme]) => !isAvailable(scheme, env))
      .map(([name, scheme]) => `${variablesOf(scheme)} (${name})`)
      .join(' and '),
  );
  return [...new Set(ways)].filter((way) => way !== '').join(', or ');
}

/** Reads the credentials of a chosen requirement; only OAuth 2.0 client credentials may need the network. */
export async function readCredentials(
  api: UpstreamBinding,
  requirement: SecurityRequirement,
  env: Environment,
  tokens: TokenSource,
): Promise<Credentials> {
  const credentials: Credentials = { headers: [], query: [], cookies: [], secrets: [] };
  for (const [name, scheme] of schemesOf(api, requirement)) {
    if (scheme.type === 'oauth2' && !env[scheme.env.token]) {
      const request = { scheme, scopes: requirement[name] ?? [], env };
      addBearer(credentials, await tokens.get(request));
      credentials.renew = () => {
        tokens.forget(request);
        return readCredentials(api, requirement, env, tokens);
      };
    } else {
      addCredential(credentials, scheme, env);
    }
  }
  return credentials;
}

function schemesOf(
  api: UpstreamBinding,
  requirement: SecurityRequirement,
): [name: string, scheme: SecuritySchemeBinding][] {
  return Object.keys(requirement).map((name) => {
    const scheme = Object.hasOwn(api.securitySchemes, name) ? api.securitySchemes[name] : undefined;
    return [name, scheme ?? { type: 'unsupported', reason: 'not described' }];
  });
}

function isAvailable(scheme: SecuritySchemeBinding, env: Environment): boolean {
  switch (scheme.type) {
    case 'apiKey':
      return Boolean(env[scheme.env.key]);
    case 'basic':
      // A token as the user name and no password is common.
      return Boolean(env[scheme.env.username]);
    case 'bearer':
      return Boolean(env[scheme.env.token]);
    case 'oauth2':
      return Boolean(
        env[scheme.env.token] ||
        (scheme.tokenUrl !== undefined && env[scheme.env.clientId] && env[scheme.env.clientSecret]),
      );
    case 'unsupported':
      return true;
  }
}

function variablesOf(scheme: SecuritySchemeBinding): string {
  switch (scheme.type) {
    case 'apiKey':
      return scheme.env.key;
    case 'basic':
      return `${scheme.env.username} and ${scheme.env.password}`;
    case 'bearer':
      return scheme.env.token;
    case 'oauth2':
      return scheme.tokenUrl === undefined
        ? scheme.env.token
        : `${scheme.env.clientId} and ${scheme.env.clientSecret}, or ${scheme.env.token}`;
    case 'unsupported':
      return scheme.reason;
  }
}

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
      addBearer(credentials, env[scheme.env.token] ?? '');
      break;
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

function addBearer(credentials: Credentials, token: string): void {
  const bare = token.replace(/^Bearer\s+/i, '');
  credentials.secrets.push(bare);
  credentials.headers.push(['Authorization', `Bearer ${bare}`]);
}
