// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** JSON-RPC 2.0 as MCP uses it: reads messages without knowledge of their methods, and defines errors. */

import { MOST_MEMBERS, hasTooManyMembers } from '../contract/count-members.ts';
import { LONGEST_SEARCHED } from '../contract/feature.ts';
import type { Json } from '../contract/json-schema.ts';
import { isRecord, mayHoldLargeNumber, readJson } from '../contract/json-value.ts';

/** Never null or a fraction (MCP, "Base Protocol", Requests). */
export type RequestId = string | number | bigint;

export type Params = Readonly<Record<string, unknown>>;

export type Incoming =
  | { kind: 'request'; id: RequestId; method: string; params: Params }
  | { kind: 'notification'; method: string; params: Params }
  /** `id` is absent if the client could not read ours (JSON-RPC 2.0, section 5; 2025-11-25). */
  | { kind: 'response'; id: RequestId | undefined; outcome: Outcome }
  /** `id`, if readable, lets the refusal name it. */
  | { kind: 'invalid'; id: RequestId | undefined; reason: string };

export type Received = Incoming | { kind: 'batch'; messages: readonly unknown[] };

export type Outcome =
  { result: Readonly<Record<string, unknown>> } | { error: { code: number; message: string } };

export interface OutgoingNotification {
  jsonrpc: '2.0';
  method: string;
  params?: object;
}

export interface ServerRequest extends OutgoingNotification {
  id: RequestId;
}

const NO_PARAMS: Params = Object.freeze({});

/** Digits of an id that is a number. */
const MOST_DIGITS = 100;
const LARGEST_ID = 10n ** BigInt(MOST_DIGITS);

/** Ids are compared and repeated, so long ones are none. Nor is a number that `JSON.parse` may have rounded. */
export function isRequestId(value: unknown): value is RequestId {
  if (typeof value === 'string') return value.length <= LONGEST_SEARCHED;
  return typeof value === 'bigint' ? -LARGEST_ID < value && value < LARGEST_ID : Number.isSafeInteger(value);
}

/**
 * Reads a message or a batch. Ids and arguments of calls keep integers beyond ±2^53, as `bigint`; arguments keep numbers beyond the
 * range of doubles, as text.
 * @throws {SyntaxError} as `JSON.parse` does
 */
export function parseMessage(given: string): unknown {
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given;
  const message: unknown = JSON.parse(text);
  if (mayHoldLargeNumber(text)) copyExactNumbers([message].flat(), [readJson(text)].flat());
  return message;
}

function copyExactNumbers(messages: readonly unknown[], exactMessages: readonly unknown[]): void {
  messages.forEach((message, index) => {
    const exact = exactMessages[index];
    if (!isRecord(message) || !isRecord(exact)) return;
    copyId('id', exact, message);
    const [params, exactParams] = [message['params'], exact['params']];
    if (!isRecord(params) || !isRecord(exactParams)) return;
    copyId('requestId', exactParams, params);
    if (isRecord(exactParams['arguments'])) params['arguments'] = exactParams['arguments'];
    const [meta, exactMeta] = [params['_meta'], exactParams['_meta']];
    if (isRecord(meta) && isRecord(exactMeta)) copyId('progressToken', exactMeta, meta);
  });
}

function copyId(name: string, from: Record<string, unknown>, to: Record<string, unknown>): void {
  if (typeof from[name] === 'bigint') to[name] = from[name];
}

/** A message of more members than are looked at is refused before it is parsed. @throws {SyntaxError} as `JSON.parse` does */
export function receiveMessage(text: string): Received {
  if (!hasTooManyMembers(text)) return readReceived(parseMessage(text));
  const id = findIdOfTooLongMessage(text.slice(0, END_CHARACTERS), text.slice(-END_CHARACTERS));
  return invalidIncoming(id, TOO_MANY_MEMBERS);
}

const END_CHARACTERS = 256;
const TOO_MANY_MEMBERS = `The message has more than ${MOST_MEMBERS} members and items, the most that this server takes. Give less at a time.`;

const ID = String.raw`"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d{1,100})`;
const HEAD = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?(?:${ID}\s*,\s*)?"method"\s*:`);
const TAIL = new RegExp(String.raw`${ID}\s*\}\s*$`);

/** Finds the id of a request that is refused unparsed: clients write it at one of the two ends of the message. */
export function findIdOfTooLongMessage(head: string, tail: string): RequestId | undefined {
  const start = HEAD.exec(head);
  const id = start === null ? undefined : (start[1] ?? TAIL.exec(tail)?.[1]);
  return id === undefined ? undefined : (readJson(id) as RequestId);
}

/** Accepts batches, whether or not the session has them. */
export function readReceived(value: unknown): Received {
  return Array.isArray(value) ? { kind: 'batch', messages: value } : parseIncoming(value);
}

export function parseIncoming(message: unknown): Incoming {
  if (!isRecord(message)) return invalidIncoming(undefined, 'A message is a JSON object.');
  const { id, method } = message;
  const lost = method === undefined ? parseErrorWithoutId(message) : undefined;
  if (lost !== undefined) return { kind: 'response', id: undefined, outcome: lost };
  const known = isRequestId(id) ? id : undefined;
  if (message['jsonrpc'] !== '2.0') return invalidIncoming(known, '`jsonrpc` must be "2.0".');
  if (id !== undefined && known === undefined)
    return invalidIncoming(
      undefined,
      typeof id === 'string' || typeof id === 'bigint'
        ? '`id` is too long.'
        : '`id` must be a string or an integer.',
    );
  if (method === undefined) return parseResponse(message, known);
  if (typeof method !== 'string') return invalidIncoming(known, '`method` must be a string.');
  const params = message['params'] ?? (message['params'] === null ? null : NO_PARAMS);
  if (!isRecord(params)) return invalidIncoming(known, '`params` must be an object.');
  if (known === undefined) return { kind: 'notification', method, params };
  return { kind: 'request', id: known, method, params };
}

/** An error response without an id must not be answered: two peers would send errors forever. */
function parseErrorWithoutId(message: Record<string, unknown>): Outcome | undefined {
  const { jsonrpc, id = null, result, error } = message;
  const isLost = jsonrpc === '2.0' && id === null && result === undefined;
  return isLost ? parseErrorObject(error) : undefined;
}

function parseResponse(message: Record<string, unknown>, id: RequestId | undefined): Incoming {
  const { result, error } = message;
  if (id === undefined || (result === undefined) === (error === undefined))
    return invalidIncoming(id, 'The message has no `method`.');
  const outcome = result === undefined ? parseErrorObject(error) : isRecord(result) ? { result } : undefined;
  return outcome === undefined
    ? invalidIncoming(id, '`result` must be an object, `error` one with a `code` and a `message`.')
    : { kind: 'response', id, outcome };
}

function parseErrorObject(error: unknown): Outcome | undefined {
  if (!isRecord(error)) return undefined;
  const { code, message } = error;
  return Number.isInteger(code) && typeof message === 'string'
    ? { error: { code: code as number, message } }
    : undefined;
}

function invalidIncoming(id: RequestId | undefined, reason: string): Incoming {
  return { kind: 'invalid', id, reason };
}

// Errors of the protocol. A failing tool is none: its result has `isError`.

/** JSON-RPC 2.0, section 5.1; `-32602` is also MCP's code of a missing resource. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** MCP, since 2026-07-28 ("Error Codes"). */
export const HEADER_MISMATCH = -32020;
export const MISSING_CAPABILITY = -32021;
export const UNSUPPORTED_VERSION = -32022;

/**
 * The refused part of a request. Transports choose their status by it, since a code has several causes.
 * `syntax`: not JSON; `metadata`: the `_meta` of a modern request; `version`, `header`: the transport contradicts the
 * message; `method`: unknown, or not declared by the server; `capability`: not declared by the client; `scope`: not in
 * the token; `rate`: a limit is reached; `away`: the state that nodes share can't be reached; `work`: everything behind
 * the method.
 */
export type ErrorOrigin =
  | 'syntax'
  | 'message'
  | 'session'
  | 'metadata'
  | 'version'
  | 'header'
  | 'method'
  | 'capability'
  | 'scope'
  | 'rate'
  | 'away'
  | 'work';

export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: number;
  readonly origin: ErrorOrigin;
  readonly data: Json | undefined;
  /** Seconds until the same request may be served; absent if it never will be. */
  readonly retrySeconds: number | undefined;

  constructor(
    code: number,
    message: string,
    origin: ErrorOrigin = 'work',
    data?: Json,
    retrySeconds?: number,
  ) {
    super(message);
    this.code = code;
    this.origin = origin;
    this.data = data;
    this.retrySeconds = retrySeconds;
  }
}

/** `-32603`: a limit is reached. `retrySeconds` may be a guess. */
export function limitReachedError(message: string, retrySeconds: number): ProtocolError {
  const words = `${message} Try again in ${retrySeconds} ${retrySeconds === 1 ? 'second' : 'seconds'}.`;
  return new ProtocolError(INTERNAL_ERROR, words, 'rate', undefined, retrySeconds);
}

/** `-32603`, and 503 over HTTP. */
export function sharedStateAwayError(): ProtocolError {
  const words = "The state that the nodes of this server share can't be reached. Try again in 2 seconds.";
  return new ProtocolError(INTERNAL_ERROR, words, 'away', undefined, 2);
}

export function invalidParamsError(message: string, data?: Json): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, message, 'work', data);
}

/** RFC 6750, section 3.1: `insufficient_scope`. */
export class ScopeError extends ProtocolError {
  /** All scopes that the request needs, including those that the token has. */
  readonly scopes: readonly string[];

  constructor(scopes: readonly string[]) {
    const words = `The token does not reach this far: it takes the scopes ${scopes.join(', ')}.`;
    super(INVALID_REQUEST, words, 'scope', { requiredScopes: [...scopes] });
    this.scopes = scopes;
  }
}

/**
 * Its message is for the caller, in words a model can act on. Any other error of a function is a bug: it is logged,
 * and the caller learns only that it happened.
 */
export class ToolError extends Error {
  override name = 'ToolError';
}

/** An API answered an operation that code called with another status than 2xx. */
export class ApiError extends ToolError {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Headers of the API's answer, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;

  constructor(message: string, answer: Pick<ApiError, 'status' | 'headers' | 'body'>) {
    super(message);
    ({ status: this.status, headers: this.headers, body: this.body } = answer);
  }
}

/** Thrown by `verifyToken` if the token can't be checked now: 503 with `Retry-After`. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** `misfits` are clauses. */
export function describeUnfitArguments(tool: string, misfits: readonly string[]): string {
  const lines = misfits.map((each) => `- ${each}`);
  return [`The arguments of ${tool} do not match its input schema:`, ...lines].join('\n');
}

/** The arguments match their schema, but not the types of the function: a date that does not exist. */
export class InvalidArgumentsError extends ToolError {
  override readonly name = 'UnfitArguments';

  constructor(tool: string, misfits: readonly string[]) {
    super(describeUnfitArguments(tool, misfits));
  }
}

/**
 * A cursor is the same on every instance and after restarts. Its check is no secret: it detects cursors of other
 * lists and versions.
 */
export function encodeCursor(list: string, offset: number, total: number): string {
  return Buffer.from(`${offset}.${hashPagePosition(list, offset, total)}`).toString('base64url');
}

export function decodeCursor(cursor: string, list: string, total: number): number {
  const offset = Number.parseInt(Buffer.from(cursor, 'base64url').toString(), 10);
  const isOurs = offset > 0 && offset < total && encodeCursor(list, offset, total) === cursor;
  if (!isOurs) throw invalidParamsError('`cursor` is none that this server gave for this list.');
  return offset;
}

function hashPagePosition(list: string, offset: number, total: number): string {
  // Few lists have pages, and importing `node:crypto` would slow each start.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(`${list} ${offset} ${total}`).digest('base64url').slice(0, 16);
}

export function parseCursorParameter({ cursor }: Params): string | undefined {
  if (typeof cursor === 'string') return cursor;
  if (cursor === undefined) return undefined;
  throw invalidParamsError('`cursor` must be a string.');
}

export interface Sized {
  count: number;
  size: (index: number) => number;
}

interface PageLimits {
  pageSize?: number | undefined;
  limits: { pageBytes: number };
}

export function cutPage(items: Sized, list: string, limits: PageLimits, cursor?: string) {
  const from = cursor === undefined ? 0 : decodeCursor(cursor, list, items.count);
  const end = pageEnd(items, from, limits);
  return { from, end, next: end < items.count ? encodeCursor(list, end, items.count) : undefined };
}

/** Returns the index at which a page ends; it has at least one item. */
export function pageEnd(
  { count, size }: Sized,
  from: number,
  { pageSize = Infinity, limits }: PageLimits,
): number {
  const most = Math.min(count, from + pageSize);
  let left = limits.pageBytes - '[]'.length + ','.length;
  let end = from;
  for (; end < most; end++) {
    left -= size(end) + ','.length;
    if (left < 0 && end > from) break;
  }
  return end;
}
