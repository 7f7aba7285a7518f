// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Reads an answer's body, decompressed, up to a limit: a small compressed answer may unfold to gigabytes. */
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { UNREADABLE } from './upstream-error.ts';

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
