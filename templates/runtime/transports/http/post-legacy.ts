/** A POST of a legacy client: in its session, or opening one. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestContext } from '../../core/call.ts';
import { challengeScopes } from './challenge-scopes.ts';
import { endOfTurn } from './end-of-turn.ts';
import type { Caller } from '../../core/caller.ts';
import type { HttpContext } from './http-context.ts';
import { HttpSession } from './http-session.ts';
import { LegacyReply } from './legacy-reply.ts';
import { newSession } from './new-session.ts';
import { partyOf } from './party.ts';
import { idOf, isAnswered, type Posted } from './posted.ts';
import { checkVersion, headerOf, passedHeaders, sessionOf } from './request-head.ts';

export async function postLegacy(
  posted: Posted,
  request: IncomingMessage,
  response: ServerResponse,
  context: HttpContext,
  caller: Caller | undefined,
): Promise<void> {
  const { core, sessions, limits, memory, proxies } = context;
  const id = idOf(posted);
  const opens = posted.kind === 'request' && posted.method === 'initialize';
  if (opens && headerOf(request, 'mcp-session-id') === undefined)
    return openSession(posted, request, response, context, caller);
  const session = sessionOf(request, sessions, caller, id);
  const hold = memory.unread.holdFor(request, proxies);
  checkVersion(request, id);
  const reply = new LegacyReply(response, session, limits, hold);
  const passed = passedHeaders(request, context);
  const answer = await core(posted, exchangeOf(session, reply, caller, passed));
  await endOfTurn();
  challengeScopes(answer, response, context, caller);
  reply.end(answer, isAnswered(posted));
}

async function openSession(
  posted: Posted,
  request: IncomingMessage,
  response: ServerResponse,
  context: HttpContext,
  caller: Caller | undefined,
): Promise<void> {
  const { core, sessions, limits, memory, proxies } = context;
  const party = partyOf(request, caller, proxies);
  const hold = memory.unread.holdFor(request, proxies);
  const session = new HttpSession(newSession(context, party), limits, hold);
  const reply = new LegacyReply(response, session, limits, hold);
  const answer = await core(posted, exchangeOf(session, reply));
  const isOpen = answer !== undefined && !Array.isArray(answer) && answer.kind === 'result';
  if (isOpen) response.setHeader('mcp-session-id', sessions.open(session, party, caller?.subject));
  reply.end(answer, true);
}

/** Member by member: what is spread into an object takes longer than the rest of a request. */
function exchangeOf(
  { session }: HttpSession,
  reply: LegacyReply,
  caller?: Caller,
  passed?: RequestContext['passedHeaders'],
): RequestContext {
  return {
    channel: session,
    session,
    caller,
    passedHeaders: passed,
    send: (message) => reply.send(message),
    needs: (scopes) => reply.needs(scopes),
    closeStream: () => reply.closeStream(),
  };
}
