import type { IncomingMessage } from 'node:http';
import { HttpRefusal } from './http-refusal.ts';
import { tooLongWords } from '../too-long.ts';

/**
 * The whole body. A connection with a rest of a body that nobody reads can't be used again, so it is closed.
 *
 * @throws {HttpRefusal} 413 as soon as it is known to be over `limit` bytes; 400 when it broke off.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > limit) return void reject(tooLarge(limit));
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) reject(tooLarge(limit));
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(textOf(chunks)));
    // A request that breaks off is closed, and has an error only for those who listen for one.
    request.on('close', () => {
      // An error is too dear to be made for nothing.
      if (!request.complete) reject(new HttpRefusal(400, 'The body broke off.'));
    });
  });
}

function textOf(chunks: readonly Buffer[]): string {
  const [first, ...more] = chunks;
  return (first === undefined || more.length > 0 ? Buffer.concat(chunks) : first).toString('utf8');
}

function tooLarge(limit: number): HttpRefusal {
  return new HttpRefusal(413, tooLongWords(limit), { connection: 'close' });
}
