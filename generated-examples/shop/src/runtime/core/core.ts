/** The protocol: one message in, one answer out, no IO. Transports are adapters around it. */
import { eraOf } from '../protocol/era.ts';
import { type Incoming, isRequestId, type Params, type Received } from '../protocol/json-rpc.ts';
import { INVALID_REQUEST, overLimit, ProtocolError } from '../protocol/protocol-error.ts';
import { type Answer, answerTo, invalidMessage, type RawJson, resultAnswer } from './answer.ts';
import type { ClientRequest, Exchange } from './call.ts';
import type { Channel } from './channel.ts';
import type { performModern } from './modern/perform-modern.ts';
import { performLegacy } from './perform-legacy.ts';
import type { LiveProject, Project } from './project.ts';
import { tellSession } from './tell-session.ts';
import { Work } from './work.ts';

/**
 * Answers one message, or a batch where the session's revision has them: at once where nothing must be waited for, since
 * promises took most of the time of a quick call. Undefined when there is nothing to say: to a notification, to a
 * response, to a request that was cancelled. Never throws, never rejects.
 */
export type Core = (received: Received, exchange: Exchange) => Answered | Promise<Answered>;

export type Answered = Answer | Answer[] | undefined;

export function createCore(live: LiveProject): Core {
  return (received, exchange) => {
    const { current } = live;
    return received.kind === 'batch'
      ? answerAll(current, received.messages, exchange)
      : answerMessage(current, received, exchange);
  };
}

async function answerAll(
  project: Project,
  messages: readonly unknown[],
  exchange: Exchange,
): Promise<Answered> {
  const { answerBatch } = await import('./batch.ts');
  return answerBatch(messages, exchange, project.limits, (each) => answerMessage(project, each, exchange));
}

function answerMessage(
  project: Project,
  incoming: Incoming,
  exchange: Exchange,
): Answer | undefined | Promise<Answer | undefined> {
  switch (incoming.kind) {
    case 'request': {
      const { session } = exchange;
      const opens = incoming.method === 'initialize' && session?.agreement === undefined;
      const answer = answerRequest(project, incoming, exchange);
      if (opens && session !== undefined && answer instanceof Promise) session.opening = answer;
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

function answerRequest(
  project: Project,
  request: ClientRequest,
  exchange: Exchange,
): Answer | undefined | Promise<Answer | undefined> {
  const { id, method } = request;
  const { channel, session } = exchange;
  const { limits, report } = project;
  const audited = method === 'tools/call' ? project.audit?.begin(request.params, exchange) : undefined;
  const double = refuseDouble(id, channel, limits.inFlightRequests);
  if (double !== undefined) {
    audited?.failed(double);
    return answerTo(id, double, report, exchange.caller);
  }
  // Cancellation, "Behavior Requirements": `initialize` must not be cancelled.
  const work = new Work(method !== 'initialize');
  channel.inFlight.set(id, work);
  work.audited = audited;
  if (audited !== undefined) work.onLeft(() => work.cancelled && audited.cancelled());
  const end = (): void => {
    work.done = true;
    channel.inFlight.delete(id);
  };
  const succeed = (result: object | RawJson): Answer | undefined => {
    end();
    audited?.done(result);
    return work.cancelled ? undefined : resultAnswer(id, method, result, report);
  };
  const fail = (thrown: unknown): Answer | undefined => {
    end();
    audited?.failed(thrown);
    return work.cancelled ? undefined : answerTo(id, thrown, report, exchange.caller);
  };
  try {
    const outcome = perform(project, request, exchange, work);
    if (!(outcome instanceof Promise)) return succeed(outcome);
    return new Promise((resolve) => {
      // A handler may ignore that its call was cancelled, for ever: its client must not wait for it. It stays in flight,
      // since it still costs. What has no session is ended by its client's going, and counted until it really ends.
      if (session !== undefined) work.whenCancelled = () => resolve(undefined);
      work.follow(
        outcome,
        (result) => resolve(succeed(result)),
        (thrown) => resolve(fail(thrown)),
      );
    });
  } catch (thrown) {
    return fail(thrown);
  }
}

/** Why the request can't be begun now. */
function refuseDouble(
  id: ClientRequest['id'],
  { inFlight }: Channel,
  limit: number,
): ProtocolError | undefined {
  if (inFlight.has(id))
    return new ProtocolError(INVALID_REQUEST, `A request with the id ${JSON.stringify(id)} is at work.`);
  return inFlight.size >= limit ? overLimit(`${limit} requests are at work already.`, 1) : undefined;
}

function perform(
  project: Project,
  request: ClientRequest,
  exchange: Exchange,
  work: Work,
): object | RawJson | Promise<object | RawJson> {
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
