/** Reads an answer's body, decompressed, up to a limit: a small compressed answer may unfold to gigabytes. */
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';

export interface ReadBody {
  body: Buffer;
  truncated: boolean;
}

/** Rejects when the connection ends before the body does, or when its coding is broken. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<ReadBody> {
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
 * Hands each decompressed chunk to `take` until that returns false: then the connection is ended. Resolves to whether
 * the body was taken to its end.
 */
export function readChunks(response: IncomingMessage, take: (chunk: Buffer) => boolean): Promise<boolean> {
  const coding = response.headers['content-encoding'];
  return coding === undefined ? pump(response, [], take) : pumpDecoded(response, coding, take);
}

async function pumpDecoded(
  response: IncomingMessage,
  coding: string,
  take: (chunk: Buffer) => boolean,
): Promise<boolean> {
  // The connection may fail while a decoder loads, and nobody else listens yet.
  response.once('error', () => undefined);
  try {
    return await pump(response, await contentDecoders(coding), take);
  } catch (error) {
    response.destroy();
    throw error;
  }
}

function pump(
  response: IncomingMessage,
  decoders: Transform[],
  take: (chunk: Buffer) => boolean,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    if (response.errored) reject(response.errored);
    response.on('error', reject);
    response.on('close', () => {
      if (!response.complete) reject(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
    });
    let isTaken = true;
    decoded(response, decoders, { resolve, reject })
      .on('data', (chunk: Buffer) => {
        // What was decoded already still comes.
        if (!isTaken) return;
        isTaken = take(chunk);
        if (isTaken) return;
        resolve(false);
        response.destroy();
        for (const decoder of decoders) decoder.destroy();
      })
      .on('end', () => resolve(true));
  });
}

function decoded(
  response: IncomingMessage,
  decoders: Transform[],
  { resolve, reject }: { resolve: (isWhole: boolean) => void; reject: (error: Error) => void },
): IncomingMessage | Transform {
  if (decoders.length === 0) return response;
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

/** In the order they undo `Content-Encoding` (RFC 9110, section 8.4): the last one applied comes off first. */
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

/** The code of an error whose message says what a body can't be read for. */
export const UNREADABLE = 'ERR_CONTENT_ENCODING';

function unreadable(reason: string): Error {
  return Object.assign(new Error(reason), { code: UNREADABLE });
}
