/** The protocol: one message in, one answer out, no IO. Transports are adapters around it. */
import { isRequestId, readMessage, type Params, type RequestId } from '../protocol/json-rpc.ts';
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  ProtocolError,
} from '../protocol/protocol-error.ts';
import { type Answer, answerTo, invalidMessage, type ResultAnswer } from './answer.ts';
import type { Exchange } from './call.ts';
import { declaredCapabilities, initialize } from './initialize.ts';
import { METHODS } from './methods.ts';
import type { Project } from './project.ts';
import type { Session } from './session.ts';
import { Work } from './work.ts';

/**
 * Answers one message, or a batch where the session's revision has them. Resolves to undefined when there is nothing
 * to say: to a notification, to a response, to a request that was cancelled. Never rejects.
 */
export type Core = (message: unknown, exchange: Exchange) => Promise<Answer | Answer[] | undefined>;

export function createCore(project: Project): Core {
  return async (message, exchange) => {
    if (!Array.isArray(message)) return answerMessage(project, message, exchange);
    const { answerBatch } = await import('./batch.ts');
    return answerBatch(message, exchange, project.limits, (each) => answerMessage(project, each, exchange));
  };
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
      const isOpening = incoming.method === 'initialize' && session.agreement === undefined;
      const answer = answerRequest(project, incoming, exchange);
      if (isOpening) session.opening = answer;
      return answer;
    }
    case 'notification':
      receiveNotification(incoming.method, incoming.params, exchange.session);
      return undefined;
    case 'response':
      exchange.session.asks.answer(incoming.id, incoming.outcome);
      return undefined;
    case 'invalid':
      return invalidMessage(incoming.id, incoming.reason);
  }
}

interface Request {
  id: RequestId;
  method: string;
  params: Params;
}

async function answerRequest(
  project: Project,
  request: Request,
  exchange: Exchange,
): Promise<Answer | undefined> {
  const { id } = request;
  const { inFlight } = exchange.session;
  // Cancellation, "Behavior Requirements": `initialize` must not be cancelled.
  const work = new Work(request.method !== 'initialize');
  try {
    refuseDouble(id, exchange.session, project.limits.inFlightRequests);
    inFlight.set(id, work);
    try {
      const result = await perform(project, request, exchange, work);
      return work.cancelled ? undefined : ({ kind: 'result', id, result } satisfies ResultAnswer);
    } finally {
      work.done = true;
      inFlight.delete(id);
    }
  } catch (thrown) {
    return work.cancelled ? undefined : answerTo(id, thrown, project.report);
  }
}

function refuseDouble(id: RequestId, { inFlight }: Session, limit: number): void {
  if (inFlight.has(id)) {
    throw new ProtocolError(INVALID_REQUEST, `A request with the id ${JSON.stringify(id)} is at work.`);
  }
  if (inFlight.size >= limit) {
    throw new ProtocolError(
      INTERNAL_ERROR,
      `More than ${limit} requests are at work. Try again later.`,
      'rate',
    );
  }
}

async function perform(
  project: Project,
  { id, method, params }: Request,
  exchange: Exchange,
  work: Work,
): Promise<object> {
  if (method === 'initialize') return initialize(project, exchange.session, params);
  const { agreement, opening } = exchange.session;
  // What was sent right behind `initialize` is answered behind it.
  if (opening !== undefined) await opening.finally(() => (exchange.session.opening = undefined));
  if (agreement === undefined) {
    if (method === 'ping') return {};
    throw new ProtocolError(
      INVALID_REQUEST,
      'The session is not initialized: `initialize` comes first.',
      'session',
    );
  }
  const entry = METHODS.get(method);
  if (entry === undefined) throw new ProtocolError(METHOD_NOT_FOUND, `Unknown method: ${method}`, 'method');
  const { capability, limited, run } = entry;
  if (capability !== undefined) {
    const declared = project.parts.capabilities ?? (await declaredCapabilities(project));
    if (!declared.has(capability)) {
      throw new ProtocolError(METHOD_NOT_FOUND, `This server has no ${capability}.`, 'method');
    }
  }
  if (limited === true) spendCall(exchange.session);
  return run({ project, exchange, agreement, id, params, work });
}

function spendCall({ limiter }: Session): void {
  if (limiter === undefined || limiter.take()) return;
  throw new ProtocolError(
    INTERNAL_ERROR,
    `Too many calls. Try again in ${limiter.waitSeconds} seconds.`,
    'rate',
  );
}

/** What clients say without wanting an answer. Unknown notifications are ignored. */
function receiveNotification(method: string, params: Params, session: Session): void {
  if (method === 'notifications/initialized') {
    if (session.agreement !== undefined) session.ready = true;
  } else if (method === 'notifications/cancelled') {
    cancel(params, session);
  }
}

/** An unknown id is ignored: the answer may have crossed the notification on its way. */
function cancel({ requestId, reason }: Params, session: Session): void {
  const work = isRequestId(requestId) ? session.inFlight.get(requestId) : undefined;
  if (work?.cancellable === true) {
    work.cancel(typeof reason === 'string' ? reason : 'The client cancelled the request.');
  }
}
