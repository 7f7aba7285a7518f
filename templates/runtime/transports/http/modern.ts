/** A POST of a modern client. It has no session, and its answer is the only stream. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { writeJson } from '../../contract/json-text.ts';
import { type Answer, answerMessage } from '../../core/answer.ts';
import type { Caller } from '../../core/call.ts';
import { Channel } from '../../core/session.ts';
import type { OutgoingNotification, ServerRequest } from '../../protocol/json-rpc.ts';
import { overLimit } from '../../protocol/protocol-error.ts';
import type { Hold } from '../byte-bound.ts';
import { challengeScopes } from './guard.ts';
import { answerJson, HttpRefusal, MODERN_STATUSES } from './http-answer.ts';
import type { HttpContext } from './http-context.ts';
import type { Posted } from './read-body.ts';
import { clientAddress, rateLimitKey } from './rate-limit-key.ts';
import { headerOf, passedHeaders } from './request-head.ts';
import { endOfTurn, messageEvent, type SseLimits, SseResponse } from './sse-response.ts';

export async function postModern(
  posted: Posted,
  request: IncomingMessage,
  response: ServerResponse,
  context: HttpContext,
  caller: Caller | undefined,
): Promise<void> {
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
    const channel = new Channel(limiters.limiterOf(rateLimitKey(request, caller, proxies)));
    response.on('close', () => channel.end());
    const reply = new ModernReply(response, limits, memory.unread.holdFor(request, proxies));
    const answer = await core(posted, {
      channel,
      session: undefined,
      address,
      headers: (name) => headerOf(request, name),
      caller,
      passedHeaders: passedHeaders(request, context),
      send: (each) => reply.send(each),
    });
    await endOfTurn();
    challengeScopes(answer, response, context, caller);
    reply.end(answer);
  } finally {
    atWork.remove(address);
  }
}

/** The answer to one modern request: JSON, or a stream from the first message that comes before the result. */
class ModernReply {
  readonly #response: ServerResponse;
  readonly #limits: SseLimits;
  readonly #hold: Hold | undefined;
  #stream: SseResponse | undefined;

  constructor(response: ServerResponse, limits: SseLimits, hold?: Hold) {
    this.#response = response;
    this.#limits = limits;
    this.#hold = hold;
  }

  /** Sends a message ahead of the answer; from here on the reply is a stream. Never rejects. */
  async send(message: OutgoingNotification | ServerRequest): Promise<void> {
    this.#stream ??= new SseResponse(this.#response, this.#limits, this.#hold);
    this.#stream.write(messageEvent(writeJson(message)));
    await this.#stream.room();
  }

  /** Ends the reply. `undefined`: its client has gone. */
  end(answer: Answer | Answer[] | undefined): void {
    if (answer === undefined) this.#response.end();
    else if (this.#stream === undefined) answerJson(this.#response, answer, MODERN_STATUSES, this.#hold);
    else {
      this.#stream.write(messageEvent(answerMessage(answer)));
      this.#stream.end();
    }
  }
}
