/** The server of the page: loopback alone, for the browser that was given the address. */
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';

import { ownMember, isRecord } from '../../../templates/runtime/json-rpc.ts';
import { tryParseJson } from '../../util/try-parse-json.ts';
import { packageRoot } from '../../util/version.ts';
import { Refusal } from '../problem.ts';
import type { Routes } from '../protocol.ts';
import { Access, refuseForeignRequests } from './guard.ts';

/** Answers of each route but that of sessions. The page alone has the secret, so the form of what it sends is trusted. */
export type Handlers = {
  [R in Exclude<keyof Routes, 'POST /api/session'>]: (
    takes: Routes[R]['takes'],
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
  /** Open streams of `GET /api/events`. */
  streams: Set<ServerResponse>;
  port: number;
  report: (thrown: unknown) => void;
}

/** `report` receives bugs, and words for the terminal. */
export async function startPageServer(
  handlers: Handlers,
  { report }: { report: (thrown: unknown) => void },
): Promise<PageServer> {
  const access = new Access();
  const streams = new Set<ServerResponse>();
  const writeToStreams = (text: string): void => {
    for (const stream of streams) stream.write(text);
  };
  const timer = setInterval(() => writeToStreams(': open\n\n'), KEEP_ALIVE_MS).unref();
  const server = createServer({ maxHeaderSize: 16 * 1024, requestTimeout: 30_000 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const serving: Serving = { handlers, access, streams, port, report };
  server.on('request', (request, response) => void respondSafely(request, response, serving));
  return {
    port,
    address: `http://127.0.0.1:${String(port)}/?token=${access.token}`,
    changed: (generation) => writeToStreams(`event: changed\ndata: ${String(generation)}\n\n`),
    close: async () => {
      clearInterval(timer);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const KEEP_ALIVE_MS = 15_000;

/** Pages that are open at a time. */
const MOST_STREAMS = 32;

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
  { handlers, access, streams, report }: Serving,
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
  if (method === 'GET' && path === '/api/events') return openStream(response, streams);
  const route = `${method} ${path}`;
  if (!isRoute(route, handlers)) {
    const isKnown = Object.keys(handlers).some((key) => key.endsWith(` ${path}`));
    throw isKnown
      ? new Refusal(405, `${path} does not take ${method}.`)
      : new Refusal(404, `There is no ${path}.`);
  }
  const takes = method === 'POST' ? await readBody(request) : Object.fromEntries(url.searchParams);
  const handle = handlers[route] as (takes: object) => Promise<object>;
  sendJson(response, 200, await handle(takes));
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

function openStream(response: ServerResponse, streams: Set<ServerResponse>): void {
  if (streams.size >= MOST_STREAMS) throw new Refusal(503, 'Too many pages are open.');
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.flushHeaders();
  streams.add(response);
  response.on('close', () => streams.delete(response));
}

/** Bytes of a request's body. */
const MOST_BYTES = 1024 * 1024;

/** @throws {Refusal} */
async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > MOST_BYTES) throw new Refusal(413, `The body is longer than ${String(MOST_BYTES)} bytes.`);
    chunks.push(bytes);
  }
  const value = tryParseJson(Buffer.concat(chunks).toString('utf8'));
  if (!isRecord(value)) throw new Refusal(400, 'The body must be a JSON object.');
  return value;
}

/** The files of the page: a fixed list, so that no path of a request is ever looked up. */
const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/page.css': ['page.css', 'text/css; charset=utf-8'],
};

function sendAsset(response: ServerResponse, method: string, path: string): void {
  if (method !== 'GET' && method !== 'HEAD') throw new Refusal(405, `${path} does not take ${method}.`);
  const [file, type] = ownMember(FILES, path) ?? [];
  if (file === undefined || type === undefined) throw new Refusal(404, 'There is no such file.');
  const bytes = readFileSync(new URL(`dist/preview/${file}`, packageRoot()));
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': bytes.length });
  response.end(method === 'HEAD' ? undefined : bytes);
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  const bytes = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
  });
  response.end(bytes);
}
