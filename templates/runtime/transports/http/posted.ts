/** What a client posts: one message or a batch, read as far as must be known before its era and session are. */
import type { IncomingMessage } from 'node:http';
import { NOT_JSON } from '../../core/answer.ts';
import type { RateLimiter } from '../../core/rate-limiter.ts';
import {
  type Incoming,
  isRecord,
  isRequestId,
  readMessage,
  type RequestId,
} from '../../protocol/json-rpc.ts';
import { HttpRefusal } from './http-refusal.ts';
import { readBody } from './read-body.ts';
import { checkAccept, checkContentType } from './request-head.ts';

export interface Posted {
  /** As it came. */
  message: unknown;
  /** What it is; batches are left to the core, which knows whether the session's revision has them. */
  incoming: Exclude<Incoming, { kind: 'invalid' }> | { kind: 'batch' };
  /** Of a request. */
  id: RequestId | undefined;
  /** It is answered. */
  isAnswered: boolean;
}

export interface PostRules {
  bodyBytes: number;
  limiter: RateLimiter | undefined;
  /** The media types that the client must take. */
  accept: readonly string[];
}

/** @throws {HttpRefusal} 413, 429, 415, 406 and 400, in the order in which they are found */
export async function readPosted(
  request: IncomingMessage,
  { bodyBytes, limiter, accept }: PostRules,
): Promise<Posted> {
  const body = await readBody(request, bodyBytes);
  const seconds = limiter?.waitSeconds ?? 0;
  if (seconds > 0) throw new HttpRefusal(429, 'Too many calls.', { 'retry-after': String(seconds) });
  checkContentType(request);
  checkAccept(request, accept);
  const message = parse(body);
  return Array.isArray(message) ? readBatch(message) : readOne(message);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new HttpRefusal(400, NOT_JSON.message, {}, undefined, NOT_JSON.code);
  }
}

function readBatch(message: readonly unknown[]): Posted {
  const isRequest = (each: unknown): boolean => isRecord(each) && isRequestId(each['id']) && 'method' in each;
  return { message, incoming: { kind: 'batch' }, id: undefined, isAnswered: message.some(isRequest) };
}

function readOne(message: unknown): Posted {
  const incoming = readMessage(message);
  if (incoming.kind === 'invalid') throw new HttpRefusal(400, incoming.reason, {}, incoming.id);
  const isAnswered = incoming.kind === 'request';
  return { message, incoming, id: isAnswered ? incoming.id : undefined, isAnswered };
}
