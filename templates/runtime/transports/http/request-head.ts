// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Reads and checks the headers of a request. */
import type { IncomingMessage } from 'node:http';
import type { RequestContext, Caller } from '../../core/call.ts';
import type { RequestId } from '../../protocol/json-rpc.ts';
import { isLegacyRevision, MODERN_REVISIONS } from '../../protocol/revisions.ts';
import type { HttpContext } from './http-context.ts';
import { HttpRefusal } from './http-answer.ts';
import { HttpSession, type SessionStore } from './session-store.ts';

/** Undefined when absent. Several fields of one name are one, as HTTP has it (RFC 9110, section 5.2). */
export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** The headers that are sent on to the API (`--pass-header`). */
export function passedHeaders(
  request: IncomingMessage,
  { passHeaders = [] }: HttpContext,
): RequestContext['passedHeaders'] {
  if (passHeaders.length === 0) return undefined;
  const passed = passHeaders.map((name): [string, string | undefined] => [name, headerOf(request, name)]);
  return passed.filter((pair): pair is [string, string] => pair[1] !== undefined);
}

/**
 * A body that is declared as compressed is refused: a proxy in front may have read it differently.
 *
 * @throws {HttpRefusal} 415
 */
export function checkContentType(request: IncomingMessage): void {
  const coding = headerOf(request, 'content-encoding');
  if (coding !== undefined && !/^(?:identity)?$/i.test(coding))
    throw new HttpRefusal(415, 'The body must not be compressed.', { 'accept-encoding': 'identity' });
  const header = headerOf(request, 'content-type') ?? '';
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
  const header = headerOf(request, 'accept') ?? '';
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
export function sessionOf(
  request: IncomingMessage,
  sessions: SessionStore,
  caller: Caller | undefined,
  id?: RequestId,
): HttpSession {
  const name = headerOf(request, 'mcp-session-id');
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
  const version = headerOf(request, 'mcp-protocol-version');
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
  const version = headerOf(request, 'mcp-protocol-version');
  if (version === undefined || isLegacyRevision(version)) return;
  throw new HttpRefusal(400, `The protocol version ${JSON.stringify(version)} is not supported.`, {}, id);
}
