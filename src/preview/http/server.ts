/** The server of the page: loopback alone, for the browser that was given the address. */
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Refusal } from '../problem.ts';
import type { Routes } from '../protocol.ts';
import { findAsset } from './assets.ts';
import { readBody, parseQuery } from './body.ts';
import { Events } from './events.ts';
import { Access, refuseForeignRequests } from './guard.ts';

/** Answers of each route but that of sessions. What a request gives is checked by the handler. */
export type Handlers = {
  [R in Exclude<keyof Routes, 'POST /api/session'>]: (
    takes: Record<string, unknown>,
  ) => Promise<Routes[R]['gives']>;
};

export interface PageServer {
  /** The address with its token, which is taken once. */
  address: string;
  port: number;
  /** Tells the open pages that there is a new compilation. */
  changed: (generation: number) => void;
  close: () => Promise<void>;
}

interface Serving {
  handlers: Handlers;
  access: Access;
  events: Events;
  port: number;
  report: (thrown: unknown) => void;
}

/** Rejects if the port is taken. `report` receives bugs, and words for the terminal. */
export async function startPageServer(
  handlers: Handlers,
  { port: preferredPort = 0, report }: { port?: number | undefined; report: (thrown: unknown) => void },
): Promise<PageServer> {
  const access = new Access();
  const events = new Events();
  const server = createServer({ maxHeaderSize: 16 * 1024, requestTimeout: 30_000 });
  await listenOnPort(server, preferredPort);
  const { port } = server.address() as AddressInfo;
  const serving: Serving = { handlers, access, events, port, report };
  server.on('request', (request, response) => void respondSafely(request, response, serving));
  return {
    port,
    address: `http://127.0.0.1:${String(port)}/?token=${access.token}`,
    changed: (generation) => events.sendToAll('changed', generation),
    close: async () => {
      events.closeStreams();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listenOnPort(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

async function respondSafely(
  request: IncomingMessage,
  response: ServerResponse,
  serving: Serving,
): Promise<void> {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  try {
    refuseForeignRequests(request, serving.port);
    await answerRoute(request, response, serving);
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) serving.report(thrown);
    const { status, message, hint } =
      thrown instanceof Refusal
        ? thrown
        : new Refusal(500, 'This is a bug of mcpgen; the terminal says more.');
    // The rest of a body that is too long is not read.
    if (!request.complete) response.setHeader('Connection', 'close');
    if (!response.headersSent)
      sendJson(response, status, { error: hint === undefined ? { message } : { message, hint } });
  }
}

async function answerRoute(
  request: IncomingMessage,
  response: ServerResponse,
  { handlers, access, events, report }: Serving,
): Promise<void> {
  const { method = '', url: target = '' } = request;
  if (!target.startsWith('/') || !URL.canParse(target, 'http://127.0.0.1'))
    throw new Refusal(400, 'The path is none.');
  // The path as it was sent: `..` and escapes are resolved by nobody.
  const path = target.replace(/\?.*$/s, '');
  const url = new URL(target, 'http://127.0.0.1');
  if (!path.startsWith('/api/')) return sendAsset(response, method, path);
  if (method === 'POST' && path === '/api/session') return openSession(request, response, { access, report });
  if (!access.hasSecret(request)) throw new Refusal(401, NOT_OPENED);
  if (method === 'GET' && path === '/api/events') {
    if (!events.openStream(response)) throw new Refusal(503, 'Too many pages are open.');
    return;
  }
  const route = `${method} ${path}`;
  if (!isRoute(route, handlers)) {
    const isKnown = Object.keys(handlers).some((key) => key.endsWith(` ${path}`));
    throw isKnown
      ? new Refusal(405, `${path} does not take ${method}.`)
      : new Refusal(404, `There is no ${path}.`);
  }
  const takes = method === 'POST' ? await readBody(request) : parseQuery(url);
  sendJson(response, 200, await handlers[route](takes));
}

function isRoute(route: string, handlers: Handlers): route is keyof Handlers {
  return Object.hasOwn(handlers, route);
}

const NOT_OPENED =
  'This page has to be opened by the address that mcpgen has printed, which works once, in one tab. Run mcpgen preview again for another.';

const OPENED_AGAIN =
  'The address was opened again, in another tab or by another program: it works once. If you did not open it before, somebody else did: end the page with Ctrl-C.';

/** The tab that has the secret may open the address again. */
async function openSession(
  request: IncomingMessage,
  response: ServerResponse,
  { access, report }: Pick<Serving, 'access' | 'report'>,
): Promise<void> {
  const { token } = await readBody(request);
  if (access.redeemToken(token) || access.hasSecret(request))
    return sendJson(response, 200, { secret: access.secret });
  if (access.wasTokenRedeemed(token)) report(OPENED_AGAIN);
  throw new Refusal(401, NOT_OPENED);
}

function sendAsset(response: ServerResponse, method: string, path: string): void {
  if (method !== 'GET' && method !== 'HEAD') throw new Refusal(405, `${path} does not take ${method}.`);
  const asset = findAsset(path);
  if (asset === undefined) throw new Refusal(404, 'There is no such file.');
  response.writeHead(200, { 'Content-Type': asset.type, 'Content-Length': asset.bytes.length });
  response.end(method === 'HEAD' ? undefined : asset.bytes);
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  const bytes = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
  });
  response.end(bytes);
}
