// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Serves over HTTP until a signal asks to stop, and reports that on standard error. */
import { openOnBehalf } from '../core/open-on-behalf.ts';
import { createCore } from '../core/core.ts';
import { stopServer, type LiveServer, type ServerInstance } from '../core/server-instance.ts';
import { isWanted } from '../core/call-context.ts';
import { Session } from '../core/session.ts';
import type { LogLevel } from '../definition.ts';
import type { WebSocketEndpoint } from '../feature-loaders.ts';
import type { Limits } from '../limits.ts';
import { KeyedRateLimiters, memoryBounds } from '../transports/http/client-limits.ts';
import type { Guard } from '../feature-loaders.ts';
import { isLoopback } from '../transports/http/guard.ts';
import { createHttpHandler, type HttpHandler } from '../transports/http/http-handler.ts';
import { type HttpListener, serveHttp, type ServeOptions } from '../transports/http/serve-http.ts';
import { SessionStore } from '../transports/http/session-store.ts';
import { connectionLimit, watchUnnamedProxies } from './http-settings.ts';
import { type Settings, SSE_PATHS, WEB_SOCKET_PATH } from './settings.ts';

export { insecureHttpSettings, readHttpSettings } from './http-settings.ts';

export async function startHttp(
  live: LiveServer,
  settings: Settings,
  host: NodeJS.Process,
  stop: Promise<void>,
  started: () => void,
): Promise<void> {
  const server = live.current;
  const { info, features, report } = server;
  const { http, logLevel, path, sse, ws } = settings;
  const limits = { ...server.limits, ...http?.limits };
  const log = (level: LogLevel, text: string): void => {
    if (!isWanted(level, logLevel)) return;
    host.stderr.write(`${info.name}: ${level === 'info' ? '' : `${level}: `}${text}\n`);
  };
  const warn = (words: string): void => log('warning', words);
  const core = createCore(live);
  const guard = await openGuard(server, settings, warn);
  const memory = memoryBounds(limits, warn);
  const sessions = new SessionStore(limits);
  const limiters = new KeyedRateLimiters(callsPerMinute(settings, limits), limits.countedAddresses);
  const rules = {
    host: settings.host,
    allowedOrigins: settings.allowedOrigins,
    allowedHosts: http?.allowedHosts ?? [],
  };
  const shared = { core, limits, limiters, memory, guard, proxies: http?.proxies, report };
  const sseFeature = sse ? await features.sse?.() : undefined;
  const handler = createHttpHandler({
    ...shared,
    sessions,
    rules,
    path,
    sse: sseFeature && { ...SSE_PATHS, ...sseFeature },
    ...(ws ? { webSocketPath: WEB_SOCKET_PATH } : {}),
    passHeaders: http?.passHeaders ?? [],
    logLevel,
  });
  const webSocketFeature = ws ? await features.websocket?.() : undefined;
  const webSocket = webSocketFeature?.openWebSocket({
    ...shared,
    rules: { ...rules, path: WEB_SOCKET_PATH },
    openSession: (client: string) => new Session(logLevel, limiters.limiterFor(client)),
  });
  const listener = await listen(handler, webSocket, settings, {
    limits,
    report,
    connections: connectionLimit(settings, limits, warn),
    look: watchUnnamedProxies(http?.proxies, warn),
  });
  log('info', `serving ${listUrls(listener, settings).join(', ')}`);
  if (guard?.warning !== undefined) warn(guard.warning);
  if (guard === undefined && !isLoopback(settings.host))
    warn(
      `bound to ${settings.host}: whoever can reach it may call every tool, with the credentials this server has for the API. ` +
        'Nothing asks callers who they are: put a proxy that does in front, or bind to 127.0.0.1.',
    );
  started();
  await stop;
  log('info', 'stopping');
  stopServer(server);
  sessions.endListening();
  await Promise.all([listener.close(), webSocket?.stop()]);
  sessions.endAll();
}

function callsPerMinute({ rateLimit }: Settings, limits: Limits): number | undefined {
  return rateLimit === 'default' ? limits.callsPerMinute : rateLimit === 'off' ? undefined : rateLimit;
}

/**
 * Opens the check of tokens, if callers need one.
 *
 * @throws {UsageError} if the environment names no issuer, or other variables of it can't be used
 */
async function openGuard(
  server: ServerInstance,
  settings: Settings,
  warn: (words: string) => void,
): Promise<Guard | undefined> {
  const { auth, info, env, features, handlers, report } = server;
  if (auth === undefined) return undefined;
  // Settings of the token exchange are checked at the start instead of at the first call.
  if (server.readMock === undefined) await (server.cache.onBehalf ??= openOnBehalf(server));
  const [{ openGuard: open, allScopes }, bindings] = await Promise.all([auth.runtime(), server.bindings()]);
  return open({
    definition: auth,
    info,
    env,
    features,
    paths: listPaths(settings),
    scopes: allScopes(bindings, handlers),
    verifyToken: handlers.verifyToken,
    proxies: settings.http?.proxies,
    report,
    warn,
  });
}

/** The paths that clients are configured with. */
function listPaths({ path, sse, ws }: Settings): string[] {
  return [path, ...(sse ? [SSE_PATHS.path] : []), ...(ws ? [WEB_SOCKET_PATH] : [])];
}

function listUrls({ url }: HttpListener, settings: Settings): string[] {
  return listPaths(settings).map((path) =>
    settings.ws && path === WEB_SOCKET_PATH ? `${url.replace(/^http/, 'ws')}${path}` : `${url}${path}`,
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
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
    const words = explainFailure(code, host, port);
    throw words === undefined ? thrown : new Error(`${words} (${code})`, { cause: thrown });
  }
}

/** Says why the server can't listen, and the next step. */
function explainFailure(code: string, host: string, port: number): string | undefined {
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
