/** Listens, and closes without cutting off what is under way. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Limits } from '../../limits.ts';
import type { HttpHandler } from './http-handler.ts';

export interface HttpListener {
  /** `http://127.0.0.1:3000` */
  url: string;
  /** Stops listening, waits for what is under way, then cuts off what is left. */
  close: () => Promise<void>;
}

/** Port 0 is any free one. Rejects when the address can't be had. */
export async function serveHttp(
  handler: HttpHandler,
  { host, port, limits }: { host: string; port: number; limits: Limits },
): Promise<HttpListener> {
  const server = createServer(
    { headersTimeout: limits.headersTimeoutMs, requestTimeout: limits.requestTimeoutMs },
    (request, response) => void handler(request, response),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { url: urlOf(server, host), close: async () => closeServer(server, limits.httpDrainMs) };
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function closeServer(server: Server, drainMs: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cut);
}
