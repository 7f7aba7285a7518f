/** Serves requests of Node's server through what speaks Fetch, as frameworks do. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable, type Writable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

export type Fetch = (request: Request, peer: { address: string | undefined }) => Promise<Response>;

export async function serveByFetch(
  handle: Fetch,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const { status, headers, body } = await handle(toRequest(incoming, gone.signal), {
    address: incoming.socket.remoteAddress,
  });
  outgoing.writeHead(status, Object.fromEntries(headers)).flushHeaders();
  if (body === null) return void outgoing.end();
  await pipe(Readable.fromWeb(body as ReadableStream), outgoing);
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', headers, socket } = incoming;
  const scheme = 'encrypted' in socket ? 'https' : 'http';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(`${scheme}://${headers.host ?? 'localhost'}${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    signal,
    ...(hasBody && { body: Readable.toWeb(incoming), duplex: 'half' }),
  });
}

/** A connection that breaks off on one side breaks off on the other. */
function pipe(from: Readable, to: Writable): Promise<void> {
  return new Promise((resolve) => {
    to.once('close', () => from.destroy());
    from.once('error', () => to.destroy()).once('close', resolve);
    from.pipe(to);
  });
}
