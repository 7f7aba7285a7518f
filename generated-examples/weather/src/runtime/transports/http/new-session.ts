import { RateLimiter } from '../../core/rate-limiter.ts';
import { Session } from '../../core/session.ts';
import type { HttpContext } from './http-handler.ts';
import { HttpRefusal } from './http-refusal.ts';

/** @throws {HttpRefusal} 503 when there is no room for one more, or none is wanted */
export function newSession({ sessions, callsPerMinute, logLevel }: HttpContext): Session {
  if (sessions.isStopping) throw new HttpRefusal(503, 'The server is stopping.');
  if (!sessions.hasRoom())
    throw new HttpRefusal(503, 'Too many sessions are open. Try again later.', { 'retry-after': '60' });
  return new Session(logLevel, callsPerMinute === undefined ? undefined : new RateLimiter(callsPerMinute));
}
