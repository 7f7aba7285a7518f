// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Dispatches messages: one message, or a batch, in; one answer out; no IO. Transports are adapters around it. */
import { eraOf } from '../protocol/revisions.ts';
import { type Incoming, isRequestId, type Params, type Received, readMessage } from '../protocol/json-rpc.ts';
import { INVALID_REQUEST, overLimit, ProtocolError } from '../protocol/protocol-error.ts';
import { type Answer, answerTo, invalidMessage, resultAnswer } from './answer.ts';
import { type ClientRequest, type RequestContext, InFlightRequest } from './call.ts';
import { tellSession } from './session.ts';
import type { performModern } from './modern/perform-modern.ts';
import { performLegacy } from './perform-legacy.ts';
import type { LiveServer, ServerInstance } from './server-instance.ts';
import type { Limits } from '../limits.ts';

/**
 * Answers one message, or a batch where the session's revision has them. Undefined for a notification, a response and a
 * request that was cancelled. Never rejects.
 */
export type Core = (received: Received, context: RequestContext) => Promise<Answered>;

export type Answered = Answer | Answer[] | undefined;

export function createCore(live: LiveServer): Core {
  const core = async (received: Received, context: RequestContext): Promise<Answered> => {
    const server = live.current;
    const { session } = context;
    switch (received.kind) {
      case 'batch':
        return answerBatch(received.messages, context, server.limits, core);
      case 'request': {
        const opens = received.method === 'initialize' && session?.agreement === undefined;
        const answer = answerRequest(server, received, context);
        if (opens && session !== undefined) session.opening = answer;
        return answer;
      }
      case 'notification':
        return receiveNotification(server, received.method, received.params, context);
      case 'response':
        if (received.id !== undefined) session?.asks.answer(received.id, received.outcome);
        return undefined;
      case 'invalid':
        return invalidMessage(received.id, received.reason);
    }
  };
  return core;
}

async function answerRequest(
  server: ServerInstance,
  request: ClientRequest,
  context: RequestContext,
): Promise<Answer | undefined> {
  const { id, method, params } = request;
  const { session, caller } = context;
  const { inFlightRequests } = context.channel;
  const { inFlightRequests: limit } = server.limits;
  const audited = method === 'tools/call' ? server.audit?.begin(params, context) : undefined;
  const isDouble = inFlightRequests.has(id);
  if (isDouble || inFlightRequests.size >= limit) {
    const refused = isDouble
      ? new ProtocolError(INVALID_REQUEST, `A request with the id ${JSON.stringify(id)} is at work.`)
      : overLimit(`${limit} requests are at work already.`, 1);
    audited?.failed(refused);
    return answerTo(id, refused, server.report, caller);
  }
  // Cancellation, "Behavior Requirements": `initialize` must not be cancelled.
  const inFlight = new InFlightRequest(method !== 'initialize', audited);
  inFlightRequests.set(id, inFlight);
  const answer = perform(server, request, context, inFlight);
  // Without a session, a request ends with its client's connection, and counts until its method ends.
  if (session === undefined) return answer;
  return new Promise((resolve) => {
    // A handler may ignore that its call was cancelled: its client must not wait for it. The request stays in flight
    // until the handler ends, since it still costs.
    inFlight.whenCancelled = () => resolve(undefined);
    void answer.then(resolve);
  });
}

/** Loads with the first request of the modern era. */
let modern: Promise<{ performModern: typeof performModern }> | undefined;

/** Never rejects. Undefined for a request that was cancelled. */
async function perform(
  server: ServerInstance,
  request: ClientRequest,
  context: RequestContext,
  inFlight: InFlightRequest,
): Promise<Answer | undefined> {
  const { id, method } = request;
  const { report } = server;
  try {
    const isLegacy = eraOf(request, context.headers?.('mcp-protocol-version')) === 'legacy';
    const result = isLegacy
      ? await performLegacy(server, request, context, inFlight)
      : await (
          await (modern ??= import('./modern/perform-modern.ts'))
        ).performModern(server, request, context, inFlight);
    inFlight.audited?.done(result);
    return inFlight.cancelled ? undefined : resultAnswer(id, method, result, report);
  } catch (thrown) {
    inFlight.audited?.failed(thrown);
    return inFlight.cancelled ? undefined : answerTo(id, thrown, report, context.caller);
  } finally {
    inFlight.done = true;
    context.channel.inFlightRequests.delete(id);
  }
}

/** Unknown notifications are ignored. */
function receiveNotification(
  server: ServerInstance,
  method: string,
  { requestId, reason }: Params,
  { channel, session }: RequestContext,
): undefined {
  if (method === 'notifications/initialized' && session?.agreement !== undefined) {
    session.ready = true;
    if (server.changes) tellSession(session, server.bus);
  }
  if (method !== 'notifications/cancelled' || !isRequestId(requestId)) return;
  // An unknown id is ignored: the answer may have crossed the notification on its way.
  const inFlight = channel.inFlightRequests.get(requestId);
  if (inFlight?.cancellable === true)
    inFlight.cancel(typeof reason === 'string' ? reason : 'The client cancelled the request.');
}

/** Undefined when the batch holds nothing that is answered. */
export async function answerBatch(
  messages: readonly unknown[],
  context: RequestContext,
  limits: Pick<Limits, 'batchMessages'>,
  core: (incoming: Incoming, context: RequestContext) => Promise<Answered>,
): Promise<Answer[] | Answer | undefined> {
  const batch = messages.map(readMessage);
  const hasBatches = context.session?.agreement?.features.batches === true;
  const refused = refuseBatch(batch, hasBatches, limits.batchMessages);
  if (refused !== undefined) return invalidMessage(undefined, refused);
  const answers = await Promise.all(batch.map(async (incoming) => core(incoming, context)));
  const given = answers.flat().filter((each) => each !== undefined);
  return given.length === 0 ? undefined : given;
}

function refuseBatch(batch: readonly Incoming[], hasBatches: boolean, limit: number): string | undefined {
  const requests = batch.filter((incoming) => incoming.kind === 'request');
  if (requests.some(({ method }) => method === 'initialize'))
    return '`initialize` must not be part of a batch.';
  if (requests.some((request) => eraOf(request, undefined) === 'modern'))
    return 'A request of the modern era must not be part of a batch.';
  if (!hasBatches) return 'The revision of this session has no batches.';
  if (batch.length === 0) return 'The batch is empty.';
  return batch.length > limit ? `A batch holds at most ${limit} messages.` : undefined;
}
