/** A POST of a modern client: it stands alone, so sessions are not looked at, and the stream of its answer is all there is. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Channel } from '../../core/session.ts';
import { challengeScopes } from './challenge-scopes.ts';
import { clientAddress } from './client-address.ts';
import { endOfTurn } from './end-of-turn.ts';
import type { Caller } from '../../core/caller.ts';
import type { HttpContext } from './http-context.ts';
import { ModernReply } from './modern-reply.ts';
import { partyOf } from './party.ts';
import type { Posted } from './posted.ts';
import { headerOf, passedHeaders } from './request-head.ts';

export async function postModern(
  posted: Posted,
  request: IncomingMessage,
  response: ServerResponse,
  context: HttpContext,
  caller: Caller | undefined,
): Promise<void> {
  if (posted.kind !== 'request') {
    // No notification means anything here: what ends a request is the end of its stream ("Cancellation").
    response.writeHead(202).end();
    return;
  }
  if (response.destroyed) return;
  const { core, limiters, atWork, limits, memory, proxies } = context;
  const address = clientAddress(request, proxies);
  atWork.begin(address, posted.id);
  try {
    const channel = new Channel(limiters.limiterOf(partyOf(request, caller, proxies)));
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
    atWork.end(address);
  }
}
