// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * HTTP+SSE (2024-11-05): a GET opens the session and its stream, and names the URL to post to. `Accept` is not checked, since
 * clients of that revision don't send all that they accept.
 */
import { writeJson } from '../../contract/json-value.ts';
import { type Answer, type RequestContext, answerMessage, errorAnswer } from '../../core/call.ts';
import type { Caller } from '../../feature-loaders.ts';
import type { LegacySession, Session } from '../../core/session.ts';
import {
  METHOD_NOT_FOUND,
  type OutgoingNotification,
  type RequestId,
  type ServerRequest,
} from '../../protocol/json-rpc.ts';
import { detectEra } from '../../protocol/revisions.ts';
import {
  setScopeChallenge,
  assertLegacyVersion,
  demandScopes,
  pickPassedHeaders,
  readBody,
  parsePosted,
  requestIdOf,
} from './read-request.ts';
import {
  HttpRefusal,
  LEGACY_STATUSES,
  SseResponse,
  answerJson,
  isScopeRefusal,
  printMessageEvent,
} from './http-answer.ts';
import type { HttpCall } from './http-handler.ts';
import { rateLimitKey } from './client-limits.ts';
import { newSession } from './endpoint.ts';

export function openSse(
  { request, response, context, caller, surface }: HttpCall,
  messagesPath: string,
): void {
  const { sessions, limits, proxies, memory } = context;
  const client = rateLimitKey(request, caller, proxies);
  const session = newSession(context, client, surface);
  const stream = new SseResponse(response, limits, memory.unread.createHold(request, proxies));
  const id = sessions.open(new SseSession(session, stream, caller), client, caller?.subject);
  stream.on('close', () => void sessions.end(id).catch(() => undefined));
  stream.write(`event: endpoint\ndata: ${messagesPath}?sessionId=${id}\n\n`);
}

export async function postSse(call: HttpCall): Promise<void> {
  const { request, response, context, caller } = call;
  const { core, sessions, limits } = context;
  const body = await readBody(request, limits.bodyBytes, context);
  const name = new URLSearchParams((request.url ?? '').split('?')[1]).get('sessionId') ?? undefined;
  const known = name === undefined ? undefined : sessions.findAndTouch(name, caller?.subject);
  const posted = parsePosted(request, body, []);
  demandScopes(posted, context, caller);
  const id = requestIdOf(posted);
  if (name === undefined)
    throw new HttpRefusal(400, '`sessionId` is missing: post to what the `endpoint` event named.', {}, id);
  if (!(known instanceof SseSession))
    throw new HttpRefusal(
      404,
      'The session is unknown or has ended. It lives on the node that has its stream.',
      {},
      id,
    );
  refuseTokenWithMoreScopes(known, call, id);
  // An HTTP error would end clients that probe (`server/discover`); after this one they open with `initialize`.
  if (posted.kind === 'request' && detectEra(posted, undefined) === 'modern') {
    response.writeHead(202).end();
    const words = 'This transport serves the revisions that open with `initialize`.';
    return known.answer(errorAnswer(posted.id, METHOD_NOT_FOUND, words, 'method'));
  }
  assertLegacyVersion(request, id);
  const { session } = known;
  const acceptMessage = (): void => void (response.headersSent || response.writeHead(202).end());
  const send: RequestContext['send'] = (each) => known.send(each);
  // Scopes are checked before anything is done or sent: a refusal is answered here, not on the stream.
  if (caller === undefined) acceptMessage();
  const answer = await core(posted, {
    channel: session,
    session,
    caller,
    passedHeaders: pickPassedHeaders(request, context),
    send,
    needs: acceptMessage,
  });
  if (!response.headersSent && answer !== undefined && [answer].flat().every(isScopeRefusal)) {
    setScopeChallenge(answer, call);
    answerJson(response, answer, LEGACY_STATUSES);
    return known.answer(undefined);
  }
  acceptMessage();
  known.answer(answer);
}

/**
 * The stream carries the answers to all posted requests to the caller that opened it, so a token with more scopes must not be
 * used with it.
 * @throws {HttpRefusal} 403
 */
function refuseTokenWithMoreScopes(
  { opener }: SseSession,
  { context: { guard }, caller }: HttpCall,
  id: RequestId | undefined,
): void {
  if (guard === undefined || opener === undefined || caller === undefined) return;
  const { scopes } = caller.auth;
  if (guard.coversScopes(scopes, opener)) return;
  const challenge = { 'www-authenticate': guard.scopeChallenge(scopes, opener) };
  const words =
    'The session was opened by a token that reaches less far than this one: open another by this one.';
  throw new HttpRefusal(403, words, challenge, id);
}

/** One stream carries all messages, and the session ends with it. */
class SseSession implements LegacySession {
  readonly session: Session;
  readonly opener: Caller | undefined;
  readonly #stream: SseResponse;
  #isStopping = false;

  constructor(session: Session, stream: SseResponse, opener?: Caller) {
    this.session = session;
    this.opener = opener;
    this.#stream = stream;
    session.push = (message) => void this.send(message);
  }

  get isInUse(): boolean {
    return this.#stream.isOpen;
  }

  async send(message: OutgoingNotification | ServerRequest): Promise<void> {
    this.#stream.write(printMessageEvent(writeJson(message)));
    await this.#stream.waitUntilRoom();
  }

  answer(answer: Answer | Answer[] | undefined): void {
    if (answer !== undefined) this.#stream.write(printMessageEvent(answerMessage(answer)));
    if (this.#isStopping) this.stopListening();
  }

  /** The stream carries answers too, so it ends after the last of them. */
  stopListening(): void {
    this.#isStopping = true;
    if (this.session.inFlightRequests.length === 0) this.end();
  }

  end(): void {
    this.session.end();
    this.#stream.end();
  }
}
