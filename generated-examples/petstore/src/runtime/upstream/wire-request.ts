// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Requests as they are sent, and the reading of answers' bodies. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';

import { isHttpToken } from '../contract/http-syntax.ts';
import { UNREADABLE, argumentError } from './upstream-error.ts';
import type { Target } from './dispatcher.ts';

/** `target` replaces the path and query of `url`. */
export interface WireRequest extends Target {
  method: string;
  target: string;
  headers: HeaderList;
  body?: string | Uint8Array | StreamedBody | undefined;
  /** The headers that no other origin may get, whatever their names. */
  fixed?: HeaderList | undefined;
}

/** A body that is read anew for each attempt. */
export interface StreamedBody {
  byteLength: number;
  /** Writes and ends the request; a failure destroys it. */
  send(request: ClientRequest): void;
}

export function isStreamed(body: WireRequest['body']): body is StreamedBody {
  return typeof body === 'object' && 'send' in body;
}

/** Header names are unique without regard to case, and sent as given. */
export class HeaderList {
  readonly #byName = new Map<string, { name: string; value: string }>();

  /** Control characters are refused, since a line break would start another header; text beyond ASCII travels as UTF-8. */
  setChecked(name: string, value: string, what = `Header "${name}"`): void {
    if (!isHttpToken(name)) throw argumentError(`${what} can't be sent: "${name}" is no header name.`);
    const key = name.toLowerCase();
    if (/[\0-\x08\x0A-\x1F\x7F]/.test(value))
      throw argumentError(
        `${what} can't be sent: a header value must not hold line breaks or control characters. Remove them.`,
      );
    const isAscii = /^[\t\x20-\x7E]*$/.test(value);
    this.#byName.set(key, { name, value: isAscii ? value : Buffer.from(value, 'utf8').toString('latin1') });
  }

  copy(): HeaderList {
    const copy = new HeaderList();
    for (const [key, entry] of this.#byName) copy.#byName.set(key, entry);
    return copy;
  }

  setUnchecked(name: string, value: string): void {
    this.#byName.set(name.toLowerCase(), { name, value });
  }

  /** The media type of a body stays. */
  copyHeadersFrom(others: HeaderList): void {
    for (const [key, entry] of others.#byName)
      if (key !== 'content-type' || !this.#byName.has(key)) this.#byName.set(key, entry);
  }

  names(): string[] {
    return [...this.#byName.values()].map(({ name }) => name);
  }

  get(name: string): string | undefined {
    return this.#byName.get(name.toLowerCase())?.value;
  }

  delete(name: string): void {
    this.#byName.delete(name.toLowerCase());
  }

  replaceByHeaders(headers: Headers): void {
    const spelling = new Map([...this.#byName].map(([key, { name }]) => [key, name]));
    this.#byName.clear();
    for (const [key, value] of headers) this.#byName.set(key, { name: spelling.get(key) ?? key, value });
  }

  toHeaders(): Headers {
    return new Headers([...this.#byName.values()].map(({ name, value }): [string, string] => [name, value]));
  }

  /** Names and values in turn; `node:http` adds `Connection` alone. */
  toRawHeaders(host: string, length: number | undefined): string[] {
    const flat: string[] = [];
    for (const [key, { name, value }] of this.#byName) {
      if (key !== 'content-length' || length === undefined) flat.push(name, value);
    }
    if (!this.#byName.has('host')) flat.push('Host', host);
    if (length !== undefined) flat.push('Content-Length', String(length));
    return flat;
  }
}

/** Why an incomplete body is used. */
export type Cut = 'time' | 'broken';

interface ReadBody {
  body: Buffer;
  truncated: boolean;
  ended?: Cut;
}

/**
 * Decompresses up to a limit: a small answer may unfold to gigabytes. Rejects when the body breaks off, unless what came of it
 * is enough.
 */
export async function readAnswerBody(
  response: IncomingMessage,
  maxBytes: number,
  isEnough: (part: Buffer, error: unknown) => Cut | undefined,
): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  let isWhole: boolean;
  try {
    isWhole = await consumeChunks(response, (chunk) => {
      chunks.push(chunk);
      size += chunk.length;
      return size <= maxBytes;
    });
  } catch (error) {
    const part = Buffer.concat(chunks);
    const ended = isEnough(part, error);
    if (ended !== undefined) return { body: part, truncated: true, ended };
    throw error;
  }
  const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  return { body: isWhole ? body : body.subarray(0, maxBytes), truncated: !isWhole };
}

/**
 * Calls `take` with decompressed chunks until it returns false, which closes the connection. Resolves to whether the
 * whole body was taken.
 */
export async function consumeChunks(
  response: IncomingMessage,
  take: (chunk: Buffer) => boolean,
): Promise<boolean> {
  const coding = response.headers['content-encoding'];
  // The connection may fail while a decoder loads.
  if (coding !== undefined) response.once('error', () => undefined);
  try {
    const decoders = coding === undefined ? [] : await createDecoders(coding);
    return await new Promise<boolean>((resolve, reject) => {
      if (response.errored) reject(response.errored);
      response.on('error', reject);
      let source: IncomingMessage | Transform = response;
      if (decoders.length > 0) source = pipeThroughDecoders(response, decoders, { resolve, reject });
      let isTaken = true;
      source
        .on('data', (chunk: Buffer) => {
          // Decoded chunks still come.
          if (!isTaken) return;
          isTaken = take(chunk);
          if (isTaken) return;
          resolve(false);
          response.destroy();
          for (const decoder of decoders) decoder.destroy();
        })
        .on('end', () => resolve(true));
    });
  } catch (error) {
    response.destroy();
    throw error;
  }
}

function pipeThroughDecoders(
  response: IncomingMessage,
  decoders: readonly Transform[],
  { resolve, reject }: { resolve: (isWhole: boolean) => void; reject: (error: Error) => void },
): IncomingMessage | Transform {
  let isEmpty = true;
  response.once('data', () => (isEmpty = false));
  // Servers may name a coding without a body (HEAD, 204).
  const onError = (error: Error): void => {
    if (isEmpty && response.complete) resolve(true);
    else reject(error);
  };
  return decoders.reduce<IncomingMessage | Transform>(
    (source, decoder) => source.pipe(decoder.once('error', onError)),
    response,
  );
}

/** RFC 9110, section 8.4: the coding applied last comes off first. */
export async function createDecoders(header: string | undefined): Promise<Transform[]> {
  if (header === undefined) return [];
  const codings = header
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'identity')
    .reverse();
  if (codings.length === 0) return [];
  if (codings.length > 3) throw makeUnreadableError('too many codings');
  const { createBrotliDecompress, createGunzip, createInflate } = await import('node:zlib');
  const decoders = new Map<string, () => Transform>([
    ['gzip', createGunzip],
    ['x-gzip', createGunzip],
    ['br', createBrotliDecompress],
    ['deflate', createInflate],
  ]);
  return codings.map((coding) => {
    const create = decoders.get(coding);
    if (create === undefined)
      throw makeUnreadableError(`content coding ${JSON.stringify(coding.slice(0, 20))}`);
    return create();
  });
}

function makeUnreadableError(reason: string): Error {
  return Object.assign(new Error(reason), { code: UNREADABLE });
}
