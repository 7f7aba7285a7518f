/** Serves over HTTP until a signal asks to stop, and says so on standard error. */
import { openOnBehalf } from '../core/open-on-behalf.ts';
import { type Core, createCore } from '../core/core.ts';
import { stopServer, type LiveServer, type ServerInstance } from '../core/server-instance.ts';
import { isWanted } from '../core/log-level.ts';
import { Session } from '../core/session.ts';
import type { LogLevel } from '../definition.ts';
import type { WebSocketEndpoint } from '../feature-loaders.ts';
import type { Limits } from '../limits.ts';
import { memoryBounds } from '../transports/byte-bound.ts';
import type { Guard } from '../transports/http/guard.ts';
import type { HttpHandlerOptions, SsePaths } from '../transports/http/http-context.ts';
import { createHttpHandler, type HttpHandler } from '../transports/http/http-handler.ts';
import { isLoopback, type OriginRules } from '../transports/http/origin-check.ts';
import { KeyedRateLimiters } from '../transports/http/rate-limit-key.ts';
import { type HttpListener, serveHttp, type ServeOptions } from '../transports/http/serve-http.ts';
import { SessionStore } from '../transports/http/session-store.ts';
import { connectionLimit } from './http-settings.ts';
import { unnamedProxies } from './trusted-proxies.ts';
import { type Settings, SSE_PATHS, WEB_SOCKET_PATH } from './settings.ts';

export { readHttpSettings } from './http-settings.ts';
export { insecureHttpSettings } from './http-settings.ts';

export async function startHttp(
  live: LiveServer,
  settings: Settings,
  host: NodeJS.Process,
  stop: Promise<void>,
  started: () => void,
): Promise<void> {
  const server = live.current;
  const { info, report } = server;
  const { http, logLevel, passHeaders, path, sse, ws } = settings;
  const limits = { ...server.limits, ...http?.limits };
  const log = (level: LogLevel, text: string): void => {
    if (!isWanted(level, logLevel)) return;
    host.stderr.write(`${info.name}: ${level === 'info' ? '' : `${level}: `}${text}\n`);
  };
  const core = createCore(live);
  const warn = (words: string): void => log('warning', words);
  const guard = await guardOf(server, settings, warn);
  const memory = memoryBounds(limits, warn);
  const sessions = new SessionStore(limits);
  const limiters = new KeyedRateLimiters(callsPerMinute(settings, limits), limits.countedAddresses);
  const handler = createHttpHandler({
    core,
    sessions,
    limits,
    rules: rulesOf(settings),
    path,
    ...(sse ? { sse: await openSse(server) } : {}),
    ...(ws ? { webSocketPath: WEB_SOCKET_PATH } : {}),
    limiters,
    memory,
    proxies: http?.proxies,
    guard,
    passHeaders,
    logLevel,
    report,
  });
  const webSocket = ws
    ? await openWebSocket(core, server, settings, { limits, limiters, memory, guard })
    : undefined;
  const connections = connectionLimit(settings, limits, warn);
  const look = unnamedProxies(http?.proxies, warn);
  const listener = await listen(handler, webSocket, settings, { limits, report, connections, look });
  log('info', `serving ${urlsOf(listener, settings).join(', ')}`);
  if (guard?.warning !== undefined) log('warning', guard.warning);
  if (guard === undefined && !isLoopback(settings.host)) log('warning', exposure(settings.host));
  started();
  await stop;
  log('info', 'stopping');
  stopServer(server);
  sessions.endListening();
  await Promise.all([listener.close(), webSocket?.stop()]);
  sessions.endAll();
}

function rulesOf({ host, allowedOrigins, http }: Settings): OriginRules {
  return { host, allowedOrigins, allowedHosts: http?.allowedHosts ?? [] };
}

function callsPerMinute({ rateLimit }: Settings, limits: Limits): number | undefined {
  return rateLimit === 'default' ? limits.callsPerMinute : rateLimit === 'off' ? undefined : rateLimit;
}

/** Undefined where nobody is asked who they are. @throws {UsageError} where the environment does not say whose tokens count */
async function guardOf(
  server: ServerInstance,
  settings: Settings,
  warn: (words: string) => void,
): Promise<Guard | undefined> {
  const { auth, info, env, features, handlers, report } = server;
  if (auth === undefined) return undefined;
  // Found out now, and not with the first call.
  if (server.readMock === undefined) await (server.cache.onBehalf ??= openOnBehalf(server));
  const [{ openGuard, allScopes }, bindings] = await Promise.all([auth.runtime(), server.bindings()]);
  return openGuard({
    definition: auth,
    info,
    env,
    features,
    paths: pathsOf(settings),
    scopes: allScopes(bindings, handlers),
    verifyToken: handlers.verifyToken,
    proxies: settings.http?.proxies,
    report,
    warn,
  });
}

/** Loaded here, since few servers need it. */
async function openSse({ features }: ServerInstance): Promise<SsePaths | undefined> {
  const loaded = await features.sse?.();
  return loaded && { ...SSE_PATHS, ...loaded };
}

async function openWebSocket(
  core: Core,
  server: ServerInstance,
  settings: Settings,
  { limiters, ...shared }: Pick<HttpHandlerOptions, 'limits' | 'limiters' | 'memory' | 'guard'>,
): Promise<WebSocketEndpoint | undefined> {
  const { http, logLevel } = settings;
  return (await server.features.websocket?.())?.openWebSocket({
    ...shared,
    core,
    rules: { ...rulesOf(settings), path: WEB_SOCKET_PATH },
    openSession: (client: string) => new Session(logLevel, limiters.limiterOf(client)),
    proxies: http?.proxies,
    report: server.report,
  });
}

/** Where clients begin. */
function pathsOf({ path, sse, ws }: Settings): string[] {
  return [path, ...(sse ? [SSE_PATHS.path] : []), ...(ws ? [WEB_SOCKET_PATH] : [])];
}

/** The same as URLs. */
function urlsOf({ url }: HttpListener, { path, sse, ws }: Settings): string[] {
  return [
    `${url}${path}`,
    ...(sse ? [`${url}${SSE_PATHS.path}`] : []),
    ...(ws ? [`${url.replace(/^http/, 'ws')}${WEB_SOCKET_PATH}`] : []),
  ];
}

/** Of a server that asks nobody. */
function exposure(host: string): string {
  return (
    `bound to ${host}: whoever can reach it may call every tool, with the credentials this server has for the API. ` +
    'Nothing asks callers who they are: put a proxy that does in front, or bind to 127.0.0.1.'
  );
}

async function listen(
  handler: HttpHandler,
  webSocket: WebSocketEndpoint | undefined,
  { host, port, http }: Settings,
  options: Pick<ServeOptions, 'limits' | 'connections' | 'report' | 'look'>,
): Promise<HttpListener> {
  try {
    return await serveHttp(handler, {
      ...options,
      host,
      port,
      upgrade: webSocket?.upgrade,
      tls: http?.tls,
    });
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
    const words = typeof code === 'string' ? whyNot(code, host, port) : undefined;
    throw words === undefined ? thrown : new Error(`${words} (${String(code)})`, { cause: thrown });
  }
}

/** What keeps a server from listening, and the next step. */
function whyNot(code: string, host: string, port: number): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use, maybe by another copy of this server. Stop that, or choose another by --port; 0 is any free one.`;
    case 'EACCES':
      return `Port ${port} needs rights that this process lacks. Choose one of 1024 or more by --port.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return `${host} is no address of this machine. Choose another by --host: 127.0.0.1 for this machine alone, 0.0.0.0 for every interface.`;
    default:
      return undefined;
  }
}
