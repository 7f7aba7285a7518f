// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Where a person signs in: what the document says, completed by the metadata of the authorization server. */
import type { SecurityScheme } from '../../types.ts';
import { IssuerError, parseSecureUrl, readMetadata } from '../issuer-client.ts';

/** As the compiler writes it. */
export interface LoginScheme extends SecurityScheme {
  login?: Partial<Record<Url | 'issuer' | 'resource', string>>;
}
type Url = 'authorizationUrl' | 'deviceAuthorizationUrl' | 'tokenUrl' | 'metadataUrl';

export interface Endpoints {
  authorization?: URL | undefined;
  device?: URL | undefined;
  token: URL;
  revocation?: URL | undefined;
  /** Absent without metadata. */
  issuer?: string;
  /** Its answers name the issuer (RFC 9207). */
  namesIssuer: boolean;
  /** The token endpoint does not take HTTP Basic. */
  isBodyOnly: boolean;
  /** A refresh token comes with the scope `offline_access` only. */
  hasOfflineScope: boolean;
  /** Its metadata. */
  namedBy?: URL;
}

/** @throws {IssuerError} if nobody can sign in there */
export async function findEndpoints({ login = {} }: LoginScheme): Promise<Endpoints> {
  const { metadataUrl, issuer } = login;
  const metadata = (metadataUrl ?? issuer) !== undefined && (await readMetadataOf(metadataUrl, issuer));
  const { json = {}, from, refuse } = metadata || {};
  const withoutSlash = (text: string): string => text.replace(/\/$/, '');
  if (issuer !== undefined && refuse && withoutSlash(String(json['issuer'])) !== withoutSlash(issuer))
    throw refuse('it is of another issuer');
  const listOf = (name: string): unknown[] | undefined => {
    const value = json[name];
    return Array.isArray(value) ? value : undefined;
  };
  const pick = (name: string, url?: string): URL | undefined => {
    const text = url ?? json[name];
    const secure = parseSecureUrl(text);
    if (text === undefined || secure !== undefined) return secure;
    throw new IssuerError(`Nobody can sign in: the API's ${name.replaceAll('_', ' ')} is no https URL.`);
  };
  const authorization = pick('authorization_endpoint', login.authorizationUrl);
  const device = pick('device_authorization_endpoint', login.deviceAuthorizationUrl);
  const token = pick('token_endpoint', login.tokenUrl);
  if (token === undefined || (authorization ?? device) === undefined)
    throw new IssuerError("Nobody can sign in: the API's authorization server names no endpoint for it.");
  const challenges = listOf('code_challenge_methods_supported');
  // Without PKCE another program that sees the code could use it (RFC 7636).
  if (authorization !== undefined && challenges?.includes('S256') === false)
    throw new IssuerError('Nobody can sign in: the authorization server of the API has no PKCE with S256.');
  const methods = listOf('token_endpoint_auth_methods_supported');
  return {
    authorization,
    device,
    token,
    revocation: pick('revocation_endpoint'),
    namesIssuer: json['authorization_response_iss_parameter_supported'] === true,
    isBodyOnly: methods !== undefined && !methods.includes('client_secret_basic'),
    hasOfflineScope: listOf('scopes_supported')?.includes('offline_access') === true,
    ...(from && { namedBy: from, issuer: String(json['issuer']) }),
  };
}

/** RFC 8414, else OpenID Connect Discovery 1.0. */
async function readMetadataOf(metadataUrl: string | undefined, issuer: string | undefined) {
  const base = parseSecureUrl(metadataUrl ?? issuer);
  if (base === undefined)
    throw new IssuerError('The metadata of the authorization server have no https URL.');
  if (metadataUrl !== undefined) return readMetadata(metadataUrl);
  const path = base.pathname.replace(/\/$/, '');
  return readMetadata(`${base.origin}/.well-known/oauth-authorization-server${path}`).catch(() =>
    readMetadata(`${base.origin}${path}/.well-known/openid-configuration`),
  );
}
