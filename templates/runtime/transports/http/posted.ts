/** What a client posts, read as far as must be known before its era is. */
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
import { HttpRefusal } from './http-refusal.ts';
import { checkAccept, checkContentType } from './request-head.ts';

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

/** Undefined for what is no request. */
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
