// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** A POST of a modern client. It has no session, and its answer is the only stream. */
import { writeJson } from '../../contract/json-text.ts';
import { answerMessage } from '../../core/answer.ts';
import { Channel } from '../../core/session.ts';
import { overLimit } from '../../protocol/protocol-error.ts';
import { challengeScopes } from './guard.ts';
import { answerJson, HttpRefusal, MODERN_STATUSES } from './http-answer.ts';
import type { HttpCall } from './http-context.ts';
import type { Posted } from './read-body.ts';
import { clientAddress, rateLimitKey } from './rate-limit-key.ts';
import { headerOf, passedHeaders } from './request-head.ts';
import { endOfTurn, messageEvent, SseResponse } from './sse-response.ts';

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
    const channel = new Channel(limiters.limiterOf(rateLimitKey(request, caller, proxies)));
    response.on('close', () => channel.end());
    const hold = memory.unread.holdFor(request, proxies);
    // The answer is JSON, or a stream from the first message that comes before the result.
    const reply: { stream?: SseResponse } = {};
    const answer = await core(posted, {
      channel,
      session: undefined,
      address,
      headers: (name) => headerOf(request, name),
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
    // Without an answer, the client has gone.
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
