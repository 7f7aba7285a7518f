// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** An answer as one JSON text, and the status that goes with it. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Json } from '../../contract/json-schema.ts';
import { type Answer, answerMessage, type Message } from '../../core/answer.ts';
import type { RequestId } from '../../protocol/json-rpc.ts';
import { type ErrorOrigin, INVALID_REQUEST, type ScopeError } from '../../protocol/protocol-error.ts';
import type { Hold } from '../byte-bound.ts';
import { untilRoom } from '../conversation.ts';
import { SECURITY_HEADERS } from './sse-response.ts';

/** Status by origin of the error. Others are 200, with the error in the body. */
type Statuses = Partial<Record<ErrorOrigin, number>>;

export const LEGACY_STATUSES: Statuses = {
  syntax: 400,
  message: 400,
  session: 400,
  version: 400,
  header: 400,
  scope: 403,
  rate: 429,
};

export const MODERN_STATUSES: Statuses = {
  syntax: 400,
  message: 400,
  metadata: 400,
  header: 400,
  version: 400,
  method: 404,
  capability: 400,
  scope: 403,
  rate: 429,
};

/** @param hold counts the bytes that the client does not read at once */
export function answerJson(
  response: ServerResponse,
  answer: Answer | Answer[],
  statuses: Statuses,
  hold?: Hold,
): void {
  const body = answerMessage(answer);
  const { status, headers } = readHead(answer, statuses);
  const own = Buffer.byteLength(typeof body === 'string' ? body : body.filter(isText).join(''));
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'content-type': 'application/json',
    'content-length': typeof body === 'string' ? own : own + sharedBytes(body),
    ...headers,
  });
  if (typeof body === 'string') response.end(body);
  else void sendParts(response, body);
  // Usually the system takes all of it at once.
  if (hold === undefined || response.writableLength === 0) return;
  const holding = hold(() => response.req.socket.destroy());
  holding.set(own);
  response.once('close', () => holding.end());
}

type Parts = Exclude<Message, string>;

function isText(part: Parts[number]): part is string {
  return typeof part === 'string';
}

function sharedBytes(parts: Parts): number {
  return parts.reduce((sum, part) => sum + (isText(part) ? 0 : part.bytes.length), 0);
}

/**
 * Long answers are written in slices: the system would take megabytes at once, and other clients would wait meanwhile. A TLS
 * connection copies each slice.
 */
const SLICE_BYTES = 64 * 1024;
const SLICES_A_TURN = 16;

const waiting: (() => void)[] = [];

/** Resolves when the next slice may be written: a few in each turn of the event loop, whoever waited longest first. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(giveTurns);
  });
}

function giveTurns(): void {
  for (const resolve of waiting.splice(0, SLICES_A_TURN)) resolve();
  if (waiting.length > 0) setImmediate(giveTurns);
}

async function sendParts(response: ServerResponse, parts: Parts): Promise<void> {
  for (const part of parts) {
    if (isText(part)) {
      response.write(part);
      continue;
    }
    for (let at = 0; at < part.bytes.length; at += SLICE_BYTES) {
      await turn();
      if (response.writableNeedDrain) await untilRoom(response);
      if (response.destroyed) return;
      response.write(part.bytes.subarray(at, at + SLICE_BYTES));
    }
  }
  response.end();
}

function readHead(
  answer: Answer | Answer[],
  statuses: Statuses,
): { status: number; headers?: OutgoingHttpHeaders } {
  if (Array.isArray(answer)) return { status: answer.every(isForScopes) ? (statuses.scope ?? 200) : 200 };
  if (answer.kind === 'result') return { status: 200 };
  const { origin, retrySeconds } = answer;
  const status = statuses[origin] ?? 200;
  return retrySeconds === undefined
    ? { status }
    : { status, headers: { 'retry-after': String(retrySeconds) } };
}

/** A request that HTTP alone refuses, before its message reaches the core. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  /** The request's id, where it has been read. */
  readonly id: RequestId | undefined;
  readonly code: number;
  /** `data` of the JSON-RPC error. */
  readonly data: Json | undefined = undefined;

  constructor(
    status: number,
    message: string,
    headers: OutgoingHttpHeaders = {},
    id?: RequestId,
    code = INVALID_REQUEST,
  ) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.id = id;
    this.code = code;
  }

  /** The JSON-RPC error that goes with the status. */
  get body(): string {
    const { id, code, message, data } = this;
    return JSON.stringify({
      jsonrpc: '2.0',
      ...(id === undefined ? {} : { id }),
      error: { code, message, ...(data === undefined ? {} : { data }) },
    });
  }
}

/** Answers with the refusal, unless an answer has begun. */
export function refuse(response: ServerResponse, { status, headers, body }: HttpRefusal): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  // `untilClose` looks at this, not at the header.
  if (headers.connection === 'close') response.shouldKeepAlive = false;
  const fields: OutgoingHttpHeaders = { ...SECURITY_HEADERS, 'content-type': 'application/json', ...headers };
  response.writeHead(status, fields).end(body);
}

type Refused = Extract<Answer, { kind: 'error' }> & { scopes: readonly string[] };

/** Whether a request was refused for lack of scopes. */
export function isForScopes(answer: Answer): answer is Refused {
  return answer.kind === 'error' && answer.scopes !== undefined;
}

/** A token lacks scopes, which was found before the message reached the core (RFC 6750, section 3.1). */
export class ScopeRefusal extends HttpRefusal {
  declare readonly data: ScopeError['data'];

  /** @param challenge `WWW-Authenticate` */
  constructor({ message, code, data }: ScopeError, challenge: string, id?: RequestId) {
    super(403, message, { 'www-authenticate': challenge }, id, code);
    this.data = data;
  }
}
