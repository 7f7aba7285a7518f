// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** JSON-RPC 2.0 as MCP uses it: reads incoming messages, without knowledge of their methods. */
import { isRecord } from '../contract/json-value.ts';
import { mayHoldBigInteger, readJson } from '../contract/json-text.ts';

/** Never null, and never a fraction (MCP, "Base Protocol", Requests). */
export type RequestId = string | number;

/** The parameters of a request or notification, by name. */
export type Params = Readonly<Record<string, unknown>>;

export type Incoming =
  | { kind: 'request'; id: RequestId; method: string; params: Params }
  | { kind: 'notification'; method: string; params: Params }
  /** `id` is absent where the client could not read ours (JSON-RPC 2.0, section 5; 2025-11-25). */
  | { kind: 'response'; id: RequestId | undefined; outcome: Outcome }
  /** `id` is there when it could be read, so that the refusal can name it. */
  | { kind: 'invalid'; id: RequestId | undefined; reason: string };

/** A received message, or a batch whose members may be messages. */
export type Received = Incoming | { kind: 'batch'; messages: readonly unknown[] };

export type Outcome =
  { result: Readonly<Record<string, unknown>> } | { error: { code: number; message: string } };

/** A request that the server sends to the client. */
export interface ServerRequest {
  jsonrpc: '2.0';
  id: RequestId;
  method: string;
  params?: object;
}

export interface OutgoingNotification {
  jsonrpc: '2.0';
  method: string;
  params?: object;
}

const NO_PARAMS: Params = Object.freeze({});

/** An integer that `JSON.parse` may have rounded can't be echoed, so it is no id. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/**
 * Reads the text of a message, or of a batch of them. The arguments of a call keep every digit of an integer: those
 * beyond ±2^53 come as `bigint`. Elsewhere no such integer has a meaning.
 *
 * @throws {SyntaxError} as `JSON.parse` does
 */
export function parseMessage(text: string): unknown {
  const message: unknown = JSON.parse(text);
  if (mayHoldBigInteger(text)) takeArguments([message].flat(), [readJson(text)].flat());
  return message;
}

function takeArguments(messages: readonly unknown[], exact: readonly unknown[]): void {
  messages.forEach((message, index) => {
    const params = isRecord(message) ? message['params'] : undefined;
    const same = exact[index];
    const given = isRecord(same) ? same['params'] : undefined;
    if (isRecord(params) && isRecord(given) && isRecord(given['arguments']))
      params['arguments'] = given['arguments'];
  });
}

/** Reads a message or a batch, whether or not its session has batches. */
export function readReceived(value: unknown): Received {
  return Array.isArray(value) ? { kind: 'batch', messages: value } : readMessage(value);
}

/** Reads a message. Unknown members are ignored. */
export function readMessage(message: unknown): Incoming {
  if (!isRecord(message)) return invalid(undefined, 'A message is a JSON object.');
  const { id, error } = message;
  if (error !== undefined && isLostError(message))
    return { kind: 'response', id: undefined, outcome: { error: message.error } };
  const known = isRequestId(id) ? id : undefined;
  if (message['jsonrpc'] !== '2.0') return invalid(known, '`jsonrpc` must be "2.0".');
  if (id !== undefined && known === undefined) {
    return invalid(undefined, '`id` must be a string or an integer.');
  }
  const { method } = message;
  if (method === undefined) return readResponse(message, known);
  if (typeof method !== 'string') return invalid(known, '`method` must be a string.');
  const params = message['params'] ?? (message['params'] === null ? null : NO_PARAMS);
  if (!isRecord(params)) return invalid(known, '`params` must be an object.');
  if (known === undefined) return { kind: 'notification', method, params };
  return { kind: 'request', id: known, method, params };
}

interface LostError {
  error: { code: number; message: string };
}

/** An error response without an id, which must not be answered: two peers would send errors forever. */
function isLostError(message: Record<string, unknown>): message is Record<string, unknown> & LostError {
  const { jsonrpc, id = null, method, result, error } = message;
  if (jsonrpc !== '2.0' || id !== null || method !== undefined || result !== undefined) return false;
  return readError(error) !== undefined;
}

function readResponse(message: Record<string, unknown>, id: RequestId | undefined): Incoming {
  const { result, error } = message;
  if (id === undefined || (result === undefined) === (error === undefined))
    return invalid(id, 'The message has no `method`.');
  const outcome = result === undefined ? readError(error) : isRecord(result) ? { result } : undefined;
  return outcome === undefined
    ? invalid(id, '`result` must be an object, `error` one with a `code` and a `message`.')
    : { kind: 'response', id, outcome };
}

function readError(error: unknown): Outcome | undefined {
  if (!isRecord(error)) return undefined;
  const { code, message } = error;
  return Number.isInteger(code) && typeof message === 'string'
    ? { error: { code: code as number, message } }
    : undefined;
}

function invalid(id: RequestId | undefined, reason: string): Incoming {
  return { kind: 'invalid', id, reason };
}
