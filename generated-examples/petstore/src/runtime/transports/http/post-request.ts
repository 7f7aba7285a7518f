/** What a POST says of its body and of the answers it takes (Streamable HTTP, "Sending Messages to the Server"), and the body. */
import type { IncomingMessage } from 'node:http';
import { HttpRefusal } from './http-refusal.ts';

/** @throws {HttpRefusal} 415 */
export function checkContentType(header: string | undefined): void {
  if (essence(header ?? '') === 'application/json') return;
  throw new HttpRefusal(415, 'The body must be application/json.');
}

/** @throws {HttpRefusal} 406; a wildcard counts for what it stands for. */
export function checkAccept(header: string | undefined): void {
  const accepted = (header ?? '').split(',').map(essence);
  const takes = (type: string): boolean =>
    [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*'].some((one) => accepted.includes(one));
  if (takes('application/json') && takes('text/event-stream')) return;
  throw new HttpRefusal(406, '`Accept` must hold application/json and text/event-stream.');
}

function essence(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}

/**
 * The whole body. A connection with a rest of a body that nobody reads can't be used again, so it is closed.
 *
 * @throws {HttpRefusal} 413 as soon as it is known to be over `limit` bytes; 400 when it broke off.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let length = 0;
  await new Promise<void>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) reject(tooLarge(limit));
      else chunks.push(chunk);
    });
    request.on('end', resolve);
    request.on('error', () => reject(new HttpRefusal(400, 'The body broke off.')));
    request.on('close', () => reject(new HttpRefusal(400, 'The body broke off.')));
  });
  return Buffer.concat(chunks).toString('utf8');
}

function tooLarge(limit: number): HttpRefusal {
  return new HttpRefusal(413, `The body is over ${limit} bytes.`, { connection: 'close' });
}
