/** POST: a message of either era. What it says of itself decides, not what came before. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { eraOf, isModernDate } from '../../protocol/era.ts';
import { clientAddress } from './client-address.ts';
import type { HttpContext } from './http-handler.ts';
import { HttpRefusal } from './http-refusal.ts';
import { type Posted, readPosted } from './posted.ts';
import { postLegacy } from './post-legacy.ts';
import { postModern } from './post-modern.ts';
import { headerOf } from './request-head.ts';

export async function post(
  request: IncomingMessage,
  response: ServerResponse,
  context: HttpContext,
): Promise<void> {
  const version = headerOf(request, 'mcp-protocol-version');
  const posted = await readPosted(request, {
    bodyBytes: context.limits.bodyBytes,
    limiter: isModernDate(version)
      ? context.addresses.limiterOf(clientAddress(request))
      : context.sessions.use(headerOf(request, 'mcp-session-id') ?? '')?.session.limiter,
    accept: ['application/json', 'text/event-stream'],
  });
  return (isModern(posted, version) ? postModern : postLegacy)(posted, request, response, context);
}

/** @throws {HttpRefusal} 400 for what only legacy clients send, under a modern version */
function isModern({ incoming }: Posted, version: string | undefined): boolean {
  if (incoming.kind === 'request' || incoming.kind === 'notification')
    return eraOf(incoming, version) === 'modern';
  if (!isModernDate(version)) return false;
  throw new HttpRefusal(400, 'The body must be one request or notification.');
}
