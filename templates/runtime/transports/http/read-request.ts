// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Reads and checks a request: its body, bounded and parsed only as far as its era needs, its headers, and its origin. */
import type { SurfaceName } from '../../contract/json-schema.ts';
import { isUtf8 } from 'node:buffer';

import { mediaTypeEssence, isHttpToken } from '../../contract/http-syntax.ts';
import { getOwnMember, isRecord } from '../../contract/json-value.ts';
import { NOT_JSON, NOT_UTF8, type RequestContext } from '../../core/call.ts';
import type { Answered } from '../../core/core.ts';
import type { Caller, Guard, HttpRequest, HttpResponse } from '../../feature-loaders.ts';
import {
  type Received,
  type RequestId,
  isRequestId,
  parseIncoming,
  receiveMessage,
} from '../../protocol/json-rpc.ts';
import { MODERN_REVISIONS, isLegacyRevision } from '../../protocol/revisions.ts';
import type { Holding } from '../conversation.ts';
import { GrowingBytes, describeTooLong } from '../stdio.ts';
import { HttpRefusal, isScopeRefusal } from './http-answer.ts';
import type { HttpCall, HttpContext } from './http-handler.ts';

/**
 * A refused body leaves unread bytes on the connection, which is closed then.
 * @param context counts the bytes of an incomplete body
 * @throws {HttpRefusal} 413 as soon as it is known to be over `limit` bytes; 400 when it broke off; 503 when its bytes are
 * given up
 */
export function readBody(request: HttpRequest, limit: number, context?: HttpContext): Promise<string> {
  return new Promise((resolve, reject) => {
    const claimed = Number(request.headers['content-length'] ?? Infinity);
    if (claimed > limit && claimed !== Infinity) return void reject(bodyTooLargeRefusal(limit));
    const body = new GrowingBytes(limit);
    let isRefused = false;
    let holding: Holding | undefined;
    const rejectBody = (refusal: HttpRefusal): void => {
      isRefused = true;
      body.clear();
      holding?.end();
      reject(refusal);
    };
    request.on('data', (chunk: Buffer) => {
      if (isRefused) return;
      const length = body.length + chunk.length;
      if (length > limit) return rejectBody(bodyTooLargeRefusal(limit));
      body.appendPiece(chunk);
      if (length < claimed) {
        const hold = context?.memory.unfinished.createHold(request, context.proxies);
        (holding ??= hold?.(() => rejectBody(noRoomRefusal())))?.set(length);
      }
    });
    request.on('end', () => {
      holding?.end();
      const { text } = body;
      if (text.includes('\uFFFD') && !isUtf8(body.bytes))
        reject(
          compressionRefusal(request) ?? new HttpRefusal(400, NOT_UTF8.message, {}, undefined, NOT_UTF8.code),
        );
      else resolve(text);
    });
    request.on('close', () => {
      body.clear();
      holding?.end();
      // An error costs too much to be made for every request.
      if (!request.complete) reject(new HttpRefusal(400, 'The body broke off.'));
    });
  });
}

function noRoomRefusal(): HttpRefusal {
  const words =
    'Too many requests that are not complete wait here, and this one has waited longest. Send it again.';
  return new HttpRefusal(503, words, { connection: 'close', 'retry-after': '1' });
}

function bodyTooLargeRefusal(limit: number): HttpRefusal {
  return new HttpRefusal(413, describeTooLong(limit), { connection: 'close' });
}

/** Batches are left to the core, which knows whether the session's revision has them. */
export type Posted = Exclude<Received, { kind: 'invalid' }>;

/**
 * `accept`: the media types that the client must take.
 * @throws {HttpRefusal} 415, 406 and 400, in the order in which they are found
 */
export function parsePosted(request: HttpRequest, body: string, accept: readonly string[]): Posted {
  checkContentType(request);
  checkAccept(request, accept);
  const received = receiveBody(body);
  if (received.kind === 'invalid') throw new HttpRefusal(400, received.reason, {}, received.id);
  return received;
}

function receiveBody(body: string): Received {
  try {
    return receiveMessage(body);
  } catch {
    throw new HttpRefusal(400, NOT_JSON.message, {}, undefined, NOT_JSON.code);
  }
}

export function requestIdOf(posted: Posted): RequestId | undefined {
  return posted.kind === 'request' ? posted.id : undefined;
}

export function isAnswered(posted: Posted): boolean {
  return posted.kind === 'batch' ? posted.messages.some(isJsonRpcRequest) : posted.kind === 'request';
}

function isJsonRpcRequest(message: unknown): boolean {
  return isRecord(message) && isRequestId(message['id']) && 'method' in message;
}

/** Several fields of one name are one (RFC 9110, section 5.2). */
export function findHeader({ headers }: HttpRequest, name: string): string | undefined {
  const value = getOwnMember(headers, name);
  return Array.isArray(value) ? value.join(', ') : value;
}

export function pickPassedHeaders(
  request: HttpRequest,
  { passHeaders = [] }: HttpContext,
): RequestContext['passedHeaders'] {
  if (passHeaders.length === 0) return undefined;
  const passed = passHeaders.map((name): [string, string | undefined] => [name, findHeader(request, name)]);
  return passed.filter((pair): pair is [string, string] => pair[1] !== undefined);
}

/** A compressed body is refused: a proxy in front may have read it differently. */
function compressionRefusal(request: HttpRequest): HttpRefusal | undefined {
  const coding = findHeader(request, 'content-encoding');
  if (coding !== undefined && !/^(?:identity)?$/i.test(coding))
    return new HttpRefusal(415, 'The body must not be compressed.', { 'accept-encoding': 'identity' });
  return undefined;
}

/** @throws {HttpRefusal} 415 */
function checkContentType(request: HttpRequest): void {
  const compressed = compressionRefusal(request);
  if (compressed !== undefined) throw compressed;
  const header = findHeader(request, 'content-type') ?? '';
  if (header === 'application/json' || mediaTypeEssence(header) === 'application/json') return;
  throw new HttpRefusal(415, 'The body must be application/json.');
}

const EVERY_TYPE = 'application/json, text/event-stream';

/** RFC 9110, section 12.4.2. */
const NO_WEIGHT = /;\s*q=0(?:\.0{0,3})?\s*$/i;

/** The most specific range counts (RFC 9110, section 12.5.1). @throws {HttpRefusal} 406 unless all `types` are taken */
export function checkAccept(request: HttpRequest, types: readonly string[]): void {
  const header = findHeader(request, 'accept') ?? '';
  if (header === EVERY_TYPE) return;
  const ranges = new Map(header.split(',').map((range) => [mediaTypeEssence(range), !NO_WEIGHT.test(range)]));
  const isTypeAccepted = (type: string): boolean =>
    ranges.get(type) ?? ranges.get(`${type.slice(0, type.indexOf('/'))}/*`) ?? ranges.get('*/*') ?? false;
  if (types.every(isTypeAccepted)) return;
  throw new HttpRefusal(406, `\`Accept\` must hold ${types.join(' and ')}.`);
}

/**
 * GET and DELETE belong to sessions, which the modern era doesn't have. The refusal says so, instead of asking for
 * `initialize`.
 * @throws {HttpRefusal} 405
 */
export function refuseModernEra(request: HttpRequest): void {
  const version = findHeader(request, 'mcp-protocol-version');
  if (!MODERN_REVISIONS.some((each) => each === version)) return;
  const words = `${version} has POST alone here: \`subscriptions/listen\` tells of changes.`;
  throw new HttpRefusal(405, words, { allow: 'POST, OPTIONS' });
}

/** Without the header, the session's own revision counts. @throws {HttpRefusal} 400 */
export function assertLegacyVersion(request: HttpRequest, id?: RequestId): void {
  const version = findHeader(request, 'mcp-protocol-version');
  if (version === undefined || isLegacyRevision(version)) return;
  throw new HttpRefusal(400, `The protocol version ${JSON.stringify(version)} is not supported.`, {}, id);
}

/**
 * Demands the scopes that every request needs of messages that no method answers: notifications, answers of the client,
 * batches, `initialize`.
 * @throws {HttpRefusal} 403
 */
export function demandScopes(
  posted: Posted,
  { guard }: { guard?: Guard | undefined },
  caller: Caller | undefined,
): void {
  if (caller === undefined || (posted.kind === 'request' && posted.method !== 'initialize')) return;
  guard?.demandScopes([], caller, requestIdOf(posted));
}

/** Sets `WWW-Authenticate` on a refusal for lack of scopes; of a batch, if all its answers are such refusals. */
export function setScopeChallenge(
  answer: Answered,
  { response, context: { guard }, caller }: HttpCall,
): void {
  if (guard === undefined || caller === undefined || answer === undefined || response.headersSent) return;
  const answers = Array.isArray(answer) ? answer : [answer];
  if (answers.length === 0 || !answers.every(isScopeRefusal)) return;
  const scopes = new Set(answers.flatMap((each) => each.scopes));
  response.setHeader('www-authenticate', guard.scopeChallenge([...scopes], caller));
}

/** @throws {HttpRefusal} 404 for a surface that the operator does not serve */
export function parseSurface(
  url: string,
  surfaces: readonly SurfaceName[] = ['tools'],
): SurfaceName | undefined {
  const name = new URLSearchParams(url.split('?')[1]).get('surface');
  const found = surfaces.find((each) => each === name);
  if (name === null || found !== undefined) return found;
  throw new HttpRefusal(404, `This server has no surface of that name, but ${surfaces.join(', ')}.`);
}

export interface OriginRules {
  host: string;
  allowedOrigins: readonly string[];
  /** `MCP_ALLOWED_HOSTS`. Default: any, unless `host` is a loopback address. */
  allowedHosts?: readonly string[];
}

export interface OriginHeaders {
  host?: string | undefined;
  origin?: string | undefined;
  'sec-fetch-site'?: string | string[] | undefined;
}

/** Loopback hosts as `URL` spells them: in lower case, addresses in canonical form. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;

const USUAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-5]?\d{1,4})?$/;

export function isLoopback(host: string): boolean {
  if (host === '127.0.0.1') return true;
  return LOOPBACK.test(parseHostname(`http://${host.includes(':') ? `[${host}]` : host}`) ?? '');
}

/**
 * Keeps web pages from a server on this machine, directly or by DNS rebinding (Streamable HTTP, "Security Warning"). Browsers
 * always send `Origin` where it matters; other clients need none. On a loopback address, `Host` must be a loopback host or a
 * configured one: any other name may be made to point here. Its port may be any, since a forwarded port (`ssh -L`, `docker -p`)
 * has another number. A page's `<img>` or navigation sends GET without `Origin`; `Sec-Fetch-Site` says that it comes from
 * elsewhere (Fetch Metadata).
 * @throws {HttpRefusal} 403; 400 for two `Host` headers (RFC 9112, section 3.2)
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

function isCrossSite(site: string | string[] = ''): boolean {
  return String(site).toLowerCase().includes('cross-site');
}

/** Browsers write scheme, host and port, and nothing else (RFC 6454, section 6.2). */
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

/** Response headers that pages of allowed origins may read (Fetch, "CORS protocol"). */
const EXPOSED = 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, DPoP-Nonce, Retry-After';

export function setCorsHeaders(response: HttpResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', EXPOSED);
  response.setHeader('vary', 'Origin');
}

const REQUEST_HEADERS =
  'Accept, Authorization, Content-Type, DPoP, Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, Mcp-Session-Id';

export function answerPreflight({ request, response, context }: HttpCall): void {
  const { passHeaders = [] } = context;
  const asked = (request.headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim());
  const allowed = [REQUEST_HEADERS, ...passHeaders, ...asked.filter(isHttpToken)];
  response
    .writeHead(204, {
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': allowed.join(', '),
      'access-control-max-age': '600',
    })
    .end();
}

/** Allows any header, such as `MCP-Protocol-Version`, but no credentials: `*` does not include `Authorization`. */
export function answerOpenPreflight({ response }: HttpCall): void {
  response
    .writeHead(204, {
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': '*',
      'access-control-max-age': '600',
    })
    .end();
}

export function listRequestIds(posted: Posted): RequestId[] {
  const messages = posted.kind === 'batch' ? posted.messages.map(parseIncoming) : [posted];
  return messages.flatMap((each) => (each.kind === 'request' ? [each.id] : []));
}
