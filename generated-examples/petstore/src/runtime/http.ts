// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The transport `http`: its settings, and the server that listens. `http-handler.ts` answers the requests. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Server as HttpServer, ServerOptions as ListenOptions } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Feature, ServerDefinition } from './feature.ts';
import type { HttpHandler } from './http-handler.ts';
import { Server, type ServerOptions } from './server.ts';
import { getSetting, LIMITS, parseInteger, type Setting } from './settings.ts';
import { type Env, UsageError } from './types.ts';

const SETTINGS: readonly Setting[] = [
  { flag: 'port', value: 'n', variable: 'PORT', help: 'HTTP port; 0 is any free one.', default: '3000' },
  { flag: 'host', value: 'address', help: '0.0.0.0 lets other machines in.', default: '127.0.0.1' },
  { flag: 'path', value: 'path', help: 'HTTP path of the endpoint.', default: '/mcp' },
  { variable: 'MCP_ALLOWED_ORIGINS', help: 'Web pages that may call, as https://app.example,…' },
  {
    variable: 'MCP_ALLOWED_HOSTS',
    help: 'Hosts that requests may name. Default on loopback: this machine; else any.',
  },
  { variable: 'MCP_DRAIN_DELAY_MS', help: 'Serve on after SIGTERM, while /readyz answers 503.' },
];

/** Lets the server listen with `--transport http`. */
export function http(): Feature {
  return { name: 'http', settings: SETTINGS, transports: { http: serveHttp } };
}

export interface HttpOptions {
  host: string;
  path: string;
  allowedOrigins: readonly string[];
  allowedHosts: readonly string[];
}

export const PROBES = ['/healthz', '/livez', '/readyz'];

/**
 * Starts the server without a listener: `app.all('/mcp', (request, response) => handle(request, response, request.body))`.
 * @throws {UsageError} for settings, features or handlers that can't be used
 */
export async function createHandler(
  definition: ServerDefinition,
  { env = process.env, report = console.error }: Partial<ServerOptions> = {},
): Promise<HttpHandler> {
  const { createHttpHandler } = await import('./http-handler.ts');
  const server = new Server(definition, { env, flags: { transport: 'http' }, report });
  const handle = createHttpHandler(server, readHttpOptions(server));
  await server.start();
  return handle;
}

export const splitList = (text = ''): string[] => text.match(/[^\s,]+/g) ?? [];

export function readHttpOptions({ flags, env }: Server): HttpOptions & { port: number; drainMs: number } {
  const { value: host = '127.0.0.1' } = getSetting(flags, env, 'host', '');
  const { value: path = '/mcp' } = getSetting(flags, env, 'path', '');
  if (!/^\/[^\s?#]*$/.test(path) || PROBES.includes(path))
    throw new UsageError(
      `--path must begin with a slash, without blanks, ? and #, and be none of ${PROBES.join(', ')}, not ${path}.`,
    );
  return {
    host: host.replace(/^\[(.*)\]$/, '$1'),
    path,
    port: parseInteger(getSetting(flags, env, 'port', 'PORT'), 0, 65_535) ?? 3000,
    allowedOrigins: readList(
      env,
      'MCP_ALLOWED_ORIGINS',
      /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@*]+$/i,
      'origins such as https://app.example',
    ),
    allowedHosts: readList(env, 'MCP_ALLOWED_HOSTS', /^(?:[\w.-]+|\[[\da-f:.]+\])$/i, 'names without ports'),
    drainMs: parseInteger(getSetting(flags, env, '', 'MCP_DRAIN_DELAY_MS'), 0, 3_600_000) ?? 0,
  };
}

/** @throws {UsageError} for one of another form, which no request would ever have */
function readList(env: Env, variable: string, form: RegExp, what: string): string[] {
  const values = splitList(env[variable]);
  const other = values.find((value) => !form.test(value));
  if (other !== undefined) throw new UsageError(`${variable} must hold ${what}, not ${other}.`);
  return values.map((value) => value.toLowerCase());
}

/** A part of the kind `listener`: makes another server than that of plain HTTP, or none. */
export type MakeListener = (
  server: Server,
  options: ListenOptions,
  take: RequestListener,
) => Promise<HttpServer | undefined>;

async function serveHttp(server: Server, stop: Promise<void>, tell: (text: string) => void): Promise<void> {
  // A start over stdio is faster without.
  const { bracketed, createHttpHandler, isLoopback } = await import('./http-handler.ts');
  const { createServer } = await import('node:http');
  const options = readHttpOptions(server);
  const { host, port, path, drainMs } = options;
  const handle = createHttpHandler(server, options);
  const limits = {
    maxHeaderSize: LIMITS.headerBytes,
    headersTimeout: LIMITS.headersMs,
    requestTimeout: LIMITS.requestMs,
    keepAliveTimeout: LIMITS.idleConnectionMs,
    connectionsCheckingInterval: LIMITS.headersMs / 2,
    // Else the first of two `Host` or `Authorization` fields would be used here, maybe the last by a proxy.
    joinDuplicateHeaders: true,
    // Node's own refusal would still serve the requests sent behind it.
    requireHostHeader: false,
  };
  const take = takeInTurn(server, handle);
  const [makeListener] = Object.values(server.parts<MakeListener>('listener'));
  const listener = (await makeListener?.(server, limits, take)) ?? createServer(limits, take);
  // Node would silently drop headers beyond a count; their bytes are bounded.
  listener.maxHeadersCount = 0;
  listener.maxConnections = LIMITS.connections;
  listener.on('drop', () => server.observeRefusal(503));
  for (const { listen } of server.features) listen?.(listener, take);
  await new Promise<void>((resolve, reject) => {
    listener.once('error', (error: NodeJS.ErrnoException) => {
      const message = `${host}:${port} can't be used (${error.code}). Choose another by --port or --host.`;
      reject(Object.assign(error, { message, syscall: 'listen' }));
    });
    listener.listen(port, host, resolve);
  });
  listener.removeAllListeners('error').on('error', server.report);
  const { port: boundPort } = listener.address() as { port: number };
  const scheme = 'setSecureContext' in listener ? 'https' : 'http';
  tell(`serving ${scheme}://${bracketed(host)}:${boundPort}${path}`);
  if (!isLoopback(host) && server.features.every(({ admit }) => admit === undefined))
    tell(
      `warning: bound to ${host}: whoever can reach it may call every tool, with the credentials of this server. Bind to 127.0.0.1, or let a proxy ask who they are.`,
    );
  await stop;
  server.isDraining = true;
  if (drainMs > 0) {
    tell(`draining: /readyz answers 503, and requests are taken for ${drainMs} ms more`);
    await sleep(drainMs);
  }
  server.beginStopping();
  tell('stopping');
  handle.stop();
  let isClosed = false;
  listener.close(() => (isClosed = true));
  const deadline = Date.now() + LIMITS.httpDrainMs;
  // A call goes on whose client is gone.
  while ((!isClosed || handle.countRequests() > 0) && Date.now() < deadline) {
    await sleep(10);
    // A connection that was busy when listening stopped becomes idle later.
    listener.closeIdleConnections();
  }
  const requests = handle.countRequests();
  if (requests > 0) tell(`cut off, and not answered: ${requests}`);
  handle.end();
  listener.closeAllConnections();
}

/** Requests that a client sends behind one that is not answered wait for it. */
function takeInTurn(server: Server, handle: HttpHandler): RequestListener {
  const latest = new WeakMap<Socket, ServerResponse>();
  const waiting = new WeakMap<Socket, number>();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { socket } = request;
    const before = latest.get(socket);
    latest.set(socket, response);
    if (before?.closed === false) {
      const count = (waiting.get(socket) ?? 0) + 1;
      waiting.set(socket, count);
      if (count > LIMITS.pipelinedRequests) return void socket.destroy();
      await new Promise((resolve) => before.once('close', resolve));
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
    }
    if (socket.destroyed) return;
    // What comes behind an answer that closes the connection is no request (RFC 9112, section 9.6).
    if (before?.shouldKeepAlive === false) return void socket.destroy();
    if (server.isDraining) response.shouldKeepAlive = false;
    // HTTP/1.0 has no chunks: a proxy in front may have read them as another request (RFC 9112, section 6.1).
    if (request.httpVersion === '1.0' && request.headers['transfer-encoding'] !== undefined)
      return void response.writeHead(400, { connection: 'close' }).end();
    await handle(request, response);
  };
  return (request, response) => void take(request, response);
}
