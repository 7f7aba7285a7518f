// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The guard that asks callers for tokens, as HTTP sees it. The feature oauth implements it. */
import type { ServerResponse } from 'node:http';

import { isHttpToken } from '../../contract/http-syntax.ts';
import type { Caller } from '../../core/call.ts';
import type { Answered } from '../../core/core.ts';
import type { Guard } from '../../feature-loaders.ts';
import { HttpRefusal, isForScopes } from './http-answer.ts';
import type { HttpCall } from './http-handler.ts';
import { type Posted, readRequestId } from './read-request.ts';

/**
 * Demands the scopes that every request needs of messages that no method answers: notifications, answers of the client,
 * batches, `initialize`. A method demands its own.
 *
 * @throws {HttpRefusal} 403
 */
export function demandScopes(
  posted: Posted,
  { guard }: { guard?: Guard | undefined },
  caller: Caller | undefined,
): void {
  if (caller === undefined || (posted.kind === 'request' && posted.method !== 'initialize')) return;
  guard?.demand([], caller, readRequestId(posted));
}

/**
 * Sets `WWW-Authenticate` on a refusal for lack of scopes; of a batch, if all its answers are such refusals.
 */
export function challengeScopes(answer: Answered, { response, context: { guard }, caller }: HttpCall): void {
  if (guard === undefined || caller === undefined || answer === undefined || response.headersSent) return;
  const answers = Array.isArray(answer) ? answer : [answer];
  if (answers.length === 0 || !answers.every(isForScopes)) return;
  const scopes = new Set(answers.flatMap((each) => each.scopes));
  response.setHeader('www-authenticate', guard.lacking([...scopes], caller));
}

/**
 * Checks `Host` and `Origin`, so that web pages can't reach a server on this machine, directly or by DNS rebinding (Streamable
 * HTTP, "Security Warning").
 */

export interface OriginRules {
  /** The address the server is bound to. */
  host: string;
  /** `MCP_ALLOWED_ORIGINS`: serialised origins, as `https://app.example`. */
  allowedOrigins: readonly string[];
  /** `MCP_ALLOWED_HOSTS`: as `URL` spells them. Default: any, where the address is no loopback address. */
  allowedHosts?: readonly string[];
}

/** Fields of a request that say where it comes from. */
export interface OriginHeaders {
  host?: string | undefined;
  origin?: string | undefined;
  'sec-fetch-site'?: string | string[] | undefined;
}

/** Matches loopback hosts as `URL` spells them: in lower case, addresses in canonical form. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;

/** The usual spellings, which need no `URL`. */
const USUAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-5]?\d{1,4})?$/;

/** Whether only this machine can reach an address that the server binds to. */
export function isLoopback(host: string): boolean {
  if (host === '127.0.0.1') return true;
  return LOOPBACK.test(parseHostname(`http://${host.includes(':') ? `[${host}]` : host}`) ?? '');
}

/**
 * Browsers always send `Origin` where it matters; other clients need none. On a loopback address, `Host` must be a loopback
 * host or a configured one: any other name may be made to point here. Its port may be any, since a forwarded port
 * (`ssh -L`, `docker -p`) has another number.
 *
 * A page's `<img>` or navigation sends GET without `Origin`; the browser says that it comes from elsewhere by
 * `Sec-Fetch-Site` (Fetch Metadata).
 *
 * @throws {HttpRefusal} 403; 400 where only that there are two of `Host` is wrong (RFC 9112, section 3.2)
 */
export function checkOrigin(
  { host, origin, 'sec-fetch-site': site }: OriginHeaders,
  rules: OriginRules,
): void {
  const isLocal = isLoopback(rules.host);
  if (!isServedHost(host, rules, isLocal))
    throw new HttpRefusal(403, 'This `Host` is not served here. Those in MCP_ALLOWED_HOSTS are.');
  if (host?.includes(',') === true) throw new HttpRefusal(400, 'There must be one `Host`.');
  if (origin === undefined ? !isCrossSite(site) : rules.allowedOrigins.includes(origin)) return;
  if (origin !== undefined && isLocal && isLocalOrigin(origin)) return;
  throw new HttpRefusal(
    403,
    origin === undefined
      ? 'A browser sent this request for a page of another site (`Sec-Fetch-Site: cross-site`), without an `Origin`.'
      : 'This `Origin` is not allowed. MCP_ALLOWED_ORIGINS names those that are.',
  );
}

/** One value of several is enough. */
function isCrossSite(site: string | string[] = ''): boolean {
  return String(site).toLowerCase().includes('cross-site');
}

/** Browsers write scheme, host and port, and nothing else: no user, no path, no other spelling (RFC 6454, section 6.2). */
function isLocalOrigin(origin: string): boolean {
  const [, name = ''] = /^https?:\/\/([\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.exec(origin) ?? [];
  const host = parseHostname(origin) ?? '';
  return LOOPBACK.test(host) && (name.startsWith('[') || name.toLowerCase() === host);
}

function isServedHost(
  host: string | undefined,
  { allowedHosts = [], allowedOrigins }: OriginRules,
  isLocal: boolean,
): boolean {
  if (!isLocal && allowedHosts.length === 0) return true;
  if (isLocal && host !== undefined && USUAL_HOST.test(host)) return true;
  // With more than host and port (RFC 9110, section 7.2), `URL` could read another host than other software does.
  const isPlain = host !== undefined && /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d*)?$/i.test(host);
  const name = isPlain ? parseHostname(`http://${host}`) : undefined;
  if (name === undefined) return false;
  if (allowedHosts.includes(name) || (isLocal && LOOPBACK.test(name))) return true;
  return allowedOrigins.some((origin) => parseHostname(origin) === name);
}

function parseHostname(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** CORS headers (Fetch, "CORS protocol"): for allowed origins, and for all where a document is public. */
const EXPOSED = 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After';

export function allowReading(response: ServerResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', EXPOSED);
  response.setHeader('vary', 'Origin');
}

const REQUEST_HEADERS = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Last-Event-ID',
  'Mcp-Method',
  'Mcp-Name',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
];

export function preflight({ request, response, context }: HttpCall): void {
  const { passHeaders = [] } = context;
  const asked = (request.headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim());
  const allowed = [...REQUEST_HEADERS, ...passHeaders, ...asked.filter(mirrorsArgument)];
  response
    .writeHead(204, {
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': allowed.join(', '),
      'access-control-max-age': '600',
    })
    .end();
}

/** Lets pages of any origin read a document without secrets. */
export function allowAnyPage(response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*');
}

/** Allows any header, such as `MCP-Protocol-Version`, but no credentials: `*` does not include `Authorization`. */
export function openPreflight({ response }: HttpCall): void {
  response
    .writeHead(204, {
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': '*',
      'access-control-max-age': '600',
    })
    .end();
}

/** Whether a header repeats an argument of a tool. */
function mirrorsArgument(name: string): boolean {
  return /^mcp-param-./i.test(name) && isHttpToken(name);
}
