/** POST: a message of either era. What it says of itself decides, not what came before. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../core/call.ts';
import { eraOf, isModernDate } from '../../protocol/revisions.ts';
import { demandScopes } from './guard.ts';
import { HttpRefusal } from './http-answer.ts';
import type { HttpContext } from './http-context.ts';
import { postLegacy } from './legacy.ts';
import { postModern } from './modern.ts';
import { type Posted, readBody, readPosted } from './read-body.ts';
import { headerOf } from './request-head.ts';

const ACCEPT = ['application/json', 'text/event-stream'];

export async function post(
  request: IncomingMessage,
  response: ServerResponse,
  context: HttpContext,
  caller?: Caller,
): Promise<void> {
  const { limits, memory, proxies } = context;
  const body = await readBody(request, limits.bodyBytes, memory.unfinished.holdFor(request, proxies));
  const posted = readPosted(request, body, ACCEPT);
  demandScopes(posted, context, caller);
  const version = headerOf(request, 'mcp-protocol-version');
  await (isModern(posted, version)
    ? postModern(posted, request, response, context, caller)
    : postLegacy(posted, request, response, context, caller));
}

/** @throws {HttpRefusal} 400 for what only legacy clients send, under a modern version */
function isModern(posted: Posted, version: string | undefined): boolean {
  if (posted.kind === 'request' || posted.kind === 'notification') return eraOf(posted, version) === 'modern';
  if (!isModernDate(version)) return false;
  throw new HttpRefusal(400, 'The body must be one request or notification.');
}
