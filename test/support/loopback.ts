/** Servers on loopback that show, byte for byte, what arrived. */
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';

export interface Received {
  line: string;
  /** As spelled on the wire. */
  headers: string[];
  body: Buffer;
}

export interface Loopback {
  url: string;
  /** Every whole request, in order. */
  requests: Received[];
  close: () => Promise<void>;
}

const OK = 'HTTP/1.1 204 No Content\r\n\r\n';

/** Reads raw bytes and answers with raw text; `answer` may write by itself and return undefined. */
export async function rawServer(
  answer: (received: Received, socket: Socket, index: number) => string | Buffer | undefined = () => OK,
): Promise<Loopback> {
  const requests: Received[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let pending: Buffer = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      for (let request = takeRequest(pending); request !== undefined; request = takeRequest(pending)) {
        pending = request.rest;
        requests.push(request.received);
        const reply = answer(request.received, socket, requests.length - 1);
        if (reply !== undefined) socket.write(reply);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** A `node:http` server, for answers that need no raw bytes. */
export async function httpServer(
  listener: RequestListener,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createHttpServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

export function headerOf(received: Received | undefined, name: string): string | undefined {
  const start = `${name.toLowerCase()}:`;
  return received?.headers
    .find((line) => line.toLowerCase().startsWith(start))
    ?.slice(start.length)
    .trim();
}

function takeRequest(bytes: Buffer): { received: Received; rest: Buffer } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [line = '', ...headers] = bytes.subarray(0, end).toString('utf8').split('\r\n');
  const length = Number(headerOf({ line, headers, body: Buffer.alloc(0) }, 'content-length') ?? 0);
  const bodyEnd = end + 4 + length;
  if (bytes.length < bodyEnd) return undefined;
  return {
    received: { line, headers, body: bytes.subarray(end + 4, bodyEnd) },
    rest: bytes.subarray(bodyEnd),
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
