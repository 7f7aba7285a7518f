// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The authorization server of a login: where it is, as the document and its metadata say, and what it answers. */
import { createRedactor } from '../../results.ts';
import { type Env, type SecurityScheme, ToolError } from '../../types.ts';
import { askAsClient, type Client, encodeClient, type IssuerAnswer } from '../issuer-client.ts';
import { IssuerError, lifetimeOf, parseSecureUrl, readMetadata } from '../issuer-client.ts';

/** As the compiler writes it. */
export interface LoginScheme extends SecurityScheme {
  login?: LoginBinding;
}
type Url = 'authorizationUrl' | 'deviceAuthorizationUrl' | 'tokenUrl' | 'metadataUrl' | 'issuer';
type LoginBinding = Partial<Record<Url | 'resource', string>>;

export interface LoginClient extends Client {
  /** The operator names these scopes, with blanks between: the login asks for no others. */
  scopes: string;
  login: LoginBinding;
}

export function readClient({ env: names = {}, login = {} }: LoginScheme, env: Env): LoginClient {
  const { clientId, clientSecret, scopes } = names;
  const read = (name = ''): string => env[name] ?? '';
  return { clientId: read(clientId), clientSecret: read(clientSecret), scopes: read(scopes), login };
}

export type Issuer = Awaited<ReturnType<typeof findIssuer>>;

/** @throws {IssuerError} if nobody can sign in there */
export async function findIssuer(client: LoginClient) {
  const { login } = client;
  const { json = {}, from } = (await readMetadataOf(login)) ?? {};
  const listOf = (name: string): readonly unknown[] => [json[name] ?? []].flat();
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
  if (authorization !== undefined && challenges.length > 0 && !challenges.includes('S256'))
    throw new IssuerError('Nobody can sign in: the authorization server of the API has no PKCE with S256.');
  return {
    ...{ client, resource: login.resource, authorization, device, token },
    revocation: pick('revocation_endpoint'),
    /** Undefined without metadata. */
    name: from && String(json['issuer']),
    /** Its answers name it (RFC 9207). */
    namesItself: json['authorization_response_iss_parameter_supported'] === true,
    /** A refresh token comes with the scope `offline_access` only. */
    hasOfflineScope: listOf('scopes_supported').includes('offline_access'),
    /** Its metadata. */
    namedBy: from,
  };
}

/** RFC 8414, else OpenID Connect Discovery 1.0. */
async function readMetadataOf({ metadataUrl, issuer }: LoginBinding) {
  if (metadataUrl !== undefined) return readMetadata(metadataUrl);
  if (issuer === undefined) return undefined;
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return readMetadata(`${origin}/.well-known/oauth-authorization-server${path}`).catch(() =>
    readMetadata(`${origin}${path}/.well-known/openid-configuration`),
  );
}

/** Members that are undefined or empty are left out. */
type Form = Record<string, string | undefined>;

export function listFields(form: Form): [name: string, value: string][] {
  return Object.entries(form).flatMap(([name, value]) => (value ? [[name, value]] : []));
}

/** Posts a form with the credentials of the client. */
export function post(url: URL, form: Form, { client, namedBy }: Issuer): Promise<IssuerAnswer> {
  return askAsClient(url, listFields(form), client, { namedBy });
}

export interface Tokens {
  access: string;
  refresh?: string;
  /** Milliseconds since 1970. */
  until: number;
  /** Scopes. */
  asked: readonly string[];
  granted: readonly string[];
}

/** Longer than anybody uses a process. */
const FAR_MS = 10 * 365 * 24 * 3600_000;

/** @param before what is granted if the answer does not say. @throws {ToolError} without a bearer token */
export function readTokens(answer: IssuerAnswer, asked: readonly string[], before = asked): Tokens {
  const { status, json = {} } = answer;
  const { access_token: access, token_type: type = 'Bearer', refresh_token, scope, expires_in } = json;
  if (status !== 200 || typeof access !== 'string' || access === '' || !/^bearer$/i.test(String(type)))
    throw new ToolError(`The authorization server answered ${status} and gave no bearer token.`);
  const refresh = typeof refresh_token === 'string' ? refresh_token : undefined;
  // One that can't be renewed, and has no end, is used until the API refuses it.
  const life = expires_in ?? (refresh === undefined ? FAR_MS : undefined);
  const until = Date.now() + Math.min(lifetimeOf(life), FAR_MS);
  const granted = typeof scope === 'string' ? scope.split(' ').filter((name) => name !== '') : before;
  return { access, until, asked, granted, ...(refresh !== undefined && { refresh }) };
}

export function secretsOf(client: Client, tokens?: Tokens): string[] {
  const ofClient = client.clientSecret === '' ? [] : [client.clientSecret, encodeClient(client)];
  return [tokens?.access ?? [], tokens?.refresh ?? [], ofClient].flat();
}

/** Signing in came to nothing. `error` is of the authorization server: it is shown without secrets, and short. */
export function refusal(error: unknown, secrets: readonly string[]): string {
  const text = typeof error === 'string' ? createRedactor(secrets)(error) : 'no reason';
  return `Signing in was refused (${text.replace(/[^\x20-\x7e]/g, '').slice(0, 250)}).`;
}
