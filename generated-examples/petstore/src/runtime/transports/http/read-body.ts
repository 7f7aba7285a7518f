import type { IncomingMessage } from 'node:http';
import { HttpRefusal } from './http-refusal.ts';

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
    // Every request is closed in the end, and an error is too dear to be made for nothing.
    const breakOff = (): void => {
      if (!request.complete) reject(new HttpRefusal(400, 'The body broke off.'));
    };
    request.on('error', breakOff).on('close', breakOff);
  });
  const [first = Buffer.alloc(0), ...more] = chunks;
  return (more.length === 0 ? first : Buffer.concat(chunks)).toString('utf8');
}

function tooLarge(limit: number): HttpRefusal {
  return new HttpRefusal(413, `The body is over ${limit} bytes.`, { connection: 'close' });
}
