// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Requests to authorization servers: bounded, and not led into the network of this server by another one. */
import type { Agent } from 'node:http';
import { isIP } from 'node:net';
import { isRecord } from '../json-rpc.ts';
import { Work } from '../session.ts';
import { isListed, isPublicAddress, listBlocks, openGuardedAgent } from './redirects.ts';

/** Clouds give credentials of the machine there. */
const CLOUD = listBlocks(
  '169.254.0.0/16 168.63.129.16/32 100.100.100.200/32 192.0.0.192/32',
  'fd00:ec2::254/128 fe80::/10',
);

export const ISSUER_LIMITS = { timeoutMs: 5_000, responseBytes: 1024 * 1024 };

export interface Client {
  clientId: string;
  clientSecret: string;
}
export interface IssuerRequest {
  /** Fields that are posted. Absent: the request is a GET. */
  form?: [name: string, value: string][];
  /** Sent by HTTP Basic. */
  client?: Client | undefined;
  /** The document that named the URL. Absent: the operator did. */
  namedBy?: URL | undefined;
  work?: Work;
}
export interface IssuerAnswer {
  status: number;
  json: Readonly<Record<string, unknown>> | undefined;
}

/** A server could not be asked, or its answer can't be used. The message holds no secrets. */
export class IssuerError extends Error {
  override name = 'IssuerError';
}

/** @throws {IssuerError} if no answer comes in time */
export async function askIssuer(url: URL, request: IssuerRequest = {}): Promise<IssuerAnswer> {
  const { form, client, namedBy, work = new Work() } = request;
  const headers = new Map([['accept', 'application/json']]);
  if (form !== undefined) headers.set('content-type', 'application/x-www-form-urlencoded');
  if (client !== undefined) headers.set('authorization', `Basic ${encodeClient(client)}`);
  const agent = namedBy && (await guardedAgent(url, namedBy));
  // `node:https` costs a third of a start.
  const { send } = await import('../send.ts');
  const method = form === undefined ? 'GET' : 'POST';
  const body = form && new URLSearchParams(form).toString();
  try {
    const sent = { method, url, headers, body, ...(agent && { agent }) };
    const answer = await send(sent, work, ISSUER_LIMITS);
    return { status: answer.status, json: parseObject(answer.body.toString()) };
  } catch (thrown) {
    // The error may repeat the request and its secrets, but its code does not.
    const { code } = ((thrown as Error).cause ?? {}) as NodeJS.ErrnoException;
    const reason = code === undefined ? '' : ` (${code})`;
    throw new IssuerError(`${placeOf(url)} could not be asked${reason}.`);
  }
}

/** Errors that come of something else than where the secret stands. */
const OTHER_ERRORS: readonly unknown[] = [
  'invalid_scope',
  'invalid_grant',
  'authorization_pending',
  'slow_down',
];

/** Every server must take the secret by HTTP Basic (RFC 6749, section 2.3.1); some take it in the body alone, and don't say so. A public client has no secret. */
export async function askAsClient(
  url: URL,
  form: [name: string, value: string][],
  client: Client,
  { isBodyOnly = false, namedBy }: { isBodyOnly?: boolean; namedBy?: URL | undefined },
): Promise<IssuerAnswer> {
  const { clientId, clientSecret } = client;
  if (clientSecret !== '' && !isBodyOnly) {
    const answer = await askIssuer(url, { form, client, namedBy });
    const { status, json } = answer;
    if (status !== 401 && (status !== 400 || OTHER_ERRORS.includes(json?.['error']))) return answer;
  }
  const others = form.filter(([name]) => name !== 'client_id');
  const inBody: [string, string][] = clientSecret === '' ? [] : [['client_secret', clientSecret]];
  return askIssuer(url, { form: [...others, ['client_id', clientId], ...inBody], namedBy });
}

/** Without the query, which may be secret. */
export const placeOf = ({ origin, pathname }: URL): string => origin + pathname;

/** RFC 6749, section 2.3.1: both parts are form-encoded first. */
export function encodeClient({ clientId, clientSecret }: Client): string {
  const encode = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);
  return Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64');
}

export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined unless the URL is https, or http on this machine: nobody else can forge what comes from there. */
export function parseSecureUrl(text: unknown): URL | undefined {
  if (typeof text !== 'string' || !URL.canParse(text) || /[\s#]/.test(text)) return undefined;
  const url = new URL(text);
  const { protocol, hostname, username, password } = url;
  const isLocal = protocol === 'http:' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  return (protocol === 'https:' || isLocal) && username + password === '' ? url : undefined;
}

/** OpenID Connect Discovery 1.0; RFC 8414. @throws {IssuerError} for metadata of nobody, or of another issuer */
export async function readMetadata(metadataUrl: string) {
  const refuse = (reason: string): IssuerError =>
    new IssuerError(`The metadata of the authorization server at ${metadataUrl} can't be used: ${reason}.`);
  if (!/^https?:/i.test(metadataUrl) || !URL.canParse(metadataUrl)) throw refuse('it has no absolute URL');
  const from = new URL(metadataUrl);
  const { status, json } = await askIssuer(from);
  if (status !== 200 || json === undefined) throw refuse(`it was answered by ${status}`);
  // Anyone could name himself there (RFC 8414, section 3.3).
  if (!isIssuerOf(from, json['issuer'])) throw refuse('it is of another issuer');
  return { from, json, refuse };
}

/** `https://id.test/a` for `https://id.test/a/.well-known/openid-configuration`; RFC 8414 puts the path behind. Elsewhere the origin counts. */
function isIssuerOf({ origin, pathname }: URL, issuer: unknown): boolean {
  if (typeof issuer !== 'string' || !URL.canParse(issuer)) return false;
  const [before = '', after] = pathname.split('/.well-known/');
  if (after === undefined) return new URL(issuer).origin === origin;
  const path = [before, ...after.split('/').slice(1)].join('/').replace(/\/$/, '');
  return new URL(issuer).href.replace(/\/$/, '') === origin + path;
}

/** RFC 6749, section 5.1: a token may come without `expires_in`. */
const UNKNOWN_LIFE_S = 300;
/** Tokens are renewed before they end, so that none ends during a request. */
const MARGIN_MS = 30_000;

/** Milliseconds for which a token is used. One of less than a minute is used for half its life, or each call would fetch one. */
export function lifetimeOf(expiresIn: unknown): number {
  const seconds = Number(expiresIn ?? UNKNOWN_LIFE_S);
  const life = (Number.isFinite(seconds) ? seconds : UNKNOWN_LIFE_S) * 1000;
  return Math.max(life - MARGIN_MS, life / 2);
}

// A URL that a document names is asked with credentials or answers of this server, so it must not lead into the server's own
// network, unless the document comes from there too.

/** @throws {IssuerError} for an address that `namedBy` must not name. Addresses of names are checked as they are resolved. */
async function guardedAgent(url: URL, namedBy: URL): Promise<Agent | undefined> {
  if (url.origin === namedBy.origin) return undefined;
  const { lookup } = await import('node:dns/promises');
  const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = await lookup(hostOf(namedBy), { all: true }).catch(() => []);
  const isInside = addresses.some(({ address }) => !isPublicAddress(address));
  const allows = (address: string): boolean =>
    isInside ? !isListed(CLOUD, address) : isPublicAddress(address);
  const refusal = (): IssuerError =>
    new IssuerError(`${namedBy.href} names ${url.host}, which is in the network of this server.`);
  if (isIP(hostOf(url)) === 0) return openGuardedAgent(url.protocol, allows, refusal);
  if (!allows(hostOf(url))) throw refusal();
  return undefined;
}
