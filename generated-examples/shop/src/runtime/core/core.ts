/** The protocol: one message in, one answer out, no IO. Transports are adapters around it. */
import { eraOf } from '../protocol/era.ts';
import { isRequestId, readMessage, type Params } from '../protocol/json-rpc.ts';
import { INVALID_REQUEST, overLimit, ProtocolError } from '../protocol/protocol-error.ts';
import { type Answer, answerTo, invalidMessage, type RawJson, resultAnswer } from './answer.ts';
import type { ClientRequest, Exchange } from './call.ts';
import type { Channel } from './channel.ts';
import type { performModern } from './modern/perform-modern.ts';
import { performLegacy } from './perform-legacy.ts';
import type { Project } from './project.ts';
import { tellSession } from './tell-session.ts';
import { Work } from './work.ts';

/**
 * Answers one message, or a batch where the session's revision has them. Resolves to undefined when there is nothing
 * to say: to a notification, to a response, to a request that was cancelled. Never rejects.
 */
export type Core = (message: unknown, exchange: Exchange) => Promise<Answer | Answer[] | undefined>;

export function createCore(project: Project): Core {
  // No promise around a promise: most of the time of a quick call went into them.
  return (message, exchange) =>
    Array.isArray(message)
      ? answerAll(project, message, exchange)
      : Promise.resolve(answerMessage(project, message, exchange));
}

async function answerAll(
  project: Project,
  messages: readonly unknown[],
  exchange: Exchange,
): Promise<Answer | Answer[] | undefined> {
  const { answerBatch } = await import('./batch.ts');
  return answerBatch(messages, exchange, project.limits, (each) => answerMessage(project, each, exchange));
}

function answerMessage(
  project: Project,
  message: unknown,
  exchange: Exchange,
): Answer | undefined | Promise<Answer | undefined> {
  const incoming = readMessage(message);
  switch (incoming.kind) {
    case 'request': {
      const { session } = exchange;
      const opens = incoming.method === 'initialize' && session?.agreement === undefined;
      // Cancellation, "Behavior Requirements": `initialize` must not be cancelled.
      const work = new Work(incoming.method !== 'initialize');
      const answer = untilCancelled(answerRequest(project, incoming, exchange, work), work, exchange);
      if (opens && session !== undefined) session.opening = answer;
      return answer;
    }
    case 'notification':
      receiveNotification(project, incoming.method, incoming.params, exchange);
      return undefined;
    case 'response':
      if (incoming.id !== undefined) exchange.session?.asks.answer(incoming.id, incoming.outcome);
      return undefined;
    case 'invalid':
      return invalidMessage(incoming.id, incoming.reason);
  }
}

/**
 * A handler may ignore that its call was cancelled, for ever: its client must not wait for it. It stays in flight, since
 * it still costs. What has no session is ended by its client's going, and counted until it really ends.
 */
function untilCancelled(
  answer: Promise<Answer | undefined>,
  work: Work,
  { session }: Exchange,
): Promise<Answer | undefined> {
  if (session === undefined) return answer;
  return new Promise((resolve) => {
    work.whenCancelled = () => resolve(undefined);
    void answer.then(resolve);
  });
}

async function answerRequest(
  project: Project,
  request: ClientRequest,
  exchange: Exchange,
  work: Work,
): Promise<Answer | undefined> {
  const { id } = request;
  const { inFlight } = exchange.channel;
  try {
    refuseDouble(id, exchange.channel, project.limits.inFlightRequests);
    inFlight.set(id, work);
    try {
      const result = await perform(project, request, exchange, work);
      return work.cancelled ? undefined : resultAnswer(id, request.method, result);
    } finally {
      work.done = true;
      inFlight.delete(id);
    }
  } catch (thrown) {
    return work.cancelled ? undefined : answerTo(id, thrown, project.report);
  }
}

function refuseDouble(id: ClientRequest['id'], { inFlight }: Channel, limit: number): void {
  if (inFlight.has(id)) {
    throw new ProtocolError(INVALID_REQUEST, `A request with the id ${JSON.stringify(id)} is at work.`);
  }
  if (inFlight.size >= limit) {
    throw overLimit(`${limit} requests are at work already.`, 1);
  }
}

function perform(
  project: Project,
  request: ClientRequest,
  exchange: Exchange,
  work: Work,
): Promise<object | RawJson> {
  const era = eraOf(request, exchange.headers?.('mcp-protocol-version'));
  if (era === 'legacy') return performLegacy(project, request, exchange, work);
  if (modern !== undefined) return modern(project, request, exchange, work);
  return loadModern().then((performFirst) => performFirst(project, request, exchange, work));
}

/** Loaded when the first request of the modern era comes. */
let modern: typeof performModern | undefined;

async function loadModern(): Promise<typeof performModern> {
  return (modern = (await import('./modern/perform-modern.ts')).performModern);
}

/** What clients say without wanting an answer. Unknown notifications are ignored. */
function receiveNotification(
  project: Project,
  method: string,
  params: Params,
  { channel, session }: Exchange,
): void {
  if (method === 'notifications/initialized') {
    if (session?.agreement === undefined) return;
    session.ready = true;
    if (project.changes) tellSession(session, project.bus);
  } else if (method === 'notifications/cancelled') {
    cancel(params, channel);
  }
}

/** An unknown id is ignored: the answer may have crossed the notification on its way. */
function cancel({ requestId, reason }: Params, { inFlight }: Channel): void {
  const work = isRequestId(requestId) ? inFlight.get(requestId) : undefined;
  if (work?.cancellable === true) {
    work.cancel(typeof reason === 'string' ? reason : 'The client cancelled the request.');
  }
}
