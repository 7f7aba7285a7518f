/** POST: one message, or a batch, of a legacy session. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { invalidMessage, NOT_JSON } from '../../core/answer.ts';
import type { Exchange } from '../../core/call.ts';
import { RateLimiter } from '../../core/rate-limiter.ts';
import { Session } from '../../core/session.ts';
import { isRecord, isRequestId, readMessage, type RequestId } from '../../protocol/json-rpc.ts';
import { answerJson, LEGACY_STATUSES } from './answer-json.ts';
import type { HttpHandlerOptions } from './http-handler.ts';
import { HttpRefusal } from './http-refusal.ts';
import { HttpSession } from './http-session.ts';
import { LegacyReply } from './legacy-reply.ts';
import { readBody } from './read-body.ts';
import { checkAccept, checkContentType, checkVersion, headerOf, sessionOf } from './request-head.ts';

export async function post(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpHandlerOptions,
): Promise<void> {
  const { core, sessions, limits } = options;
  const body = await readBody(request, limits.bodyBytes);
  const sessionId = headerOf(request, 'mcp-session-id');
  checkRate(sessionId === undefined ? undefined : sessions.use(sessionId)?.session.limiter);
  checkContentType(request);
  checkAccept(request, ['application/json', 'text/event-stream']);
  const message = parse(body);
  if (message === undefined) return answerJson(response, NOT_JSON, LEGACY_STATUSES);
  const { id, fault, isRequest, opens } = shapeOf(message);
  if (fault !== undefined) return answerJson(response, invalidMessage(id, fault), LEGACY_STATUSES);
  if (opens && sessionId === undefined) return openSession(message, response, options);
  const session = sessionOf(request, sessions, id);
  checkVersion(request, id);
  const reply = new LegacyReply(response, session, limits);
  reply.end(await core(message, exchangeOf(session, reply)), isRequest);
}

function exchangeOf({ session }: HttpSession, reply: LegacyReply): Exchange {
  return { channel: session, session, send: (message) => reply.send(message) };
}

function checkRate(limiter: RateLimiter | undefined): void {
  const seconds = limiter?.waitSeconds ?? 0;
  if (seconds > 0) throw new HttpRefusal(429, 'Too many calls.', { 'retry-after': String(seconds) });
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

async function openSession(
  message: unknown,
  response: ServerResponse,
  { core, sessions, limits, callsPerMinute, logLevel }: HttpHandlerOptions,
): Promise<void> {
  if (!sessions.hasRoom()) {
    throw new HttpRefusal(503, 'Too many sessions are open. Try again later.', { 'retry-after': '60' });
  }
  const limiter = callsPerMinute === undefined ? undefined : new RateLimiter(callsPerMinute);
  const session = new HttpSession(new Session(logLevel, limiter), limits);
  const reply = new LegacyReply(response, session, limits);
  const answer = await core(message, exchangeOf(session, reply));
  const isOpen = answer !== undefined && !Array.isArray(answer) && answer.kind === 'result';
  if (isOpen) response.setHeader('mcp-session-id', sessions.open(session));
  reply.end(answer, true);
}
