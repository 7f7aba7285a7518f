// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The body of a POST: its bytes, bounded, and the message in it, read only as far as its era needs. */
import type { IncomingMessage } from 'node:http';

import { isRecord } from '../../contract/json-value.ts';
import { NOT_JSON } from '../../core/answer.ts';
import type { Caller, RequestContext } from '../../core/call.ts';
import {
  type Received,
  type RequestId,
  isRequestId,
  parseMessage,
  readReceived,
} from '../../protocol/json-rpc.ts';
import { MODERN_REVISIONS, isLegacyRevision } from '../../protocol/revisions.ts';
import { GrowingBytes, describeTooLong } from '../stdio.ts';
import type { Hold, Holding } from '../conversation.ts';
import { HttpRefusal } from './http-answer.ts';
import type { HttpContext } from './http-handler.ts';
import { HttpSession, type SessionStore } from './session-store.ts';

/**
 * Reads the whole body. A refused body leaves unread bytes on the connection, which is closed then.
 *
 * @param hold counts the bytes of a body that is not complete
 * @throws {HttpRefusal} 413 as soon as it is known to be over `limit` bytes; 400 when it broke off; 503 when `hold` demands its bytes.
 */
export function readBody(request: IncomingMessage, limit: number, hold?: Hold): Promise<string> {
  return new Promise((resolve, reject) => {
    const claimed = Number(request.headers['content-length'] ?? Infinity);
    if (claimed > limit && claimed !== Infinity) return void reject(tooLarge(limit));
    const body = new GrowingBytes(limit);
    let isRefused = false;
    let holding: Holding | undefined;
    const refuse = (refusal: HttpRefusal): void => {
      isRefused = true;
      body.clear();
      holding?.end();
      reject(refusal);
    };
    request.on('data', (chunk: Buffer) => {
      if (isRefused) return;
      const length = body.length + chunk.length;
      if (length > limit) return refuse(tooLarge(limit));
      body.add(chunk);
      if (length < claimed) (holding ??= hold?.(() => refuse(noRoom())))?.set(length);
    });
    request.on('end', () => {
      holding?.end();
      resolve(body.text);
    });
    // A request that breaks off emits `close`, and an error only with a listener for it.
    request.on('close', () => {
      body.clear();
      holding?.end();
      // An error costs too much to be made for every request.
      if (!request.complete) reject(new HttpRefusal(400, 'The body broke off.'));
    });
  });
}

function noRoom(): HttpRefusal {
  const words =
    'Too many requests that are not complete wait here, and this one has waited longest. Send it again.';
  return new HttpRefusal(503, words, { connection: 'close', 'retry-after': '1' });
}

function tooLarge(limit: number): HttpRefusal {
  return new HttpRefusal(413, describeTooLong(limit), { connection: 'close' });
}

/** Batches are left to the core, which knows whether the session's revision has them. */
export type Posted = Exclude<Received, { kind: 'invalid' }>;

/**
 * Reads `body`, for a client that must take all media types of `accept`.
 *
 * @throws {HttpRefusal} 415, 406 and 400, in the order in which they are found
 */
export function readPosted(request: IncomingMessage, body: string, accept: readonly string[]): Posted {
  checkContentType(request);
  checkAccept(request, accept);
  const received = readReceived(parse(body));
  if (received.kind === 'invalid') throw new HttpRefusal(400, received.reason, {}, received.id);
  return received;
}

function parse(body: string): unknown {
  try {
    return parseMessage(body);
  } catch {
    throw new HttpRefusal(400, NOT_JSON.message, {}, undefined, NOT_JSON.code);
  }
}

export function readRequestId(posted: Posted): RequestId | undefined {
  return posted.kind === 'request' ? posted.id : undefined;
}

/** Whether it holds a request. */
export function isAnswered(posted: Posted): boolean {
  return posted.kind === 'batch' ? posted.messages.some(isRequest) : posted.kind === 'request';
}

function isRequest(message: unknown): boolean {
  return isRecord(message) && isRequestId(message['id']) && 'method' in message;
}

/** Reads and checks the headers of a request. */

/** Undefined when absent. Several fields of one name are one, as HTTP has it (RFC 9110, section 5.2). */
export function findHeader({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** The headers that are sent on to the API (`--pass-header`). */
export function passedHeaders(
  request: IncomingMessage,
  { passHeaders = [] }: HttpContext,
): RequestContext['passedHeaders'] {
  if (passHeaders.length === 0) return undefined;
  const passed = passHeaders.map((name): [string, string | undefined] => [name, findHeader(request, name)]);
  return passed.filter((pair): pair is [string, string] => pair[1] !== undefined);
}

/**
 * A body that is declared as compressed is refused: a proxy in front may have read it differently.
 *
 * @throws {HttpRefusal} 415
 */
function checkContentType(request: IncomingMessage): void {
  const coding = findHeader(request, 'content-encoding');
  if (coding !== undefined && !/^(?:identity)?$/i.test(coding))
    throw new HttpRefusal(415, 'The body must not be compressed.', { 'accept-encoding': 'identity' });
  const header = findHeader(request, 'content-type') ?? '';
  if (header === 'application/json' || essence(header) === 'application/json') return;
  throw new HttpRefusal(415, 'The body must be application/json.');
}

/** The header of the official clients, which takes every type. */
const EVERY_TYPE = 'application/json, text/event-stream';

/** The weight of an unwanted type (RFC 9110, section 12.4.2). */
const NO_WEIGHT = /;\s*q=0(?:\.0{0,3})?\s*$/i;

/**
 * The most specific range counts (RFC 9110, section 12.5.1).
 *
 * @throws {HttpRefusal} 406 unless all `types` are taken
 */
export function checkAccept(request: IncomingMessage, types: readonly string[]): void {
  const header = findHeader(request, 'accept') ?? '';
  if (header === EVERY_TYPE) return;
  const ranges = new Map(header.split(',').map((range) => [essence(range), !NO_WEIGHT.test(range)]));
  const takes = (type: string): boolean =>
    ranges.get(type) ?? ranges.get(`${type.slice(0, type.indexOf('/'))}/*`) ?? ranges.get('*/*') ?? false;
  if (types.every(takes)) return;
  throw new HttpRefusal(406, `\`Accept\` must hold ${types.join(' and ')}.`);
}

function essence(mediaType: string): string {
  const end = mediaType.indexOf(';');
  return (end === -1 ? mediaType : mediaType.slice(0, end)).trim().toLowerCase();
}

/**
 * Finds the session that a request names, if it is the caller's. Other callers' sessions are unknown to it.
 *
 * @throws {HttpRefusal} 400 when it names none, 404 when that is unknown or has ended
 */
export function findSession(
  request: IncomingMessage,
  sessions: SessionStore,
  caller: Caller | undefined,
  id?: RequestId,
): HttpSession {
  const name = findHeader(request, 'mcp-session-id');
  if (name === undefined)
    throw new HttpRefusal(400, '`Mcp-Session-Id` is missing: `initialize` comes first.', {}, id);
  const session = sessions.use(name, caller?.subject);
  if (session instanceof HttpSession) return session;
  throw new HttpRefusal(404, 'The session is unknown or has ended.', {}, id);
}

/**
 * GET and DELETE belong to sessions, which the modern era doesn't have. The refusal says so, in place of asking for `initialize`.
 *
 * @throws {HttpRefusal} 405
 */
export function checkEra(request: IncomingMessage): void {
  const version = findHeader(request, 'mcp-protocol-version');
  if (!MODERN_REVISIONS.some((each) => each === version)) return;
  const words = `${version} has POST alone here: \`subscriptions/listen\` tells of changes.`;
  throw new HttpRefusal(405, words, { allow: 'POST, OPTIONS' });
}

/**
 * Without the header, the session's own revision counts.
 *
 * @throws {HttpRefusal} 400
 */
export function checkVersion(request: IncomingMessage, id?: RequestId): void {
  const version = findHeader(request, 'mcp-protocol-version');
  if (version === undefined || isLegacyRevision(version)) return;
  throw new HttpRefusal(400, `The protocol version ${JSON.stringify(version)} is not supported.`, {}, id);
}
