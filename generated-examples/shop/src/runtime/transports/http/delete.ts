/** DELETE: a client ends its session (Streamable HTTP, "Session Management"). Legacy revisions only. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../core/caller.ts';
import type { HttpContext } from './http-context.ts';
import { checkEra, checkVersion, headerOf, sessionOf } from './request-head.ts';

export function endSession(
  request: IncomingMessage,
  response: ServerResponse,
  { sessions }: HttpContext,
  caller?: Caller,
): void {
  checkEra(request);
  sessionOf(request, sessions, caller);
  checkVersion(request);
  sessions.end(headerOf(request, 'mcp-session-id') ?? '');
  response.writeHead(204).end();
}
