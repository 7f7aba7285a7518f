/** Streamable HTTP: one endpoint, and what is checked of a request whatever its method. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Core } from '../../core/core.ts';
import type { LogLevel } from '../../definition.ts';
import type { Limits } from '../../limits.ts';
import { allowReading, preflight } from './cors.ts';
import { endSession } from './delete.ts';
import { get } from './get.ts';
import { HttpRefusal } from './http-refusal.ts';
import { checkOrigin, type OriginRules } from './origin-check.ts';
import { post } from './post.ts';
import type { SessionStore } from './session-store.ts';

export interface HttpHandlerOptions {
  core: Core;
  sessions: SessionStore;
  limits: Limits;
  rules: OriginRules;
  /** The endpoint: `/mcp`. */
  path: string;
  /** Calls a minute in one session; undefined: not limited. */
  callsPerMinute: number | undefined;
  logLevel: LogLevel;
  /** Told of what went wrong inside; the client is not. */
  report: (thrown: unknown) => void;
}

export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export function createHttpHandler(options: HttpHandlerOptions): HttpHandler {
  return async (request, response) => {
    try {
      await route(request, response, options);
    } catch (thrown) {
      if (!(thrown instanceof HttpRefusal)) options.report(thrown);
      refuse(response, thrown instanceof HttpRefusal ? thrown : new HttpRefusal(500, 'Internal error.'));
    }
  };
}

type Action = (
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpHandlerOptions,
) => void | Promise<void>;

const HEALTH: Readonly<Record<string, Action>> = { GET: health, HEAD: health };
const ENDPOINT: Readonly<Record<string, Action>> = {
  GET: get,
  POST: post,
  DELETE: endSession,
  OPTIONS: preflight,
};

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpHandlerOptions,
): Promise<void> {
  const path = (request.url ?? '').split('?')[0];
  // Ahead of the checks: probes come by an address, and learn nothing.
  if (path === '/healthz') return actionOf(request, HEALTH)(request, response, options);
  const { host, origin } = request.headers;
  checkOrigin({ host, origin }, options.rules);
  if (origin !== undefined) allowReading(response, origin);
  if (path !== options.path)
    throw new HttpRefusal(404, `Nothing is served here. The endpoint is ${options.path}.`);
  await actionOf(request, ENDPOINT)(request, response, options);
}

/** @throws {HttpRefusal} 405 */
function actionOf({ method = '' }: IncomingMessage, actions: Readonly<Record<string, Action>>): Action {
  const action = Object.hasOwn(actions, method) ? actions[method] : undefined;
  if (action !== undefined) return action;
  const allow = Object.keys(actions).join(', ');
  throw new HttpRefusal(405, `Only ${allow} are served here.`, { allow });
}

function health(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}');
}

function refuse(response: ServerResponse, { status, headers, body }: HttpRefusal): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  const fields: OutgoingHttpHeaders = { 'content-type': 'application/json', ...headers };
  response.writeHead(status, fields).end(body);
}
