// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** A request as it is sent, with headers that are unique by name without regard to case, and the reading of its answer's body. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';

import { isHttpToken } from '../contract/http-syntax.ts';
import { UNREADABLE, UpstreamError } from './deadline.ts';
import type { Target } from './dispatcher.ts';

/** `url` gives the server; its path and query are replaced by `target`. */
export interface WireRequest extends Target {
  method: string;
  /** Path and query, byte for byte as in the request line. */
  target: string;
  headers: HeaderList;
  body?: string | Uint8Array | StreamedBody;
}

/** A body that is read while it is sent, anew for each attempt. */
export interface StreamedBody {
  byteLength: number;
  /** Writes and ends the request; a failure destroys it. */
  send(request: ClientRequest): void;
}

export function isStreamed(body: WireRequest['body']): body is StreamedBody {
  return typeof body === 'object' && 'send' in body;
}

/** Request headers, sent in the spelling they were given. */
export class HeaderList {
  readonly #byName = new Map<string, { name: string; value: string }>();

  /**
   * Replaces the header. Line breaks and other control characters are refused (they would start a header of their
   * own), and what is beyond ASCII travels as UTF-8 octets.
   */
  set(name: string, value: string, what = `Header "${name}"`): void {
    if (!isHttpToken(name))
      throw new UpstreamError('argument', `${what} can't be sent: "${name}" is no header name.`);
    const key = name.toLowerCase();
    if (/^[\t\x20-\x7E]*$/.test(value)) {
      this.#byName.set(key, { name, value });
      return;
    }
    if (/[\0-\x08\x0A-\x1F\x7F]/.test(value)) {
      throw new UpstreamError(
        'argument',
        `${what} can't be sent: a header value must not hold line breaks or control characters. Remove them.`,
      );
    }
    this.#byName.set(key, { name, value: Buffer.from(value, 'utf8').toString('latin1') });
  }

  copy(): HeaderList {
    const copy = new HeaderList();
    for (const [key, entry] of this.#byName) copy.#byName.set(key, entry);
    return copy;
  }

  /** Copies a value that another list has already accepted. */
  setOctets(name: string, value: string): void {
    this.#byName.set(name.toLowerCase(), { name, value });
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

  /** Takes over the state of a `Headers` that began as a copy of this one; spellings stay. */
  replaceFrom(headers: Headers): void {
    const spelling = new Map([...this.#byName].map(([key, { name }]) => [key, name]));
    this.#byName.clear();
    for (const [key, value] of headers) this.#byName.set(key, { name: spelling.get(key) ?? key, value });
  }

  toHeaders(): Headers {
    return new Headers([...this.#byName.values()].map(({ name, value }): [string, string] => [name, value]));
  }

  /** Names and values in turn, which `node:http` writes as they are: it adds `Connection` alone. */
  toFlat(host: string, length: number | undefined): string[] {
    const flat: string[] = [];
    for (const [key, { name, value }] of this.#byName) {
      if (key !== 'content-length' || length === undefined) flat.push(name, value);
    }
    if (!this.#byName.has('host')) flat.push('Host', host);
    if (length !== undefined) flat.push('Content-Length', String(length));
    return flat;
  }
}

interface ReadBody {
  body: Buffer;
  truncated: boolean;
}

/**
 * Reads an answer's body, decompressed, up to a limit: a small compressed answer may unfold to gigabytes. Rejects when the
 * connection ends before the body does, or when its coding is broken.
 */
export async function readAnswerBody(response: IncomingMessage, maxBytes: number): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  const isWhole = await readChunks(response, (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    return size <= maxBytes;
  });
  const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  return { body: isWhole ? body : body.subarray(0, maxBytes), truncated: !isWhole };
}

/**
 * Calls `take` with each decompressed chunk until it returns false, which ends the connection. Resolves to whether the
 * whole body was taken.
 */
export async function readChunks(
  response: IncomingMessage,
  take: (chunk: Buffer) => boolean,
): Promise<boolean> {
  const coding = response.headers['content-encoding'];
  // The connection may fail while a decoder loads.
  if (coding !== undefined) response.once('error', () => undefined);
  try {
    const decoders = coding === undefined ? [] : await contentDecoders(coding);
    return await new Promise<boolean>((resolve, reject) => {
      if (response.errored) reject(response.errored);
      response.on('error', reject);
      let source: IncomingMessage | Transform = response;
      if (decoders.length > 0) source = decode(response, decoders, { resolve, reject });
      let isTaken = true;
      source
        .on('data', (chunk: Buffer) => {
          // Chunks that were decoded already still come.
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

function decode(
  response: IncomingMessage,
  decoders: readonly Transform[],
  { resolve, reject }: { resolve: (isWhole: boolean) => void; reject: (error: Error) => void },
): IncomingMessage | Transform {
  let isEmpty = true;
  response.once('data', () => (isEmpty = false));
  // Some servers name a coding where there is no body (HEAD, 204).
  const onError = (error: Error): void => {
    if (isEmpty && response.complete) resolve(true);
    else reject(error);
  };
  return decoders.reduce<IncomingMessage | Transform>(
    (source, decoder) => source.pipe(decoder.once('error', onError)),
    response,
  );
}

/** Decoders for `Content-Encoding` (RFC 9110, section 8.4), in the order that undoes it: the last one applied comes off first. */
export async function contentDecoders(header: string | undefined): Promise<Transform[]> {
  if (header === undefined) return [];
  const codings = header
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'identity')
    .reverse();
  if (codings.length === 0) return [];
  if (codings.length > 3) throw unreadable('too many codings');
  const zlib = await import('node:zlib');
  return codings.map((coding) => {
    switch (coding) {
      case 'gzip':
      case 'x-gzip':
        return zlib.createGunzip();
      case 'br':
        return zlib.createBrotliDecompress();
      case 'deflate':
        return zlib.createInflate();
      default:
        throw unreadable(`content coding ${JSON.stringify(coding.slice(0, 20))}`);
    }
  });
}

function unreadable(reason: string): Error {
  return Object.assign(new Error(reason), { code: UNREADABLE });
}
