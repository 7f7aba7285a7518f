/** Dispatches messages: one message, or a batch, in; one answer out; no IO. Transports are adapters around it. */
import { eraOf } from '../protocol/revisions.ts';
import { type Incoming, isRequestId, type Params, type Received, readMessage } from '../protocol/json-rpc.ts';
import { INVALID_REQUEST, overLimit, ProtocolError } from '../protocol/protocol-error.ts';
import { type Answer, answerTo, invalidMessage, type RawJson, resultAnswer } from './answer.ts';
import { type ClientRequest, type RequestContext, InFlightRequest } from './call.ts';
import { type Channel, tellSession } from './session.ts';
import type { performModern } from './modern/perform-modern.ts';
import { performLegacy } from './perform-legacy.ts';
import type { LiveServer, ServerInstance } from './server-instance.ts';
import type { Limits } from '../limits.ts';

/**
 * Answers one message, or a batch where the session's revision has them. Undefined when there is nothing to say: to a
 * notification, to a response, to a request that was cancelled. Never rejects.
 */
export type Core = (received: Received, context: RequestContext) => Promise<Answered>;

export type Answered = Answer | Answer[] | undefined;

export function createCore(live: LiveServer): Core {
  return async (received, context) => {
    const { current } = live;
    return received.kind === 'batch'
      ? answerBatch(received.messages, context, current.limits, (each) =>
          answerMessage(current, each, context),
        )
      : answerMessage(current, received, context);
  };
}

function answerMessage(
  server: ServerInstance,
  incoming: Incoming,
  context: RequestContext,
): Answer | undefined | Promise<Answer | undefined> {
  switch (incoming.kind) {
    case 'request': {
      const { session } = context;
      const opens = incoming.method === 'initialize' && session?.agreement === undefined;
      const answer = answerRequest(server, incoming, context);
      if (opens && session !== undefined) session.opening = answer;
      return answer;
    }
    case 'notification':
      receiveNotification(server, incoming.method, incoming.params, context);
      return undefined;
    case 'response':
      if (incoming.id !== undefined) context.session?.asks.answer(incoming.id, incoming.outcome);
      return undefined;
    case 'invalid':
      return invalidMessage(incoming.id, incoming.reason);
  }
}

async function answerRequest(
  server: ServerInstance,
  request: ClientRequest,
  context: RequestContext,
): Promise<Answer | undefined> {
  const { id, method } = request;
  const { channel, session } = context;
  const { limits, report } = server;
  const audited = method === 'tools/call' ? server.audit?.begin(request.params, context) : undefined;
  const double = refuseDouble(id, channel, limits.inFlightRequests);
  if (double !== undefined) {
    audited?.failed(double);
    return answerTo(id, double, report, context.caller);
  }
  // Cancellation, "Behavior Requirements": `initialize` must not be cancelled.
  const inFlight = new InFlightRequest(method !== 'initialize');
  channel.inFlightRequests.set(id, inFlight);
  inFlight.audited = audited;
  if (audited !== undefined) inFlight.onLeft(() => inFlight.cancelled && audited.cancelled());
  const end = (): void => {
    inFlight.done = true;
    channel.inFlightRequests.delete(id);
  };
  const succeed = (result: object | RawJson): Answer | undefined => {
    end();
    audited?.done(result);
    return inFlight.cancelled ? undefined : resultAnswer(id, method, result, report);
  };
  const fail = (thrown: unknown): Answer | undefined => {
    end();
    audited?.failed(thrown);
    return inFlight.cancelled ? undefined : answerTo(id, thrown, report, context.caller);
  };
  return new Promise((resolve) => {
    // A handler may ignore that its call was cancelled, for ever: its client must not wait for it. It stays in flight,
    // since it still costs. What has no session is ended by its client's going, and counted until it really ends.
    if (session !== undefined) inFlight.whenCancelled = () => resolve(undefined);
    inFlight.follow(
      perform(server, request, context, inFlight),
      (result) => resolve(succeed(result)),
      (thrown) => resolve(fail(thrown)),
    );
  });
}

/** Why the request can't be begun now. */
function refuseDouble(
  id: ClientRequest['id'],
  { inFlightRequests }: Channel,
  limit: number,
): ProtocolError | undefined {
  if (inFlightRequests.has(id))
    return new ProtocolError(INVALID_REQUEST, `A request with the id ${JSON.stringify(id)} is at work.`);
  return inFlightRequests.size >= limit ? overLimit(`${limit} requests are at work already.`, 1) : undefined;
}

/** Loads with the first request of the modern era. */
let modern: Promise<{ performModern: typeof performModern }> | undefined;

async function perform(
  server: ServerInstance,
  request: ClientRequest,
  context: RequestContext,
  inFlight: InFlightRequest,
): Promise<object | RawJson> {
  const era = eraOf(request, context.headers?.('mcp-protocol-version'));
  if (era === 'legacy') return performLegacy(server, request, context, inFlight);
  const module = await (modern ??= import('./modern/perform-modern.ts'));
  return module.performModern(server, request, context, inFlight);
}

/** What clients say without wanting an answer. Unknown notifications are ignored. */
function receiveNotification(
  server: ServerInstance,
  method: string,
  params: Params,
  { channel, session }: RequestContext,
): void {
  if (method === 'notifications/initialized') {
    if (session?.agreement === undefined) return;
    session.ready = true;
    if (server.changes) tellSession(session, server.bus);
  } else if (method === 'notifications/cancelled') {
    cancel(params, channel);
  }
}

/** An unknown id is ignored: the answer may have crossed the notification on its way. */
function cancel({ requestId, reason }: Params, { inFlightRequests }: Channel): void {
  const inFlight = isRequestId(requestId) ? inFlightRequests.get(requestId) : undefined;
  if (inFlight?.cancellable === true) {
    inFlight.cancel(typeof reason === 'string' ? reason : 'The client cancelled the request.');
  }
}

/** Undefined when the batch holds nothing that is answered. */
export async function answerBatch(
  messages: readonly unknown[],
  { session }: RequestContext,
  limits: Pick<Limits, 'batchMessages'>,
  answer: (incoming: Incoming) => Answer | undefined | Promise<Answer | undefined>,
): Promise<Answer | Answer[] | undefined> {
  const batch = messages.map(readMessage);
  const refused = refuseBatch(batch, session?.agreement?.features.batches === true, limits.batchMessages);
  if (refused !== undefined) return invalidMessage(undefined, refused);
  const answers = await Promise.all(batch.map(async (incoming) => answer(incoming)));
  const given = answers.filter((each) => each !== undefined);
  return given.length === 0 ? undefined : given;
}

function refuseBatch(batch: readonly Incoming[], hasBatches: boolean, limit: number): string | undefined {
  if (batch.some((incoming) => incoming.kind === 'request' && incoming.method === 'initialize')) {
    return '`initialize` must not be part of a batch.';
  }
  if (batch.some(isModern)) return 'A request of the modern era must not be part of a batch.';
  if (!hasBatches) return 'The revision of this session has no batches.';
  if (batch.length === 0) return 'The batch is empty.';
  return batch.length > limit ? `A batch holds at most ${limit} messages.` : undefined;
}

function isModern(incoming: Incoming): boolean {
  return incoming.kind === 'request' && eraOf(incoming, undefined) === 'modern';
}
