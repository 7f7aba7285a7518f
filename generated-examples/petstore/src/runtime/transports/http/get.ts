/** GET: a stream of what belongs to no request, or the rest of one that broke off. Legacy revisions only. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EventStreams, Place } from './event-streams.ts';
import type { Caller } from '../../core/caller.ts';
import type { HttpContext } from './http-context.ts';
import { HttpRefusal } from './http-refusal.ts';
import { checkAccept, checkEra, checkVersion, headerOf, sessionOf } from './request-head.ts';
import { SseResponse } from './sse-response.ts';

/** @throws {HttpRefusal} 403 for a stream of what the caller's token does not reach; 405 for the modern era; 410 for a stream that cannot be resumed; 503 for one that would never end */
export function get(
  request: IncomingMessage,
  response: ServerResponse,
  { sessions, limits, guard, memory, proxies }: HttpContext,
  caller?: Caller,
): void {
  checkEra(request);
  checkAccept(request, ['text/event-stream']);
  const session = sessionOf(request, sessions, caller);
  checkVersion(request);
  const place = placeOf(session.streams, headerOf(request, 'last-event-id'));
  switch (place.follows) {
    case 'more':
      if (sessions.isStopping && place.stream === session.streams.listening)
        throw new HttpRefusal(503, 'The server is stopping.');
      // Another token of the same caller may reach less far than the call did.
      if (caller !== undefined) guard?.demand(place.stream.scopes, caller);
      place.stream.carryBy(
        new SseResponse(response, limits, memory.unread.holdFor(request, proxies)),
        place.index,
        session.retryMs(limits),
        (scopes) => caller === undefined || guard?.covers(scopes, caller) !== false,
      );
      return;
    case 'nothing':
      // Its client has all there is. This status is how an event source is told not to come back.
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

function placeOf(streams: EventStreams, lastEventId: string | undefined): Place {
  if (lastEventId !== undefined) return streams.find(lastEventId);
  return { follows: 'more', stream: streams.listening, index: undefined };
}
