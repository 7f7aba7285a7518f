// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The methods of the endpoint: POST, GET and DELETE of sessions, and POST of requests that stand alone. */
import type { SurfaceName } from '../../contract/json-schema.ts';

import { writeJson } from '../../contract/json-value.ts';
import { type Answer, type RequestContext, answerMessage } from '../../core/call.ts';
import type { Caller, HttpResponse } from '../../feature-loaders.ts';
import { type Channel, type LegacySession, Session } from '../../core/session.ts';
import type { Limits } from '../../contract/feature.ts';
import {
  type OutgoingNotification,
  type RequestId,
  type ServerRequest,
  isRequestId,
  limitReachedError,
} from '../../protocol/json-rpc.ts';
import type { Hold } from '../conversation.ts';
import { clientAddress, rateLimitKey } from './client-limits.ts';
import {
  type Carry,
  EventStreams,
  type Place,
  type ReplayLimits,
  type SharedSession,
} from './session-store.ts';
import {
  type Posted,
  setScopeChallenge,
  checkAccept,
  refuseModernEra,
  assertLegacyVersion,
  findHeader,
  isAnswered,
  pickPassedHeaders,
  listRequestIds,
  requestIdOf,
} from './read-request.ts';
import {
  type EventStream,
  HttpRefusal,
  LEGACY_STATUSES,
  type MODERN_STATUSES,
  SseResponse,
  answerJson,
  waitForTurnEnd,
  printMessageEvent,
  sessionLimitRefusal,
} from './http-answer.ts';
import type { HttpCall, HttpContext } from './http-handler.ts';

export class HttpSession implements LegacySession {
  readonly session: Session;
  readonly streams: EventStreams;
  shared: SharedSession | undefined;

  constructor(session: Session, limits: ReplayLimits, hold?: Hold) {
    this.session = session;
    this.streams = new EventStreams(limits, hold);
    // A message waits for the client's GET if no such stream is open.
    session.push = (message) => this.streams.listening.addEvent(writeJson(message));
    session.needs = (scopes) => this.streams.listening.addNeededScopes(scopes);
  }

  get isInUse(): boolean {
    const isWaitedFor = this.session.inFlightRequests.some(({ cancelled }) => !cancelled);
    return isWaitedFor || this.streams.listening.hasConnection || this.shared?.isFollowed === true;
  }

  /** After how long clients reconnect. Undefined for revisions whose clients don't. */
  retryMs({ retryMs }: Pick<Limits, 'retryMs'>): number | undefined {
    return this.session.agreement?.features.polling === true ? retryMs : undefined;
  }

  /** Other nodes serve the session too: events and requests of this process are told from theirs by `mark`. */
  mark(mark: string): void {
    this.session.mark = mark;
    this.streams.mark = mark;
  }

  stopListening(): void {
    this.streams.listening.detachConnection();
    this.shared?.stopListening();
  }

  end(): void {
    this.session.end();
    this.streams.end();
    this.shared?.end();
  }
}

const SHARED = ' Nodes need MCP_REDIS_URL for that, or a balancer that keeps a client on one node.';

export const UNKNOWN_SESSION =
  'The session is unknown or has ended. Several nodes serve one session if all have the same MCP_STATE_SECRET.';

/**
 * Other callers' sessions are unknown to a caller. One that another node opened, or that this one dropped, is revived.
 * @throws {HttpRefusal} 400 when the request names none, 404 when that is unknown or has ended
 */
function findSession(call: HttpCall, id?: RequestId): HttpSession | Promise<HttpSession> {
  const { request, context, caller } = call;
  const name = findHeader(request, 'mcp-session-id');
  if (name === undefined)
    throw new HttpRefusal(400, '`Mcp-Session-Id` is missing: `initialize` comes first.', {}, id);
  const open = context.sessions.findAndTouch(name, caller?.subject);
  const isHere = open instanceof HttpSession && open.shared === undefined;
  return isHere ? open : findSharedSession(call, name, open, id);
}

async function findSharedSession(
  call: HttpCall,
  name: string,
  open: LegacySession | undefined,
  id?: RequestId,
): Promise<HttpSession> {
  const { sessions } = call.context;
  const session = open ?? (await reviveSession(name, call));
  if (session instanceof HttpSession) {
    const { shared } = session;
    if (shared === undefined) return session;
    await shared.joined;
    if (open === undefined || (await sessions.isEndedElsewhere?.(name)) !== true) return session;
  }
  throw new HttpRefusal(404, UNKNOWN_SESSION, {}, id);
}

async function reviveSession(id: string, call: HttpCall): Promise<LegacySession | undefined> {
  const { request, context, caller } = call;
  const { sessions, limits, proxies } = context;
  return sessions.reviveSession?.(id, caller?.subject, (surface) => {
    const client = rateLimitKey(request, caller, proxies);
    const own = newSession(context, client, surface);
    return { session: new HttpSession(own, limits, holdForClient(call)), client };
  });
}

export async function handleLegacyPost(posted: Posted, call: HttpCall): Promise<void> {
  const { request, response, context } = call;
  const id = requestIdOf(posted);
  const opens = posted.kind === 'request' && posted.method === 'initialize';
  if (opens && findHeader(request, 'mcp-session-id') === undefined) return openSession(posted, call);
  const found = findSession(call, id);
  const session = found instanceof Promise ? await found : found;
  assertLegacyVersion(request, id);
  if (posted.kind === 'response' && session.session.isAskedElsewhere(posted.id))
    return passAnswerToNodes(posted, session, response);
  if (posted.kind === 'notification' && session.shared !== undefined) passCancelToNodes(posted, session);
  const reply = new LegacyReply(call, session, posted);
  const answer = await context.core(posted, reply);
  await waitForTurnEnd();
  setScopeChallenge(answer, call);
  reply.end(answer, isAnswered(posted));
}

/** @throws {HttpRefusal} 409 if nodes share nothing. Rejects while the state that they share is away. */
async function passAnswerToNodes(
  { id, outcome }: Extract<Posted, { kind: 'response' }>,
  { shared }: HttpSession,
  response: HttpResponse,
): Promise<void> {
  if (shared === undefined)
    throw new HttpRefusal(409, `Another node asked this, and waits for the answer.${SHARED}`);
  if (id !== undefined) await shared.publishAnswer(id, outcome);
  response.writeHead(202).end();
}

function passCancelToNodes(
  { method, params: { requestId, reason } }: Extract<Posted, { kind: 'notification' }>,
  { session, shared }: HttpSession,
): void {
  if (method !== 'notifications/cancelled' || !isRequestId(requestId)) return;
  if (session.inFlightRequests.some((each) => each.id === requestId)) return;
  shared?.cancel(requestId, typeof reason === 'string' ? reason : undefined);
}

async function openSession(posted: Posted, call: HttpCall): Promise<void> {
  const { request, response, context, caller, surface } = call;
  const { core, sessions, limits, proxies } = context;
  const client = rateLimitKey(request, caller, proxies);
  const session = new HttpSession(newSession(context, client, surface), limits, holdForClient(call));
  const reply = new LegacyReply(call, session, posted);
  const answer = await core(posted, reply);
  const isOpen = answer !== undefined && !Array.isArray(answer) && answer.kind === 'result';
  if (isOpen) response.setHeader('mcp-session-id', sessions.open(session, client, caller?.subject));
  reply.end(answer, true);
}

function holdForClient({ request, context: { memory, proxies } }: HttpCall): Hold {
  return memory.unread.createHold(request, proxies);
}

/** Most answers leave at once. */
function holdUnread(call: HttpCall, unread: number): void {
  if (unread === 0) return;
  const { response } = call;
  const holding = holdForClient(call)(() => response.req.socket.destroy());
  holding.set(unread);
  response.once('close', () => holding.end());
}

/**
 * A legacy session's answer to one POST, and the context of its request: JSON, or a stream from the first message that comes
 * before the result.
 */
class LegacyReply implements RequestContext {
  readonly channel: Session;
  readonly session: Session;
  readonly caller: Caller | undefined;
  readonly passedHeaders: RequestContext['passedHeaders'];
  readonly #call: HttpCall;
  readonly #open: HttpSession;
  readonly #posted: Posted;
  #scopes: readonly string[] = [];
  #stream: EventStream | undefined;

  constructor(call: HttpCall, open: HttpSession, posted: Posted) {
    this.channel = open.session;
    this.session = open.session;
    this.caller = call.caller;
    this.passedHeaders = pickPassedHeaders(call.request, call.context);
    this.#call = call;
    this.#open = open;
    this.#posted = posted;
  }

  needs(scopes: readonly string[]): void {
    this.#scopes = this.#scopes.length === 0 ? scopes : [...this.#scopes, ...scopes];
    this.#stream?.addNeededScopes(scopes);
  }

  /** Sends a message ahead of the answer; from here on the reply is a stream. Never rejects. */
  async send(message: OutgoingNotification | ServerRequest): Promise<void> {
    const stream = this.#openStream();
    stream.addEvent(writeJson(message));
    await stream.waitUntilRoom();
  }

  /** Ends the connection before the answer, if clients of the revision reconnect for it. */
  closeStream(): void {
    if (this.#open.retryMs(this.#call.context.limits) !== undefined) this.#openStream().detachConnection();
  }

  end(answer: Answer | Answer[] | undefined, isRequest: boolean): void {
    const { response, context } = this.#call;
    const stream = this.#stream;
    if (stream !== undefined) {
      for (const each of [answer ?? []].flat()) stream.addEvent(answerMessage(each));
      stream.end();
    } else if (answer !== undefined) holdUnread(this.#call, answerJson(response, answer, LEGACY_STATUSES));
    else if (isRequest) new SseResponse(response, context.limits).end();
    else response.writeHead(202).end();
  }

  #openStream(): EventStream {
    if (this.#stream !== undefined) return this.#stream;
    const { response, context } = this.#call;
    this.#stream = this.#open.streams.open(listRequestIds(this.#posted));
    this.#stream.addNeededScopes(this.#scopes);
    const carrier = new SseResponse(response, context.limits, holdForClient(this.#call));
    this.#stream.attachConnection(carrier, undefined, this.#open.retryMs(context.limits));
    return this.#stream;
  }
}

/**
 * GET: messages that belong to no request, or the rest of a stream that broke off. Legacy revisions only.
 * @throws {HttpRefusal} 403 for a stream whose scopes the caller's token lacks; 405 for the modern era; 410 for a stream that
 * cannot be resumed; 503 when the server stops
 */
export async function handleGet(call: HttpCall): Promise<void> {
  const { request, response, context, caller } = call;
  const { sessions, limits, guard } = context;
  refuseModernEra(request);
  checkAccept(request, ['text/event-stream']);
  const session = await findSession(call);
  assertLegacyVersion(request);
  const lastEventId = findHeader(request, 'last-event-id');
  const place =
    lastEventId === undefined
      ? session.streams.getListeningPosition
      : session.streams.findStreamPosition(lastEventId);
  const carry: Carry = {
    // Another token of the same caller may have fewer scopes.
    demand: (scopes) => void (caller !== undefined && guard?.demandScopes(scopes, caller)),
    covers: (scopes) => caller === undefined || guard?.coversScopes(scopes, caller) !== false,
    open: () => new SseResponse(response, limits, holdForClient(call)),
    retryMs: session.retryMs(limits),
  };
  const listens = lastEventId === undefined || lastEventId.startsWith('0-');
  if (sessions.isStopping && listens) throw new HttpRefusal(503, 'The server is stopping.');
  const { shared } = session;
  const isHere = shared === undefined || !(listens || ELSEWHERE.has(place.follows));
  switch (isHere ? place.follows : await shared.followStream(lastEventId, carry)) {
    case 'carried':
      return;
    case 'more':
      if (place.follows !== 'more') return;
      carry.demand(place.stream.scopes);
      shared?.takeOverStream(place.stream);
      place.stream.attachConnection(carry.open(), place.index, carry.retryMs, carry.covers);
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
    case 'elsewhere':
      throw new HttpRefusal(410, `The stream cannot be resumed: another node began it.${SHARED}`);
    case 'unknown':
      throw new HttpRefusal(400, '`Last-Event-ID` names no event of this session.');
  }
}

/** Places that another node may know. */
const ELSEWHERE = new Set<Place['follows']>(['elsewhere', 'unknown']);

/** DELETE: a client ends its session (Streamable HTTP, "Session Management"). Legacy revisions only. */
export async function endSession(call: HttpCall): Promise<void> {
  const { request, response, context } = call;
  refuseModernEra(request);
  await findSession(call);
  assertLegacyVersion(request);
  await context.sessions.end(findHeader(request, 'mcp-session-id') ?? '');
  response.writeHead(204).end();
}

export function findLimiter({
  request,
  context: { limiters, proxies },
  caller,
}: HttpCall): Channel['limiter'] {
  return limiters.limiterForClient(rateLimitKey(request, caller, proxies));
}

type Alone = Pick<RequestContext, 'channel' | 'session' | 'headers'>;

/** @throws {HttpRefusal} 429 when requests of the address are at work */
export async function answerSessionless(
  posted: Posted,
  call: HttpCall,
  statuses: typeof MODERN_STATUSES,
  alone: Alone,
): Promise<void> {
  const { request, response, context, caller } = call;
  if (response.destroyed) return;
  const { core, atWork, limits, proxies } = context;
  const address = clientAddress(request, proxies);
  const { requestsPerAddress: most } = limits;
  if (atWork.getCount(address) >= most) {
    const { code, message } = limitReachedError(`${most} requests of your address are at work already.`, 1);
    throw new HttpRefusal(429, message, { 'retry-after': '1' }, requestIdOf(posted), code);
  }
  atWork.countUp(address);
  try {
    const { channel, session, headers } = alone;
    response.on('close', () => channel.end());
    const reply: { stream?: SseResponse } = {};
    const answer = await core(posted, {
      channel,
      session,
      headers,
      address,
      caller,
      passedHeaders: pickPassedHeaders(request, context),
      send: async (message) => {
        const stream = (reply.stream ??= new SseResponse(response, limits, holdForClient(call)));
        stream.write(printMessageEvent(writeJson(message)));
        await stream.waitUntilRoom();
      },
    });
    await waitForTurnEnd();
    setScopeChallenge(answer, call);
    const { stream } = reply;
    if (stream !== undefined) {
      for (const each of [answer ?? []].flat()) stream.write(printMessageEvent(answerMessage(each)));
      stream.end();
    } else if (answer !== undefined) holdUnread(call, answerJson(response, answer, statuses));
    else response.writeHead(isAnswered(posted) ? 200 : 202).end();
  } finally {
    atWork.countDown(address);
  }
}

/** @throws {HttpRefusal} 503 when there is no room for one more session of `client`, or the server stops */
export function newSession(
  { sessions, limiters, logLevel }: HttpContext,
  client: string,
  surface?: SurfaceName,
): Session {
  if (sessions.isStopping) throw new HttpRefusal(503, 'The server is stopping.');
  if (!sessions.makeRoom(client)) throw sessionLimitRefusal();
  return new Session(logLevel, limiters.limiterForClient(client), surface);
}
