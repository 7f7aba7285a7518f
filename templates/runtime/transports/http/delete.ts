/** DELETE: a client ends its session (Streamable HTTP, "Session Management"). Legacy revisions only. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpContext } from './http-handler.ts';
import { checkEra, checkVersion, claimedSession, claimOf } from './request-head.ts';

export function endSession(
  request: IncomingMessage,
  response: ServerResponse,
  { sessions }: HttpContext,
): void {
  checkEra(request);
  const claim = claimOf(request, sessions);
  claimedSession(claim);
  checkVersion(request);
  if (claim.id !== undefined) sessions.end(claim.id);
  response.writeHead(204).end();
}
