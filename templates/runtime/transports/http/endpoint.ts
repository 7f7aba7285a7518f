// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The methods of the endpoint: POST of legacy and modern clients, GET and DELETE of sessions. */
import type { SurfaceName } from '../../contract/json-schema.ts';

import { writeJson } from '../../contract/json-value.ts';
import { type Answer, type RequestContext, answerMessage } from '../../core/call.ts';
import type { Caller, HttpResponse } from '../../feature-loaders.ts';
import { Channel, Session } from '../../core/session.ts';
import type { Limits } from '../../contract/feature.ts';
import { type OutgoingNotification, type ServerRequest, overLimit } from '../../protocol/json-rpc.ts';
import type { Hold } from '../conversation.ts';
import { clientAddress, rateLimitKey } from './client-limits.ts';
import { type EventStream, type EventStreams, HttpSession, type Place } from './session-store.ts';
import {
  type Posted,
  challengeScopes,
  checkAccept,
  checkEra,
  checkVersion,
  findHeader,
  findSession,
  isAnswered,
  passedHeaders,
  readRequestId,
} from './read-request.ts';
import {
  HttpRefusal,
  LEGACY_STATUSES,
  MODERN_STATUSES,
  SseResponse,
  answerJson,
  endOfTurn,
  messageEvent,
  noRoom,
} from './http-answer.ts';
import type { HttpCall, HttpContext } from './http-handler.ts';

export async function postLegacy(posted: Posted, call: HttpCall): Promise<void> {
  const { request, response, context, caller } = call;
  const { core, sessions, limits, memory, proxies } = context;
  const id = readRequestId(posted);
  const opens = posted.kind === 'request' && posted.method === 'initialize';
  if (opens && findHeader(request, 'mcp-session-id') === undefined) return openSession(posted, call);
  const session = findSession(request, sessions, caller, id);
  const hold = memory.unread.holdFor(request, proxies);
  checkVersion(request, id);
  const reply = new LegacyReply(response, session, limits, hold);
  const passed = passedHeaders(request, context);
  const answer = await core(posted, contextFor(session, reply, caller, passed));
  await endOfTurn();
  challengeScopes(answer, call);
  reply.end(answer, isAnswered(posted));
}

async function openSession(posted: Posted, call: HttpCall): Promise<void> {
  const { request, response, context, caller, surface } = call;
  const { core, sessions, limits, memory, proxies } = context;
  const client = rateLimitKey(request, caller, proxies);
  const hold = memory.unread.holdFor(request, proxies);
  const session = new HttpSession(newSession(context, client, surface), limits, hold);
  const reply = new LegacyReply(response, session, limits, hold);
  const answer = await core(posted, contextFor(session, reply));
  const isOpen = answer !== undefined && !Array.isArray(answer) && answer.kind === 'result';
  if (isOpen) response.setHeader('mcp-session-id', sessions.open(session, client, caller?.subject));
  reply.end(answer, true);
}

/** Built member by member, since spreading an object costs more than the rest of a request. */
function contextFor(
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

/** A legacy session's answer to one POST: JSON, or a stream from the first message that comes before the result. */
class LegacyReply {
  readonly #response: HttpResponse;
  readonly #session: HttpSession;
  readonly #limits: Limits;
  readonly #hold: Hold | undefined;
  #scopes: readonly string[] = [];
  #stream: EventStream | undefined;

  constructor(response: HttpResponse, session: HttpSession, limits: Limits, hold?: Hold) {
    this.#response = response;
    this.#session = session;
    this.#limits = limits;
    this.#hold = hold;
  }

  needs(scopes: readonly string[]): void {
    this.#scopes = this.#scopes.length === 0 ? scopes : [...this.#scopes, ...scopes];
    this.#stream?.needs(scopes);
  }

  /** Sends a message ahead of the answer; from here on the reply is a stream. Never rejects. */
  async send(message: OutgoingNotification | ServerRequest): Promise<void> {
    const stream = this.#openStream();
    stream.add(writeJson(message));
    await stream.room();
  }

  /** Ends the connection before the answer, if clients of the revision reconnect for it. */
  closeStream(): void {
    if (this.#session.retryMs(this.#limits) !== undefined) this.#openStream().leave();
  }

  end(answer: Answer | Answer[] | undefined, isRequest: boolean): void {
    const stream = this.#stream;
    if (stream !== undefined) {
      for (const each of [answer ?? []].flat()) stream.add(answerMessage(each));
      stream.end();
    } else if (answer !== undefined) answerJson(this.#response, answer, LEGACY_STATUSES, this.#hold);
    else if (isRequest) new SseResponse(this.#response, this.#limits).end();
    else this.#response.writeHead(202).end();
  }

  #openStream(): EventStream {
    if (this.#stream !== undefined) return this.#stream;
    this.#stream = this.#session.streams.open();
    this.#stream.needs(this.#scopes);
    const carrier = new SseResponse(this.#response, this.#limits, this.#hold);
    this.#stream.carryBy(carrier, undefined, this.#session.retryMs(this.#limits));
    return this.#stream;
  }
}

/**
 * GET: messages that belong to no request, or the rest of a stream that broke off. Legacy revisions only.
 *
 * @throws {HttpRefusal} 403 for a stream whose scopes the caller's token lacks; 405 for the modern era; 410 for a stream that
 * cannot be resumed; 503 when the server stops
 */
export function get({ request, response, context, caller }: HttpCall): void {
  const { sessions, limits, guard, memory, proxies } = context;
  checkEra(request);
  checkAccept(request, ['text/event-stream']);
  const session = findSession(request, sessions, caller);
  checkVersion(request);
  const place = findPlace(session.streams, findHeader(request, 'last-event-id'));
  switch (place.follows) {
    case 'more':
      if (sessions.isStopping && place.stream === session.streams.listening)
        throw new HttpRefusal(503, 'The server is stopping.');
      // Another token of the same caller may have fewer scopes.
      if (caller !== undefined) guard?.demand(place.stream.scopes, caller);
      place.stream.carryBy(
        new SseResponse(response, limits, memory.unread.holdFor(request, proxies)),
        place.index,
        session.retryMs(limits),
        (scopes) => caller === undefined || guard?.covers(scopes, caller) !== false,
      );
      return;
    case 'nothing':
      // The client has all events. After 204 an event source does not reconnect.
      response.writeHead(204).end();
      return;
    case 'forgotten':
      throw new HttpRefusal(
        410,
        'The stream cannot be resumed: what follows `Last-Event-ID` is not kept any more.',
      );
    case 'unknown':
      throw new HttpRefusal(400, '`Last-Event-ID` names no event of this session.');
  }
}

function findPlace(streams: EventStreams, lastEventId: string | undefined): Place {
  if (lastEventId !== undefined) return streams.find(lastEventId);
  return { follows: 'more', stream: streams.listening, index: undefined };
}

/** DELETE: a client ends its session (Streamable HTTP, "Session Management"). Legacy revisions only. */
export function endSession({ request, response, context, caller }: HttpCall): void {
  const { sessions } = context;
  checkEra(request);
  findSession(request, sessions, caller);
  checkVersion(request);
  sessions.end(findHeader(request, 'mcp-session-id') ?? '');
  response.writeHead(204).end();
}

/** A modern client has no session, and its answer is the only stream. */
export async function postModern(posted: Posted, call: HttpCall): Promise<void> {
  const { request, response, context, caller } = call;
  if (posted.kind !== 'request') {
    // Notifications have no effect: a client cancels a request by closing its stream ("Cancellation").
    response.writeHead(202).end();
    return;
  }
  if (response.destroyed) return;
  const { core, limiters, atWork, limits, memory, proxies } = context;
  const address = clientAddress(request, proxies);
  const { requestsPerAddress: most } = limits;
  if (atWork.get(address) >= most) {
    const { code, message } = overLimit(`${most} requests of your address are at work already.`, 1);
    throw new HttpRefusal(429, message, { 'retry-after': '1' }, posted.id, code);
  }
  atWork.add(address);
  try {
    const channel = new Channel(limiters.limiterFor(rateLimitKey(request, caller, proxies)), call.surface);
    response.on('close', () => channel.end());
    const hold = memory.unread.holdFor(request, proxies);
    const reply: { stream?: SseResponse } = {};
    const answer = await core(posted, {
      channel,
      session: undefined,
      address,
      headers: (name) => findHeader(request, name),
      caller,
      passedHeaders: passedHeaders(request, context),
      send: async (message) => {
        const stream = (reply.stream ??= new SseResponse(response, limits, hold));
        stream.write(messageEvent(writeJson(message)));
        await stream.room();
      },
    });
    await endOfTurn();
    challengeScopes(answer, call);
    const { stream } = reply;
    if (answer === undefined) response.end();
    else if (stream === undefined) answerJson(response, answer, MODERN_STATUSES, hold);
    else {
      stream.write(messageEvent(answerMessage(answer)));
      stream.end();
    }
  } finally {
    atWork.remove(address);
  }
}

/** @throws {HttpRefusal} 503 when there is no room for one more session of `client`, or the server stops */
export function newSession(
  { sessions, limiters, logLevel }: HttpContext,
  client: string,
  surface?: SurfaceName,
): Session {
  if (sessions.isStopping) throw new HttpRefusal(503, 'The server is stopping.');
  if (!sessions.makeRoom(client)) throw noRoom();
  return new Session(logLevel, limiters.limiterFor(client), surface);
}
