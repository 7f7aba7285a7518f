/** Credentials of one security scheme (OpenAPI Security Scheme Object): whether they are there, and how they travel. */
import type { SecuritySchemeBinding } from '../contract/bindings.ts';
import type { ClientCertificate } from './client-certificate.ts';
import { encodeUnreserved } from '../percent-encoding.ts';
import type { UpstreamSettings } from './settings.ts';

type Environment = UpstreamSettings['env'];

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
export function variablesOf(scheme: SecuritySchemeBinding): string {
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
export function addCredential(
  credentials: Credentials,
  scheme: SecuritySchemeBinding,
  env: Environment,
): void {
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
export function addAuthorization(credentials: Credentials, scheme: string, value: string): void {
  const isPrefixed = value.slice(0, scheme.length + 1).toLowerCase() === `${scheme.toLowerCase()} `;
  const bare = isPrefixed ? value.slice(scheme.length).trimStart() : value;
  credentials.secrets.push(bare);
  credentials.headers.push(['Authorization', `${scheme} ${bare}`]);
}
