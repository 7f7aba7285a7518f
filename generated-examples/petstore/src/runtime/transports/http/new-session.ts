import { Session } from '../../core/session.ts';
import type { HttpContext } from './http-context.ts';
import { HttpRefusal } from './http-refusal.ts';

/** @throws {HttpRefusal} 503 when there is no room for one more of `party`, or none is wanted */
export function newSession({ sessions, limiters, logLevel }: HttpContext, party: string): Session {
  if (sessions.isStopping) throw new HttpRefusal(503, 'The server is stopping.');
  if (!sessions.makeRoom(party)) throw noRoom();
  return new Session(logLevel, limiters.limiterOf(party));
}

export function noRoom(): HttpRefusal {
  return new HttpRefusal(503, 'Too many sessions are open. Try again later.', { 'retry-after': '60' });
}
