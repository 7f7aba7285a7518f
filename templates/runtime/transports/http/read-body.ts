// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The body of a POST: its bytes, bounded, and the message in it, read only as far as its era needs. */
import type { IncomingMessage } from 'node:http';
import { isRecord } from '../../contract/json-value.ts';
import { NOT_JSON } from '../../core/answer.ts';
import {
  isRequestId,
  parseMessage,
  readReceived,
  type Received,
  type RequestId,
} from '../../protocol/json-rpc.ts';
import type { Hold, Holding } from '../byte-bound.ts';
import { GrowingBytes, tooLongWords } from '../line-splitter.ts';
import { HttpRefusal } from './http-answer.ts';
import { checkAccept, checkContentType } from './request-head.ts';

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
  return new HttpRefusal(413, tooLongWords(limit), { connection: 'close' });
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

export function idOf(posted: Posted): RequestId | undefined {
  return posted.kind === 'request' ? posted.id : undefined;
}

/** Whether it holds a request. */
export function isAnswered(posted: Posted): boolean {
  return posted.kind === 'batch' ? posted.messages.some(isRequest) : posted.kind === 'request';
}

function isRequest(message: unknown): boolean {
  return isRecord(message) && isRequestId(message['id']) && 'method' in message;
}
