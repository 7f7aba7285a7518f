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
import { tooLongWords } from '../line-splitter.ts';
import { HttpRefusal } from './http-answer.ts';
import { checkAccept, checkContentType } from './request-head.ts';

/**
 * The whole body. A connection with a rest of a body that nobody reads can't be used again, so it is closed.
 *
 * @param hold counts what has come of a body that is not complete. Default: nothing does
 * @throws {HttpRefusal} 413 as soon as it is known to be over `limit` bytes; 400 when it broke off; 503 when `hold` demands its bytes.
 */
export function readBody(request: IncomingMessage, limit: number, hold?: Hold): Promise<string> {
  return new Promise((resolve, reject) => {
    const claimed = Number(request.headers['content-length'] ?? Infinity);
    if (claimed > limit && claimed !== Infinity) return void reject(tooLarge(limit));
    let first: Buffer | undefined;
    let body: Body | undefined;
    let length = 0;
    let isRefused = false;
    let holding: Holding | undefined;
    const refuse = (refusal: HttpRefusal): void => {
      isRefused = true;
      first = body = undefined;
      holding?.end();
      reject(refusal);
    };
    request.on('data', (chunk: Buffer) => {
      // What still comes is dropped.
      if (isRefused) return;
      length += chunk.length;
      if (length > limit) return refuse(tooLarge(limit));
      // Most bodies are complete with their first chunk.
      if (first === undefined) first = chunk;
      else (body ??= new Body(first)).append(chunk);
      if (length < claimed) (holding ??= hold?.(() => refuse(noRoom())))?.set(length);
    });
    request.on('end', () => {
      holding?.end();
      resolve((body?.bytes() ?? first ?? NO_BYTES).toString('utf8'));
    });
    // A request that breaks off is closed, and has an error only for those who listen for one.
    request.on('close', () => {
      holding?.end();
      // An error is too dear to be made for nothing.
      if (!request.complete) reject(new HttpRefusal(400, 'The body broke off.'));
    });
  });
}

const NO_BYTES = Buffer.alloc(0);

/** A chunk that is kept by itself costs some hundred bytes more than it has: smaller ones are put together. */
const LEAST_KEPT = 1024;
const BLOCK_BYTES = 16 * 1024;

/** Gathers chunks, in about as many bytes as they have. */
class Body {
  readonly #parts: Buffer[];
  /** The last part, where it has room for more. */
  #block: Buffer | undefined;
  #used = 0;

  constructor(first: Buffer) {
    this.#parts = [first];
  }

  append(chunk: Buffer): void {
    const rest = this.#fillBlock(chunk);
    if (rest.length === 0) return;
    if (rest.length >= LEAST_KEPT) {
      this.#parts.push(rest);
      return;
    }
    this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    this.#used = rest.copy(this.#block);
  }

  bytes(): Buffer {
    this.#endBlock();
    return Buffer.concat(this.#parts);
  }

  /** Returns what did not fit. */
  #fillBlock(chunk: Buffer): Buffer {
    if (this.#block === undefined) return chunk;
    const fits = chunk.copy(this.#block, this.#used);
    this.#used += fits;
    if (this.#used === BLOCK_BYTES) this.#endBlock();
    return chunk.subarray(fits);
  }

  #endBlock(): void {
    if (this.#block === undefined) return;
    this.#parts.push(this.#block.subarray(0, this.#used));
    this.#block = undefined;
  }
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
