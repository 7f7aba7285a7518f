// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Streamable HTTP: routes requests, after the checks that all of them have in common. */
import type { BlockList } from 'node:net';

import type { SurfaceName } from '../../contract/json-schema.ts';
import type { Audit } from '../../core/call.ts';
import { Channel, Session } from '../../core/session.ts';
import type { Core } from '../../core/core.ts';
import { type ServerInstance, declaredCapabilities } from '../../core/server-instance.ts';
import type { LogLevel } from '../../definition.ts';
import type {
  Caller,
  Guard,
  HttpRequest,
  HttpResponse,
  OpenDocuments,
  SharedHealth,
  SseFeature,
} from '../../feature-loaders.ts';
import type { Limits } from '../../contract/feature.ts';
import { INTERNAL_ERROR, ProtocolError } from '../../protocol/json-rpc.ts';
import { featuresOf, isLegacyRevision, detectEra, isModernDate } from '../../protocol/revisions.ts';
import { KeyCounter, type ClientLimiters, type MemoryBounds, makeMemoryBounds } from './client-limits.ts';
import { answerSessionless, endSession, findLimiter, handleGet, handleLegacyPost } from './endpoint.ts';
import {
  type OriginRules,
  type Posted,
  setCorsHeaders,
  checkOrigin,
  assertLegacyVersion,
  demandScopes,
  findHeader,
  answerOpenPreflight,
  answerPreflight,
  readBody,
  parsePosted,
  requestIdOf,
  parseSurface,
} from './read-request.ts';
import {
  HttpRefusal,
  JSON_HEADERS,
  LEGACY_STATUSES,
  MODERN_STATUSES,
  SECURITY_HEADERS,
  writeRefusal,
} from './http-answer.ts';
import type { SessionStore } from './session-store.ts';

export type HttpHandler = (request: HttpRequest, response: HttpResponse) => Promise<void>;

export function createHttpHandler(options: HttpHandlerOptions): HttpHandler {
  const atWork = new KeyCounter();
  const memory = options.memory ?? makeMemoryBounds(options.limits, () => undefined);
  const context: HttpContext = { ...options, atWork, memory };
  const routes = makeRoutes(options);
  const documents = makeDocumentRoutes(options);
  return async (request, response) => {
    try {
      await routeRequest({ request, response, context, caller: undefined }, routes, documents);
    } catch (thrown) {
      const refusal = toRefusal(thrown);
      if (refusal === undefined) options.report(thrown);
      else options.refused?.(refusal.status);
      writeRefusal(
        response,
        refusal ?? new HttpRefusal(500, 'Internal error.', {}, undefined, INTERNAL_ERROR),
      );
    }
  };
}

/** Undefined for a failure of the server itself. While the state that nodes share is away, clients come back later. */
function toRefusal(thrown: unknown): HttpRefusal | undefined {
  if (thrown instanceof HttpRefusal) return thrown;
  if (!(thrown instanceof ProtocolError) || thrown.origin !== 'away') return undefined;
  const { message, retrySeconds, code } = thrown;
  return new HttpRefusal(503, message, { 'retry-after': String(retrySeconds) }, undefined, code);
}

type Action = (call: HttpCall) => void | Promise<void>;

type Actions = ReadonlyMap<string, Action>;

/** Answered before the checks: probes use an IP address as `Host`, and the answers reveal nothing. */
export const PROBES: ReadonlyMap<string, Actions> = new Map([
  ['/healthz', actionsByMethod({ GET: answerHealth, HEAD: answerHealth })],
  ['/livez', actionsByMethod({ GET: answerHealth, HEAD: answerHealth })],
  ['/readyz', actionsByMethod({ GET: answerReadiness, HEAD: answerReadiness })],
]);
const ENDPOINT = actionsByMethod({
  GET: handleGet,
  POST: handlePost,
  DELETE: endSession,
  OPTIONS: answerPreflight,
});
const STATELESS_ENDPOINT = actionsByMethod({ POST: handlePost, OPTIONS: answerPreflight });

function actionsByMethod(byMethod: Readonly<Record<string, Action>>): Actions {
  return new Map(Object.entries(byMethod));
}

function makeRoutes({
  path,
  sse,
  stateless,
  webSocketPath,
}: HttpHandlerOptions): ReadonlyMap<string, Actions> {
  const routes = new Map([[path, stateless === true ? STATELESS_ENDPOINT : ENDPOINT]]);
  if (sse !== undefined) {
    const { path: ssePath, messagesPath, openSse, postSse } = sse;
    routes.set(
      ssePath,
      actionsByMethod({ GET: (call) => openSse(call, messagesPath), OPTIONS: answerPreflight }),
    );
    routes.set(messagesPath, actionsByMethod({ POST: postSse, OPTIONS: answerPreflight }));
  }
  if (webSocketPath !== undefined) routes.set(webSocketPath, actionsByMethod({ GET: refuseWithoutUpgrade }));
  return routes;
}

function makeDocumentRoutes({ guard, documents: own }: HttpHandlerOptions): ReadonlyMap<string, Actions> {
  const documents = [...(own ?? []), ...(guard?.documents ?? [])].map(([path, read]): [string, Actions] => {
    const answer: Action = async ({ request, response }) => {
      const { status, headers, body } = await read(request);
      response.writeHead(status, { ...SECURITY_HEADERS, ...headers }).end(body);
    };
    return [path, actionsByMethod({ GET: answer, HEAD: answer, OPTIONS: answerOpenPreflight })];
  });
  return new Map(documents);
}

function routeRequest(
  call: HttpCall,
  routes: ReadonlyMap<string, Actions>,
  documents: ReadonlyMap<string, Actions>,
): void | Promise<void> {
  const { request, response, context } = call;
  refuseUnsupportedHttp(request, context.limits);
  const { url = '' } = request;
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  const probe = PROBES.get(path);
  if (probe !== undefined) return findAction(request, probe)(call);
  const { host, origin } = request.headers;
  const open = documents.get(path);
  if (open !== undefined) {
    // Pages of any origin may read public documents: clients in browsers begin there.
    checkOrigin({ host }, context.rules);
    response.setHeader('access-control-allow-origin', '*');
    return findAction(request, open)(call);
  }
  checkOrigin(request.headers, context.rules);
  if (origin !== undefined) setCorsHeaders(response, origin);
  const known = routes.get(path);
  if (known === undefined)
    throw new HttpRefusal(404, `Nothing is served here. The endpoint is ${context.path}.`);
  if (query !== -1) call.surface = parseSurface(url, context.surfaces);
  const action = findAction(request, known);
  const { guard } = context;
  // Browsers send no token with a preflight (Fetch).
  if (guard === undefined || request.method === 'OPTIONS') return action(call);
  return runActionForCaller(call, action, guard);
}

async function runActionForCaller(call: HttpCall, action: Action, guard: Guard): Promise<void> {
  const { request, response } = call;
  const caller = await guard.admitRequest(request, response);
  // The handler of a POST demands scopes itself.
  if (request.method !== 'POST') guard.demandScopes([], caller);
  // The stream of a GET ends when its token is refused.
  if (request.method === 'GET') {
    if (response.destroyed) return;
    const forget = caller.untilRefused(() => response.end());
    response.once('close', forget);
  }
  return action({ ...call, caller });
}

/**
 * Node's parser lets HTTP/2, HTTP/1.1 without `Host`, and long targets through.
 * @throws {HttpRefusal} 505, 414 (RFC 9110, section 15), 400 (RFC 9112, section 3.2)
 */
function refuseUnsupportedHttp(
  { httpVersion, headers, url = '' }: HttpRequest,
  { targetBytes }: Limits,
): void {
  if (!httpVersion.startsWith('1.'))
    throw new HttpRefusal(505, 'Only HTTP/1.1 is spoken here.', { connection: 'close' });
  if (httpVersion === '1.1' && headers.host === undefined)
    throw new HttpRefusal(400, '`Host` is missing.', { connection: 'close' });
  if (url.length > targetBytes) throw new HttpRefusal(414, `The target has more than ${targetBytes} bytes.`);
}

function findAction({ method = '' }: HttpRequest, known: Actions): Action {
  const action = known.get(method);
  if (action !== undefined) return action;
  const allow = [...known.keys()].join(', ');
  throw new HttpRefusal(405, `Only ${allow} are served here.`, { allow });
}

function answerHealth({ response }: HttpCall): void {
  response.writeHead(200, JSON_HEADERS).end('{"status":"ok"}');
}

/** Readiness includes the state of Redis, where nodes share one. */
export function describeReadiness(
  status: Readiness['status'],
  { shared }: { shared: { health: SharedHealth } },
): Readiness {
  const { store, state, since } = shared.health;
  return store === 'redis' ? { status, redis: { state, since } } : { status };
}

/** 503 tells a balancer to send requests elsewhere. */
function answerReadiness({ response, context: { readiness } }: HttpCall): void {
  const state = readiness?.() ?? { status: 'ready' };
  response.writeHead(state.status === 'ready' ? 200 : 503, JSON_HEADERS).end(JSON.stringify(state));
}

function refuseWithoutUpgrade(): void {
  const headers = { upgrade: 'websocket', connection: 'Upgrade' };
  throw new HttpRefusal(426, 'Only WebSocket is served here.', headers);
}

const ACCEPT = ['application/json', 'text/event-stream'];

async function handlePost(call: HttpCall): Promise<void> {
  const { request, context, caller } = call;
  const body = await readBody(request, context.limits.bodyBytes, context);
  const posted = parsePosted(request, body, ACCEPT);
  demandScopes(posted, context, caller);
  const version = findHeader(request, 'mcp-protocol-version');
  const answer = isModern(posted, version)
    ? handleModernPost
    : context.stateless === true
      ? handleStatelessPost
      : handleLegacyPost;
  await answer(posted, call);
}

/** @throws {HttpRefusal} 400 for a batch or response under a modern version */
function isModern(posted: Posted, version: string | undefined): boolean {
  if (posted.kind === 'request' || posted.kind === 'notification')
    return detectEra(posted, version) === 'modern';
  if (version === undefined || !isModernDate(version)) return false;
  throw new HttpRefusal(400, 'The body must be one request or notification.');
}

/** A modern client has no session, and its answer is the only stream. */
async function handleModernPost(posted: Posted, call: HttpCall): Promise<void> {
  const { request } = call;
  // Notifications have no effect: a client cancels a request by closing its stream ("Cancellation").
  if (posted.kind !== 'request') return void call.response.writeHead(202).end();
  const channel = new Channel(findLimiter(call), call.surface);
  const headers = (name: string): string | undefined => findHeader(request, name);
  await answerSessionless(posted, call, MODERN_STATUSES, { channel, session: undefined, headers });
}

/** The revision of a request without the header (2025-06-18, "Protocol Version Header"). */
const ASSUMED_REVISION = '2025-03-26';

/** `--stateless`: also a request of the older revisions stands alone, in a session that ends with it. */
async function handleStatelessPost(posted: Posted, call: HttpCall): Promise<void> {
  const { request, response, context } = call;
  assertLegacyVersion(request, requestIdOf(posted));
  if (posted.kind === 'notification' || posted.kind === 'response') return void response.writeHead(202).end();
  const session = new Session(context.logLevel, findLimiter(call), call.surface);
  session.isAlone = true;
  if (posted.kind === 'batch' || posted.method !== 'initialize') {
    const version = findHeader(request, 'mcp-protocol-version');
    const revision = isLegacyRevision(version) ? version : ASSUMED_REVISION;
    const features = featuresOf(revision, true);
    session.agreement = { revision, features, clientInfo: undefined, clientCapabilities: {} };
    session.ready = true;
  }
  await answerSessionless(posted, call, LEGACY_STATUSES, { channel: session, session });
}

export interface HttpHandlerOptions {
  core: Core;
  sessions: SessionStore;
  limits: Limits;
  rules: OriginRules;
  path: string;
  sse?: SsePaths | undefined;
  /** Path of WebSockets. Plain requests for it are refused with 426. */
  webSocketPath?: string | undefined;
  limiters: ClientLimiters;
  memory?: MemoryBounds;
  proxies?: BlockList | undefined;
  guard?: Guard | undefined;
  documents?: OpenDocuments;
  passHeaders?: readonly string[];
  /** The lists of tools that endpoints may name; the first is the default. */
  surfaces?: readonly SurfaceName[];
  logLevel: LogLevel;
  /** No sessions: each request stands alone. Default false. */
  stateless?: boolean;
  readiness?: (() => Readiness) | undefined;
  refused?: Audit['recordRefusal'] | undefined;
  report: (thrown: unknown) => void;
}

export interface Readiness {
  status: 'starting' | 'ready' | 'draining';
  redis?: Pick<SharedHealth, 'state' | 'since'>;
}

export interface HttpContext extends HttpHandlerOptions {
  /** Counts requests in flight of clients without a session, by address. */
  atWork: KeyCounter;
  memory: MemoryBounds;
}

interface SsePaths extends SseFeature {
  path: string;
  messagesPath: string;
}

export interface HttpCall {
  request: HttpRequest;
  response: HttpResponse;
  context: HttpContext;
  caller: Caller | undefined;
  surface?: SurfaceName | undefined;
}

/** A sentence about the parts of this server that need the memory of one node, if other nodes may serve the same clients. */
export async function describeLocalState(
  server: ServerInstance,
  stateless: boolean,
): Promise<string | undefined> {
  const { features, env, changes } = server;
  const declared = await declaredCapabilities(server);
  const parts = [
    ...(features.ask === undefined ? [] : ['questions to clients']),
    ...(declared.has('tasks') ? ['tasks'] : []),
    ...(declared.has('subscriptions') ? ['subscriptions'] : []),
    ...(changes ? ['notices of changed lists'] : []),
  ];
  if (parts.length === 0) return undefined;
  if (stateless)
    return `--stateless: clients of the revisions that begin with initialize have no sessions, and so none of ${parts.join(', ')}.`;
  if (!env['MCP_STATE_SECRET'] || env['MCP_REDIS_URL']) return undefined;
  const all = [...parts, 'the rest of broken streams', 'log levels', 'the end of a session (DELETE)'].join(
    ', ',
  );
  return `sessions are signed, and any node continues them. Without MCP_REDIS_URL these stay on the node where they began: ${all}.`;
}
