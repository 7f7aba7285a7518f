// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Serves over HTTP until a signal asks to stop; reads the settings of HTTP, and warns about insecure ones. */
import type { SurfaceName } from '../contract/json-schema.ts';

import { chooseStrictest } from '../contract/guards.ts';
import { normalizePassedHeaderNames } from '../contract/http-syntax.ts';
import { isSevereEnough } from '../core/call-context.ts';
import { createCore } from '../core/core.ts';
import { type LiveServer, type ServerInstance, stopServer } from '../core/server-instance.ts';
import { Session } from '../core/session.ts';
import type { LogLevel } from '../definition.ts';
import type { FeatureLoaders, Guard, NodeState, WebSocketEndpoint } from '../feature-loaders.ts';
import {
  HTTP_LIMIT_VARIABLES,
  type Limits,
  UsageError,
  defaultUpstreamLimits,
  missingFeatureText,
} from '../contract/feature.ts';
import {
  type ClientLimiters,
  KeyedRateLimiters,
  makeMemoryBounds,
  parseProxies,
  createUnnamedProxyWarner,
  makeConnectionLimit,
} from '../transports/http/client-limits.ts';
import { openStreams } from '../transports/http/http-answer.ts';
import {
  type HttpHandler,
  type HttpHandlerOptions,
  type Readiness,
  createHttpHandler,
  describeLocalState,
  describeReadiness,
} from '../transports/http/http-handler.ts';
import { isLoopback } from '../transports/http/read-request.ts';
import {
  type HttpListener,
  type ServeOptions,
  makeServerDocuments,
  explainFailure,
  readTlsFiles,
  serveHttp,
} from '../transports/http/serve-http.ts';
import { SessionStore } from '../transports/http/session-store.ts';
import type { FlagValues } from './command-line.ts';
import {
  CATALOG_PATH,
  type Environment,
  type HttpSettings,
  SSE_PATHS,
  type Settings,
  type TlsFiles,
  type TrustedProxies,
  WEB_SOCKET_PATH,
  parseLimitOrOff,
  parseInteger,
  parseLimits,
  getSetting,
  parseEnvSwitch,
  listWellKnownTexts,
  splitList,
} from './settings.ts';

export async function startHttp(
  live: LiveServer,
  settings: Settings,
  host: NodeJS.Process,
  stop: Promise<void>,
  started: () => void,
): Promise<void> {
  const server = live.current;
  const { info, features } = server;
  const { logLevel, ws } = settings;
  const writeLogLine = (level: LogLevel, text: string): void => {
    if (!isSevereEnough(level, logLevel)) return;
    host.stderr.write(`${info.name}: ${level === 'info' ? '' : `${level}: `}${text}\n`);
  };
  const writeWarning = (words: string): void => writeLogLine('warning', words);
  assertMtlsHasTls(settings, server.env);
  let status: Readiness['status'] = 'starting';
  const getReadiness = (): Readiness => describeReadiness(status, server);
  const { handler, sessions, ...shared } = await prepareHttp(live, settings, writeWarning, getReadiness);
  const { limits, limiters, rules, guard, proxies, report } = shared;
  const drainMs = applyDrainDelay(settings, limits);
  const webSocketFeature = ws ? await features.websocket?.() : undefined;
  const webSocket = webSocketFeature?.openWebSocket({
    ...shared,
    rules: { ...rules, path: WEB_SOCKET_PATH },
    openSession: (client: string, surface: SurfaceName | undefined) =>
      new Session(logLevel, limiters.limiterForClient(client), surface),
  });
  const listener = await listenHttp(handler, webSocket, settings, {
    limits,
    report,
    connections: makeConnectionLimit(limits, proxies, writeWarning, shared.refused),
    look: createUnnamedProxyWarner(proxies, writeWarning),
  });
  writeLogLine('info', `serving ${listUrls(listener, settings).join(', ')}`);
  const local = await describeLocalState(server, settings.http?.stateless === true);
  if (local !== undefined) writeLogLine('info', local);
  if (guard?.warning !== undefined) writeWarning(guard.warning);
  if (guard === undefined && !isLoopback(settings.host))
    writeWarning(
      `bound to ${settings.host}: whoever can reach it may call every tool, with the credentials this server has for the API. ` +
        'Nothing asks callers who they are: put a proxy that does in front, or bind to 127.0.0.1.',
    );
  if (webSocket !== undefined) server.audit?.observeGauges?.({ webSockets: () => webSocket.size });
  // Expired sessions let go of what they hold, although no request comes any more.
  const lifeMs = Math.min(limits.sessionIdleMs, settings.http?.sessionMs ?? Infinity);
  const sweep = setInterval(() => sessions.endExpired(), lifeMs / 10).unref();
  status = 'ready';
  started();
  await stop;
  status = 'draining';
  if (drainMs > 0) {
    writeLogLine('info', `draining: /readyz answers 503, and requests are taken for ${drainMs} ms more`);
    await listener.drain(drainMs);
  }
  writeLogLine('info', 'stopping');
  clearInterval(sweep);
  stopServer(server);
  sessions.endListening();
  await Promise.all([listener.close(), webSocket?.stop()]);
  sessions.endAllSessions();
}

/** @throws {UsageError} if tokens may be bound to certificates of clients, which nobody asks for */
export function assertMtlsHasTls({ http }: Pick<Settings, 'http'>, env: Environment): void {
  if (http?.tls === undefined && env['MCP_AUTH_MTLS'] === 'allowed')
    throw new UsageError(
      'MCP_AUTH_MTLS needs MCP_TLS_CERT: only the process that ends TLS knows the certificate of a client. Behind a proxy, use DPoP.',
    );
}

/** Calls that begin at the end of the drain delay, which is returned, have their own time. */
export function applyDrainDelay({ http, upstreamLimits }: Settings, limits: Limits): number {
  const drainMs = http?.drainDelayMs ?? 0;
  if (drainMs > 0) limits.httpDrainMs = upstreamLimits.timeoutMs ?? defaultUpstreamLimits.timeoutMs;
  return drainMs;
}

export interface OpenHttp extends HttpHandlerOptions {
  handler: HttpHandler;
}

/** Makes what serves requests, whoever listens for them. */
export async function prepareHttp(
  live: LiveServer,
  settings: Settings,
  warn: (words: string) => void,
  readiness?: () => Readiness,
): Promise<OpenHttp> {
  const server = live.current;
  const { features, report } = server;
  const { http, logLevel, path, sse, ws } = settings;
  const limits = { ...server.limits, ...http?.limits };
  const core = createCore(live);
  const guard = await openGuard(server, settings, warn);
  const memory = makeMemoryBounds(limits, warn);
  const sessions = (await openSignedSessions(live, settings, limits, warn)) ?? new SessionStore(limits);
  const limiters = await openLimiters(server, limits);
  const rules = {
    host: settings.host,
    allowedOrigins: settings.allowedOrigins,
    allowedHosts: http?.allowedHosts ?? [],
  };
  const sseFeature = sse ? await features.sse?.() : undefined;
  const options = {
    ...{ core, sessions, limits, limiters, memory, rules, guard, path, logLevel, report },
    stateless: http?.stateless === true,
    surfaces: settings.surfaces,
    proxies: http?.proxies,
    sse: sseFeature && { ...SSE_PATHS, ...sseFeature },
    webSocketPath: ws ? WEB_SOCKET_PATH : undefined,
    passHeaders: [...(http?.passHeaders ?? []), ...(features.traces === undefined ? [] : TRACE_HEADERS)],
    readiness,
    refused: server.audit?.recordRefusal,
    documents: makeServerDocuments(server, {
      ...{ path, catalogPath: CATALOG_PATH, proxies: http?.proxies },
      wellKnown: http?.wellKnown,
    }),
  };
  server.audit?.observeGauges?.({ sessions: () => sessions.size, streams: () => openStreams.count });
  return { ...options, handler: createHttpHandler(options) };
}

interface NodeFeatures extends FeatureLoaders {
  redis?: () => Promise<{
    SharedRateLimiters: new (shared: NodeState, callsPerMinute: number, most: number) => ClientLimiters;
  }>;
  signedSessions?: () => Promise<{
    openSignedSessions(
      server: LiveServer,
      sessionMs: number,
      limits: Limits,
    ): Promise<SessionStore | undefined>;
  }>;
}

/** Undefined if ids of sessions are not signed. */
async function openSignedSessions(
  live: LiveServer,
  { http }: Settings,
  limits: Limits,
  warn: (words: string) => void,
): Promise<SessionStore | undefined> {
  const { features, env } = live.current;
  if (http === undefined || http.stateless) return undefined;
  const feature = await (features as NodeFeatures).signedSessions?.();
  // Without `ask` the variable was reported as ignored.
  if (feature === undefined && features.ask !== undefined && env['MCP_STATE_SECRET'])
    warn(
      `MCP_STATE_SECRET is set, but no other node continues a session. ${missingFeatureText('signed-sessions')}`,
    );
  return feature?.openSignedSessions(live, http.sessionMs, limits);
}

async function openLimiters(
  { shared, features }: ServerInstance,
  { callsPerMinute, countedAddresses }: Limits,
): Promise<ClientLimiters> {
  const most = callsPerMinute === Infinity ? undefined : callsPerMinute;
  const { redis } = features as NodeFeatures;
  if (!shared.isShared || most === undefined || redis === undefined)
    return new KeyedRateLimiters(most, countedAddresses);
  const { SharedRateLimiters } = await redis();
  return new SharedRateLimiters(shared, most, countedAddresses);
}

async function openGuard(
  server: ServerInstance,
  settings: Settings,
  warn: (words: string) => void,
): Promise<Guard | undefined> {
  const { auth, info, env, features, handlers, shared, report } = server;
  if (auth === undefined) return undefined;
  const [runtime, bindings] = await Promise.all([auth.runtime(), server.bindings()]);
  // A bad setting of the token exchange stops the start instead of the first call.
  if (server.readMock === undefined) await (server.cache.onBehalf ??= runtime.openOnBehalf(server));
  return runtime.openGuard({
    definition: auth,
    info,
    env,
    features,
    paths: listPaths(settings),
    scopes: runtime.allScopes(bindings, handlers),
    verifyToken: handlers.verifyToken,
    proxies: settings.http?.proxies,
    shared,
    report,
    warn,
  });
}

function listPaths({ path, sse, ws }: Settings): string[] {
  return [path, ...(sse ? [SSE_PATHS.path] : []), ...(ws ? [WEB_SOCKET_PATH] : [])];
}

function listUrls({ url }: HttpListener, settings: Settings): string[] {
  return listPaths(settings).map((path) =>
    settings.ws && path === WEB_SOCKET_PATH ? `${url.replace(/^http/, 'ws')}${path}` : `${url}${path}`,
  );
}

async function listenHttp(
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

/** W3C Trace Context and Baggage: the context of a request whose `_meta` has none. */
const TRACE_HEADERS = ['traceparent', 'tracestate', 'baggage'];

export function readHttpSettings(flags: FlagValues, env: Environment): HttpSettings {
  return {
    allowedHosts: splitList(env['MCP_ALLOWED_HOSTS']).map(parseAllowedHost),
    ...parseTrustedProxies(flags, env),
    limits: parseHttpLimits(flags, env),
    drainDelayMs: parseInteger('MCP_DRAIN_DELAY_MS', env['MCP_DRAIN_DELAY_MS'] || '0', 0, 3_600_000),
    passHeaders: parsePassedHeaders(flags, env),
    tls: parseTlsFiles(flags, env),
    wellKnown: listWellKnownTexts(env),
    ...parseSessionSettings(flags, env),
  };
}

function parseHttpLimits(flags: FlagValues, env: Environment): Partial<Limits> {
  const connections = parseLimitOrOff('--connections', flags.get('connections')?.[0]);
  const limits = {
    ...parseLimits(HTTP_LIMIT_VARIABLES, env),
    connectionsPerAddress: parseLimitOrOff('MCP_CONNECTIONS', env['MCP_CONNECTIONS']),
  };
  return chooseStrictest({ limits: { connectionsPerAddress: connections } }, { limits }).limits;
}

const SESSION_SECONDS = 7 * 24 * 60 * 60;

/** Ids hold seconds since the epoch: a lifetime of a year is far from their end. */
const MOST_SECONDS = 366 * 24 * 60 * 60;

function parseSessionSettings(
  flags: FlagValues,
  env: Environment,
): Pick<HttpSettings, 'stateless' | 'sessionMs'> {
  const stateless = flags.has('stateless') || parseEnvSwitch(env, 'MCP_STATELESS');
  if (stateless && flags.has('sse'))
    throw new UsageError('--sse does not go with --stateless: HTTP+SSE is a session. Leave out one of them.');
  const seconds = env['MCP_SESSION_TTL'] || String(SESSION_SECONDS);
  return { stateless, sessionMs: parseInteger('MCP_SESSION_TTL', seconds, 1, MOST_SECONDS) * 1_000 };
}

function parseAllowedHost(value: string): string {
  const url = /^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(value) ? `http://${value}` : '';
  if (URL.canParse(url)) return new URL(url).hostname;
  throw new UsageError(
    `MCP_ALLOWED_HOSTS must hold names without ports, such as mcp.example.com, separated by commas, not ${value}.`,
  );
}

function parsePassedHeaders(flags: FlagValues, env: Environment): string[] {
  const given = flags.get('pass-header');
  if (given !== undefined) return normalizePassedHeaderNames('--pass-header', given);
  return normalizePassedHeaderNames('MCP_PASS_HEADERS', splitList(env['MCP_PASS_HEADERS']));
}

function parseTlsFiles(flags: FlagValues, env: Environment): TlsFiles | undefined {
  const [certName, cert] = getSetting(flags, env, 'tls-cert', 'MCP_TLS_CERT');
  const [keyName, key] = getSetting(flags, env, 'tls-key', 'MCP_TLS_KEY');
  if (cert === undefined && key !== undefined)
    throw new UsageError(
      `${keyName} goes with a certificate: give ${certName === 'MCP_TLS_CERT' ? '--tls-cert' : certName} as well.`,
    );
  if (cert === undefined) return undefined;
  const asksClients = env['MCP_AUTH_MTLS'] === 'allowed' || undefined;
  const passphrase = env['MCP_TLS_PASSPHRASE'] || undefined;
  const files = { cert, key: key ?? cert, passphrase, asksClients };
  try {
    readTlsFiles(files);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(
      `${certName} and ${keyName} must be PEM files of a certificate and its key: ${reason}. A key with a passphrase ` +
        'needs MCP_TLS_PASSPHRASE.',
      { cause },
    );
  }
  return files;
}

/** Bounds that are off are reported only if other machines can reach the server. */
export function insecureHttpSettings({ host, guards, http }: Settings): string[] {
  if (http === undefined) return [];
  const warnings = http.wideProxies.map(
    (block) =>
      `${block} is trusted as a proxy, and that is so wide that clients are in it: each may write any address into ` +
      'X-Forwarded-For, and limits by address hold nobody. Name the addresses of the proxies alone, by --trusted-proxy or MCP_TRUSTED_PROXIES.',
  );
  if (isLoopback(host)) return warnings;
  const where = `and the server is bound to ${host}`;
  if (guards.limits.callsPerMinute === Infinity)
    warnings.push(
      `Calls are not limited (--rate-limit off), ${where}: one client may take it from all others, and the API too.`,
    );
  if (http.limits.connectionsPerAddress === Infinity)
    warnings.push(
      `Connections are not limited (--connections off), ${where}: one address may take them all.`,
    );
  return warnings;
}

function parseTrustedProxies(flags: FlagValues, env: Environment): TrustedProxies {
  const given = flags.get('trusted-proxy');
  return given === undefined
    ? parseProxies('MCP_TRUSTED_PROXIES', splitList(env['MCP_TRUSTED_PROXIES']))
    : parseProxies('--trusted-proxy', given);
}
