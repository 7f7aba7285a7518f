/**
 * HTTP+SSE, the transport of 2024-11-05: a GET opens the session and its stream, and names the place to post to. Its
 * clients say nothing of what they accept.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestContext } from '../../core/call.ts';
import { eraOf } from '../../protocol/era.ts';
import type { RequestId } from '../../protocol/json-rpc.ts';
import { answerJson, LEGACY_STATUSES } from './answer-json.ts';
import { challengeScopes, isForScopes } from './challenge-scopes.ts';
import { demandScopes } from './demand-scopes.ts';
import type { Caller } from '../../core/caller.ts';
import type { HttpContext, SsePaths } from './http-context.ts';
import { HttpRefusal } from './http-refusal.ts';
import { newSession } from './new-session.ts';
import { partyOf } from './party.ts';
import { idOf, readPosted } from './posted.ts';
import { readBody } from './read-body.ts';
import { checkVersion, passedHeaders } from './request-head.ts';
import { SseResponse } from './sse-response.ts';
import { SseSession } from './sse-session.ts';

export function openSse(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpContext,
  { messagesPath, caller }: SsePaths & { caller: Caller | undefined },
): void {
  const { sessions, limits, proxies, memory } = options;
  const party = partyOf(request, caller, proxies);
  const session = newSession(options, party);
  const stream = new SseResponse(response, limits, memory.unread.holdFor(request, proxies));
  const id = sessions.open(new SseSession(session, stream, caller), party, caller?.subject);
  stream.on('close', () => sessions.end(id));
  stream.write(`event: endpoint\ndata: ${messagesPath}?sessionId=${id}\n\n`);
}

export async function postSse(
  request: IncomingMessage,
  response: ServerResponse,
  context: HttpContext,
  caller?: Caller,
): Promise<void> {
  const { core, sessions, limits, memory, proxies } = context;
  const body = await readBody(request, limits.bodyBytes, memory.unfinished.holdFor(request, proxies));
  const name = new URLSearchParams((request.url ?? '').split('?')[1]).get('sessionId') ?? undefined;
  const known = name === undefined ? undefined : sessions.use(name, caller?.subject);
  const posted = readPosted(request, body, []);
  demandScopes(posted, context, caller);
  const id = idOf(posted);
  if (posted.kind === 'request' && eraOf(posted, undefined) === 'modern')
    throw new HttpRefusal(400, 'This transport serves the revisions that open with `initialize`.', {}, id);
  if (name === undefined)
    throw new HttpRefusal(400, '`sessionId` is missing: post to what the `endpoint` event named.', {}, id);
  if (!(known instanceof SseSession))
    throw new HttpRefusal(404, 'The session is unknown or has ended.', {}, id);
  checkReach(known, context, caller, id);
  checkVersion(request, id);
  const { session } = known;
  const accept = (): void => void (response.headersSent || response.writeHead(202).end());
  const send: RequestContext['send'] = (each) => known.send(each);
  // Scopes are asked for before anything is done or sent: what lacks them is refused here, not on the stream.
  if (caller === undefined) accept();
  const answer = await core(posted, {
    channel: session,
    session,
    caller,
    passedHeaders: passedHeaders(request, context),
    send,
    needs: accept,
  });
  if (!response.headersSent && answer !== undefined && [answer].flat().every(isForScopes)) {
    challengeScopes(answer, response, context, caller);
    answerJson(response, answer, LEGACY_STATUSES);
    return known.answer(undefined);
  }
  accept();
  known.answer(answer);
}

/**
 * The stream carries the answers to all that is posted, and is read by whoever opened it: another token of the same caller
 * may reach further.
 *
 * @throws {HttpRefusal} 403
 */
function checkReach(
  { opener }: SseSession,
  { guard }: HttpContext,
  caller: Caller | undefined,
  id: RequestId | undefined,
): void {
  if (guard === undefined || opener === undefined || caller === undefined) return;
  const { scopes } = caller.auth;
  if (guard.covers(scopes, opener)) return;
  const challenge = { 'www-authenticate': guard.lacking(scopes, opener) };
  const words =
    'The session was opened by a token that reaches less far than this one: open another by this one.';
  throw new HttpRefusal(403, words, challenge, id);
}
