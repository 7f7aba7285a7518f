/** Streamable HTTP for the legacy revisions: one endpoint, and the checks of a request in the order they refuse. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { invalidMessage, NOT_JSON } from '../../core/answer.ts';
import type { Core } from '../../core/core.ts';
import { RateLimiter } from '../../core/rate-limiter.ts';
import { Session } from '../../core/session.ts';
import type { LogLevel } from '../../definition.ts';
import type { Limits } from '../../limits.ts';
import { isRecord, isRequestId, readMessage, type RequestId } from '../../protocol/json-rpc.ts';
import { isLegacyRevision } from '../../protocol/revisions.ts';
import { HttpRefusal } from './http-refusal.ts';
import { checkAccept, checkContentType, readBody } from './post-request.ts';
import { checkOrigin, type OriginRules } from './origin-check.ts';
import { Reply } from './reply.ts';
import type { SessionStore } from './session-store.ts';

export interface HttpHandlerOptions {
  core: Core;
  sessions: SessionStore;
  limits: Limits;
  rules: OriginRules;
  /** The endpoint: `/mcp`. */
  path: string;
  /** Calls a minute in one session; undefined: not limited. */
  callsPerMinute: number | undefined;
  logLevel: LogLevel;
  /** Told of what went wrong inside; the client is not. */
  report: (thrown: unknown) => void;
}

export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export function createHttpHandler(options: HttpHandlerOptions): HttpHandler {
  return async (request, response) => {
    try {
      await route(request, response, options);
    } catch (thrown) {
      if (!(thrown instanceof HttpRefusal)) options.report(thrown);
      refuse(response, thrown instanceof HttpRefusal ? thrown : new HttpRefusal(500, 'Internal error.'));
    }
  };
}

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpHandlerOptions,
): Promise<void> {
  const path = (request.url ?? '').split('?')[0];
  // Ahead of the checks: probes come by an address, and learn nothing.
  if (path === '/healthz') return health(request, response);
  const { host, origin } = request.headers;
  checkOrigin({ host, origin }, options.rules);
  if (origin !== undefined) allowReading(response, origin);
  if (path !== options.path)
    throw new HttpRefusal(404, `Nothing is served here. The endpoint is ${options.path}.`);
  switch (request.method) {
    case 'POST':
      return post(request, response, options);
    case 'DELETE':
      return endSession(request, response, options);
    case 'OPTIONS':
      return preflight(response);
    default:
      throw new HttpRefusal(405, 'Only POST and DELETE are served here.', { allow: 'POST, DELETE, OPTIONS' });
  }
}

function health({ method }: IncomingMessage, response: ServerResponse): void {
  if (method !== 'GET' && method !== 'HEAD') {
    throw new HttpRefusal(405, 'Only GET is served here.', { allow: 'GET, HEAD' });
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}');
}

/** For web clients of an allowed origin (Fetch, "CORS protocol"). */
function allowReading(response: ServerResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', 'Mcp-Session-Id');
  response.setHeader('vary', 'Origin');
}

function preflight(response: ServerResponse): void {
  response
    .writeHead(204, {
      'access-control-allow-methods': 'POST, DELETE',
      'access-control-allow-headers':
        'Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Protocol-Version, Mcp-Session-Id',
      'access-control-max-age': '600',
    })
    .end();
}

async function post(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpHandlerOptions,
): Promise<void> {
  const { headers } = request;
  const body = await readBody(request, options.limits.bodyBytes);
  const sessionId = headerOf(request, 'mcp-session-id');
  const session = sessionId === undefined ? undefined : options.sessions.use(sessionId);
  checkRate(session);
  checkContentType(headers['content-type']);
  checkAccept(headers.accept);
  const reply = new Reply(response);
  const message = parse(body);
  if (message === undefined) return reply.end(NOT_JSON, false);
  const shape = shapeOf(message);
  if (shape.fault !== undefined) return reply.end(invalidMessage(shape.id, shape.fault), false);
  if (shape.opens && sessionId === undefined) return openSession(message, reply, options);
  if (sessionId === undefined) {
    throw new HttpRefusal(400, '`Mcp-Session-Id` is missing: `initialize` comes first.', {}, shape.id);
  }
  if (session === undefined) throw new HttpRefusal(404, 'The session is unknown or has ended.', {}, shape.id);
  checkVersion(headerOf(request, 'mcp-protocol-version'), shape.id);
  const send = async (each: Parameters<Reply['send']>[0]): Promise<void> => reply.send(each);
  const exchange = { channel: session, session, send };
  reply.end(await options.core(message, exchange), shape.isRequest);
}

function checkRate(session: Session | undefined): void {
  const seconds = session?.limiter?.waitSeconds ?? 0;
  if (seconds > 0) throw new HttpRefusal(429, 'Too many calls.', { 'retry-after': String(seconds) });
}

/** An absent header says nothing: the session knows its revision. */
function checkVersion(version: string | undefined, id: RequestId | undefined): void {
  if (version === undefined || isLegacyRevision(version)) return;
  throw new HttpRefusal(400, `The protocol version ${JSON.stringify(version)} is not supported.`, {}, id);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

/** What must be known of a body before its session is. */
interface Shape {
  id: RequestId | undefined;
  isRequest: boolean;
  /** It is an `initialize`. */
  opens: boolean;
  fault: string | undefined;
}

/** Batches are left to the core, which knows whether the session's revision has them. */
function shapeOf(message: unknown): Shape {
  if (Array.isArray(message)) {
    const isRequest = message.some((each) => isRecord(each) && isRequestId(each['id']) && 'method' in each);
    return { id: undefined, isRequest, opens: false, fault: undefined };
  }
  const incoming = readMessage(message);
  const isRequest = incoming.kind === 'request';
  return {
    id: incoming.kind === 'notification' || incoming.kind === 'response' ? undefined : incoming.id,
    isRequest,
    opens: isRequest && incoming.method === 'initialize',
    fault: incoming.kind === 'invalid' ? incoming.reason : undefined,
  };
}

async function openSession(message: unknown, reply: Reply, options: HttpHandlerOptions): Promise<void> {
  const { core, sessions, callsPerMinute, logLevel } = options;
  if (!sessions.hasRoom()) {
    throw new HttpRefusal(503, 'Too many sessions are open. Try again later.', { 'retry-after': '60' });
  }
  const session = new Session(
    logLevel,
    callsPerMinute === undefined ? undefined : new RateLimiter(callsPerMinute),
  );
  const answer = await core(message, {
    channel: session,
    session,
    send: async (each) => reply.send(each),
  });
  const isOpen = answer !== undefined && !Array.isArray(answer) && answer.kind === 'result';
  reply.end(answer, true, isOpen ? { 'mcp-session-id': sessions.open(session) } : {});
}

function endSession(
  request: IncomingMessage,
  response: ServerResponse,
  { sessions }: HttpHandlerOptions,
): void {
  const id = headerOf(request, 'mcp-session-id');
  if (id === undefined) throw new HttpRefusal(400, '`Mcp-Session-Id` is missing.');
  if (sessions.use(id) === undefined) throw new HttpRefusal(404, 'The session is unknown or has ended.');
  checkVersion(headerOf(request, 'mcp-protocol-version'), undefined);
  sessions.end(id);
  response.writeHead(204).end();
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function refuse(response: ServerResponse, { status, headers, body }: HttpRefusal): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  const fields: OutgoingHttpHeaders = { 'content-type': 'application/json', ...headers };
  response.writeHead(status, fields).end(body);
}
