// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Streamable HTTP, both eras at one endpoint: a `(request, response)` handler, and the server that listens for it. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Server as HttpServer, ServerOptions as ListenOptions } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller, Feature, HttpExchange, RouteExchange, ServerDefinition } from './feature.ts';
import { HEADER_MISMATCH, INTERNAL_ERROR, INVALID_REQUEST, LEGACY_REVISIONS } from './json-rpc.ts';
import { isModernRequest, limitReached, METHOD_NOT_FOUND, MODERN_REVISIONS } from './json-rpc.ts';
import { type Notification, ownMember, parseBytes, readMessage, type Request, RpcError } from './json-rpc.ts';
import { writeJson } from './json-rpc.ts';
import { essence } from './request.ts';
import { errorReply, fitMessage, type Reply, Server, type ServerOptions } from './server.ts';
import { EventStream, type Exchange, HeldBytes, SECURITY_HEADERS, Session } from './session.ts';
import { getSetting, LIMITS, parseInteger, type Setting } from './settings.ts';
import { UsageError } from './types.ts';

const SETTINGS: readonly Setting[] = [
  { flag: 'port', value: 'n', variable: 'PORT', help: 'HTTP port; 0 is any free one.', default: '3000' },
  { flag: 'host', value: 'address', help: '0.0.0.0 lets other machines in.', default: '127.0.0.1' },
  { flag: 'path', value: 'path', help: 'HTTP path of the endpoint.', default: '/mcp' },
  { variable: 'MCP_ALLOWED_ORIGINS', help: 'Web pages that may call, as https://app.example,…' },
  {
    variable: 'MCP_ALLOWED_HOSTS',
    help: 'Host names that requests may use. Default: any; on loopback, those of this machine.',
  },
  { variable: 'MCP_DRAIN_DELAY_MS', help: 'Serve on after SIGTERM, while /readyz answers 503.' },
];

/** Lets the server listen with `--transport http`. */
export function http(): Feature {
  return { name: 'http', settings: SETTINGS, transports: { http: serveHttp } };
}

export interface HttpOptions {
  host: string;
  path: string;
  allowedOrigins: readonly string[];
  allowedHosts: readonly string[];
}

/** Handles requests of any Node server. */
export interface HttpHandler {
  /** `body`: what a parser has read of the request. */
  (request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void>;
  /** Ends the streams that wait for messages; requests in flight go on. */
  stop(): void;
  /** Ends all sessions, and what is in flight. */
  end(): void;
}

const PROBES = ['/healthz', '/livez', '/readyz'];
const JSON_HEADERS = { ...SECURITY_HEADERS, 'content-type': 'application/json' };

/** Before a message is read: with `connection: close` in `headers`, its body stays unread. */
export function refusal(status: number, message: string, headers: Record<string, string> = {}): RpcError {
  return new RpcError(INVALID_REQUEST, message, { status, headers });
}

/**
 * Starts the server without a listener: `app.all('/mcp', (request, response) => handle(request, response, request.body))`.
 * @throws {UsageError} for settings, features or handlers that can't be used
 */
export async function createHandler(
  definition: ServerDefinition,
  { env = process.env, report = console.error }: Partial<ServerOptions> = {},
): Promise<HttpHandler> {
  const server = new Server(definition, { env, flags: { transport: 'http' }, report });
  const handle = createHttpHandler(server, readHttpOptions(server));
  await server.start();
  return handle;
}

export function createHttpHandler(server: Server, options: HttpOptions): HttpHandler {
  const held = new HeldBytes();
  const [readAddress = remoteAddress] = Object.values(server.parts<typeof remoteAddress>('address'));
  /** Those with ids. */
  const sessions = new Map<string, HttpSession>();
  const [lasting, alone] = [makeGroup(), makeGroup()];
  const listSessions = (): Session[] => [...lasting.open, ...alone.open];
  server.gauges.set('mcp_sessions', () => sessions.size);
  server.gauges.set(
    'mcp_streams',
    () => [...sessions.values()].filter(({ stream }) => stream?.isOpen).length,
  );

  async function handle(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void> {
    try {
      await dispatch(request, response, body);
    } catch (thrown) {
      const isRefusal = thrown instanceof RpcError;
      if (!isRefusal) server.report(thrown);
      const error = isRefusal ? thrown : new RpcError(INTERNAL_ERROR, 'Internal error.', { status: 500 });
      server.observeRefusal(error.status);
      if (response.headersSent) return void response.end();
      // Node reads this, not the header.
      if (error.headers['connection'] === 'close') response.shouldKeepAlive = false;
      response.writeHead(error.status, { ...JSON_HEADERS, ...error.headers });
      response.end(errorReply(undefined, error).text);
    }
  }

  async function dispatch(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const { url = '', httpVersion, headers, method = '' } = request;
    const [path = ''] = url.split('?', 1);
    if (!httpVersion.startsWith('1.'))
      throw refusal(505, 'Only HTTP/1.1 is spoken here.', { connection: 'close' });
    if (httpVersion === '1.1' && headers.host === undefined)
      throw refusal(400, '`Host` is missing.', { connection: 'close' });
    if (url.length > LIMITS.targetBytes)
      throw refusal(414, `The target has more than ${LIMITS.targetBytes} bytes.`);
    // Probes use an IP address as `Host`, and the answers reveal nothing.
    if (PROBES.includes(path)) return answerProbe(method, path, response);
    const route = server.features.flatMap(({ routes = [] }) => routes).find((one) => one.path === path);
    checkHost(headers.host, options);
    if (route?.isOpen === true) response.setHeader('access-control-allow-origin', '*');
    else checkOrigin(request, response, options);
    if (route === undefined && path !== options.path)
      throw refusal(404, `Nothing is served here. The endpoint is ${options.path}.`);
    if (method === 'OPTIONS') return answerPreflight(request, response);
    const exchange = { request, response, path, address: networkOf(readAddress(request)) };
    const admitting = server.features.find(({ admit }) => admit !== undefined);
    const caller = route?.isOpen === true ? undefined : await admitting?.admit?.(exchange);
    if (route !== undefined) return route.handle(toRouteExchange(exchange, caller));
    return method === 'POST' ? post(exchange, caller, body) : listenOrEnd(exchange, caller);
  }

  function answerProbe(method: string, path: string, response: ServerResponse): void {
    requireMethod(method, ['GET', 'HEAD']);
    const isDraining = path === '/readyz' && server.isDraining;
    const status = isDraining ? 'draining' : path === '/readyz' ? 'ready' : 'ok';
    const health = path === '/readyz' ? [...server.health].map(([name, read]) => [name, read()]) : [];
    response.writeHead(isDraining ? 503 : 200, JSON_HEADERS);
    response.end(JSON.stringify({ status, ...Object.fromEntries(health) }));
  }

  function toRouteExchange(exchange: HttpExchange, caller: Caller | undefined): RouteExchange {
    const { request, response } = exchange;
    const client = caller?.subject ?? exchange.address;
    return {
      ...exchange,
      caller,
      held,
      readBody: () => readBody(request, response),
      openStream: () => new EventStream(response, held),
      openSession: async () => {
        await server.count(client);
        const session = openSession(new Session(), client);
        const release = caller?.watch?.(() => session.end(), session);
        if (release !== undefined) session.onEnd(release);
        return Object.assign(session, { caller });
      },
    };
  }

  async function listenOrEnd({ request, response }: HttpExchange, caller: Caller | undefined): Promise<void> {
    const { method } = request;
    const isSessionless = server.services.sessions.agreeAlone !== undefined;
    requireMethod(method, isSessionless ? ['POST', 'OPTIONS'] : ['GET', 'POST', 'DELETE', 'OPTIONS']);
    const version = readHeader(request, 'mcp-protocol-version') ?? '';
    if (MODERN_REVISIONS.includes(version))
      throw refusal(405, `${version} has POST alone here.`, { allow: 'POST, OPTIONS' });
    if (method === 'GET') checkAccept(request, ['text/event-stream']);
    const session = await findSession(request, caller);
    if (method === 'DELETE') {
      await server.services.sessions.end?.(session.id);
      session.end();
      return void response.writeHead(204, SECURITY_HEADERS).end();
    }
    if (server.isStopping) throw refusal(503, 'The server is stopping.');
    const { events } = server.services;
    const stream: EventStream = new EventStream(response, held, {
      begin: () => events?.begin(session, stream),
      watch: (end) => caller?.watch?.(end, session),
    });
    const lastEventId = readHeader(request, 'last-event-id');
    if ((await events?.resume(session, lastEventId, stream, caller)) !== true) session.listen(stream);
  }

  async function post(exchange: HttpExchange, caller: Caller | undefined, body: unknown): Promise<void> {
    const { request, response, address } = exchange;
    const { sessions: services, events } = server.services;
    // Express hands over `next` where others have the body.
    const isParsed = body !== undefined && typeof body !== 'function';
    const bytes = isParsed ? undefined : await readBody(request, response);
    if (held.unread > LIMITS.heldBytes) throw noRoom();
    checkBodyType(request);
    checkAccept(request, ['application/json', 'text/event-stream']);
    const value = bytes === undefined ? body : parseBytes(bytes);
    const message = Array.isArray(value) ? undefined : readMessage(value);
    // The id of a response is that of a request of this server.
    const id = message?.kind === 'request' || message?.kind === 'invalid' ? message.id : undefined;
    const call = message?.kind === 'request' || message?.kind === 'notification' ? message : undefined;
    const version = readHeader(request, 'mcp-protocol-version');
    const isModern = call !== undefined && isModernRequest(call, version);
    const client = caller?.subject ?? address;
    let session: Session | undefined;
    let silence: NodeJS.Timeout | undefined;
    const stream: EventStream = new EventStream(response, held, {
      begin: () => (session instanceof HttpSession ? events?.begin(session, stream) : undefined),
      watch: (end) => caller?.watch?.(end),
    });
    const answer = (reply: Reply | undefined): void => writeReply(stream, reply, isModern);
    try {
      if (message?.kind === 'invalid') throw refusal(400, message.reason);
      if (server.isStopping && (id !== undefined || message === undefined))
        throw refusal(503, 'The server is stopping.', { connection: 'close' });
      // A client of 2026-07-28 cancels a request by closing its stream, so notifications have no effect.
      if (isModern && id === undefined) return answer(undefined);
      const isInitialize = call?.method === 'initialize' && id !== undefined && !isModern;
      const isOpening = isInitialize && request.headers['mcp-session-id'] === undefined;
      if (isModern || services.agreeAlone !== undefined) {
        if (response.destroyed) return;
        session = openSession(new Session(), client);
        onceLeft(request, response, session.end.bind(session));
        if (!isModern && !isInitialize) {
          session.agreement = services.agreeAlone?.(version);
          session.isReady = true;
          if (call?.kind === 'notification' || message?.kind === 'response') return answer(undefined);
        }
      } else if (isOpening) {
        await server.count(client);
        session = openSession(new HttpSession(), client);
      } else session = await findSession(request, caller);
      session.caller = caller;
      const exchanged: Exchange = {
        session,
        caller,
        request,
        stream,
        sessionId: session instanceof HttpSession ? session.id : undefined,
        send: (sent) => stream.send(fitMessage(writeJson(sent))),
        headerVersion: version,
        compareHeaders: (...compared) => compareHeaders(request, ...compared),
      };
      // Proxies close a connection that is silent for long.
      if ((id !== undefined || message === undefined) && !isOpening)
        silence = setTimeout(() => openIfAdmitted(stream), LIMITS.keepAliveMs).unref();
      const reply = await (message === undefined
        ? server.receiveBatch(value as unknown[], exchanged)
        : server.receive(message, exchanged));
      if (isOpening && session instanceof HttpSession) {
        if (reply?.error !== undefined) session.end();
        else response.setHeader('mcp-session-id', hold(services.issueId(session), session).id);
      }
      // The stream of a request that was cancelled ends without an answer.
      if (reply === undefined && id !== undefined) stream.open();
      answer(reply);
    } catch (thrown) {
      if (!(thrown instanceof RpcError)) throw thrown;
      server.observeRefusal(thrown.status);
      answer(errorReply(id, thrown));
    } finally {
      clearTimeout(silence);
    }
  }

  function openIfAdmitted(stream: EventStream): void {
    try {
      stream.open();
    } catch {
      // The access has ended meanwhile, as the answer says.
    }
  }

  function writeReply(stream: EventStream, reply: Reply | undefined, isModern: boolean): void {
    const { response, hasBegun } = stream;
    // A stream may have ended before: its caller is no longer admitted.
    if (stream.hasEnded || (response.destroyed && !hasBegun)) return;
    if (reply === undefined)
      return hasBegun ? stream.end() : void response.writeHead(202, SECURITY_HEADERS).end();
    const { error } = reply;
    const text = fitMessage(reply.text);
    if (hasBegun) {
      void stream.send(text);
      stream.end();
    } else {
      // Legacy clients read the body of an unknown method's error, and modern ones the status.
      const status = error?.code === METHOD_NOT_FOUND && isModern ? 404 : (error?.status ?? 200);
      const length = Buffer.byteLength(text);
      response.writeHead(status, { ...JSON_HEADERS, ...error?.headers, 'content-length': length }).end(text);
    }
    if (response.writableLength === 0) return;
    const timer = setTimeout(() => response.destroy(), LIMITS.unreadMs).unref();
    void held.untilRead(response).then(() => clearTimeout(timer));
  }

  async function readBody(request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
    const close = { connection: 'close' };
    const tooLong = refusal(413, `The message is longer than ${LIMITS.bodyBytes} bytes.`, close);
    if (Number(request.headers['content-length']) > LIMITS.bodyBytes) throw tooLong;
    const chunks: Buffer[] = [];
    let size = 0;
    onceLeft(request, response, () => (held.uploaded -= size));
    try {
      // Destroying the request would take its connection from the answer.
      for await (const chunk of request.iterator({ destroyOnReturn: false })) {
        const { length } = chunk as Buffer;
        if (response.destroyed) throw new Error();
        chunks.push(chunk as Buffer);
        size += length;
        held.uploaded += length;
        if (size > LIMITS.bodyBytes) throw tooLong;
        // Short messages pass, so that a client with long ones can't keep out the others.
        if (held.isOver && size > LIMITS.shortBytes) throw noRoom();
      }
      return Buffer.concat(chunks);
    } catch (thrown) {
      throw thrown instanceof RpcError ? thrown : refusal(400, 'The body broke off.');
    } finally {
      request.resume();
    }
  }

  /** A client's own session makes room that it used longest ago, of those that are idle. Signed ones come back, so they make room for all. @throws {RpcError} */
  function openSession<T extends Session>(session: T, client: string): T {
    if (server.isStopping) throw refusal(503, 'The server is stopping.', { connection: 'close' });
    const { open, ended, byClient } = session instanceof HttpSession ? lasting : alone;
    for (const [one, release] of ended) if (one.inFlight.size === 0) release();
    const count = byClient.get(client) ?? 0;
    const hasTooMany = count >= LIMITS.sessionsPerClient;
    if (hasTooMany || open.size + ended.size >= LIMITS.sessions) {
      const mayEnd = (one: Session): boolean =>
        hasTooMany ? one.client === client : server.services.sessions.revive !== undefined;
      const oldest = [...open].find((one) => mayEnd(one) && isIdle(one));
      if (oldest === undefined)
        throw hasTooMany
          ? limitReached(`${count} sessions or requests of your address are open already.`, 1)
          : refusal(503, 'Too many sessions are open. Try again later.', { 'retry-after': '60' });
      oldest.end();
    }
    Object.assign(session, { client, logLevel: server.settings.logLevel });
    open.add(session);
    byClient.set(client, (byClient.get(client) ?? 0) + 1);
    const release = (): void => {
      ended.delete(session);
      const remaining = (byClient.get(client) ?? 0) - 1;
      if (remaining > 0) byClient.set(client, remaining);
      else byClient.delete(client);
    };
    session.onEnd(() => {
      open.delete(session);
      if (session.inFlight.size > 0) ended.set(session, release);
      else release();
    });
    return session;
  }

  function hold(id: string, session: HttpSession): HttpSession {
    session.id = id;
    sessions.set(id, session);
    session.onEnd(() => sessions.delete(id));
    server.services.sessions.hold?.(id, session);
    return session;
  }

  /** Other callers' sessions are unknown to a caller. @throws {RpcError} */
  async function findSession(request: IncomingMessage, caller: Caller | undefined): Promise<HttpSession> {
    const id = readHeader(request, 'mcp-session-id');
    if (id === undefined) throw refusal(400, '`Mcp-Session-Id` is missing: `initialize` comes first.');
    const session = sessions.get(id) ?? (await revive(id, caller, request));
    if (session === undefined || session.caller?.subject !== caller?.subject)
      throw refusal(404, 'The session is unknown or has ended.');
    checkVersion(request);
    session.idleTimer.refresh();
    lasting.open.delete(session);
    lasting.open.add(session);
    return session;
  }

  async function revive(id: string, caller: Caller | undefined, request: IncomingMessage) {
    const agreement = await server.services.sessions.revive?.(id, caller);
    // Another request may have just revived it.
    if (agreement === undefined || sessions.has(id)) return sessions.get(id);
    const session = openSession(new HttpSession(), caller?.subject ?? networkOf(readAddress(request)));
    hold(id, Object.assign(session, { agreement, caller }));
    server.makeReady(session);
    return session;
  }

  /** The stream of a session carries its answers too, unless these have their own. */
  function endWhenIdle(session: Session): void {
    if (session instanceof HttpSession) session.stream?.end();
    else if (session.inFlight.size > 0) setTimeout(() => endWhenIdle(session), 20).unref();
    else setImmediate(() => session.end());
  }

  return Object.assign(handle, {
    stop: () => listSessions().forEach(endWhenIdle),
    end: () => listSessions().forEach((session) => session.end()),
  });
}

/** Sessions that a client comes back to, or requests and connections that stand alone: many of one kind leave room for the other. */
interface Group {
  /** Those used longest ago come first. */
  open: Set<Session>;
  /** Their handlers may still be at work, so they count. */
  ended: Map<Session, () => void>;
  byClient: Map<string, number>;
}

function makeGroup(): Group {
  return { open: new Set(), ended: new Map(), byClient: new Map() };
}

/** Node emits no `close` on a response that waits behind another of a connection which ends. */
function onceLeft({ socket }: IncomingMessage, response: ServerResponse, run: () => void): void {
  const leave = (): void => {
    response.off('close', leave);
    socket.off('close', leave);
    run();
  };
  response.once('close', leave);
  socket.once('close', leave);
}

function isIdle(session: Session): boolean {
  return session instanceof HttpSession && session.inFlight.size === 0 && session.stream?.isOpen !== true;
}

class HttpSession extends Session {
  /** Once it has been initialized. */
  id = '';
  /** That of GET. */
  stream: EventStream | undefined;
  /** Ends a session that nobody uses. */
  readonly idleTimer: NodeJS.Timeout = setTimeout(() => {
    if (isIdle(this)) this.end();
    else this.idleTimer.refresh();
  }, LIMITS.sessionIdleMs).unref();

  /** Without a stream, a message is lost; one that has broken off keeps it if it has a log. */
  override push = (message: Notification): void => void this.stream?.send(fitMessage(writeJson(message)));

  /** A newer GET takes the stream over. */
  override listen = (stream: EventStream): void => {
    if (stream.response.destroyed) return;
    if (this.stream !== undefined) return this.stream.attach(stream);
    stream.open();
    this.stream = stream;
  };

  override end(): void {
    clearTimeout(this.idleTimer);
    super.end();
    this.stream?.end();
  }
}

// What a request must be.

function noRoom(): RpcError {
  const headers = { 'retry-after': '1', connection: 'close' };
  return refusal(503, 'Too many bytes wait here. Try again later.', headers);
}

export function requireMethod(method: string | undefined, allowed: readonly string[]): void {
  const allow = allowed.join(', ');
  if (method === undefined || !allowed.includes(method))
    throw refusal(405, `Only ${allow} are served here.`, { allow });
}

/** Node joins several fields of one name (RFC 9110, section 5.2). */
export function readHeader({ headers }: IncomingMessage, name: string): string | undefined {
  return ownMember(headers, name)?.toString();
}

export function checkVersion(request: IncomingMessage): void {
  const version = readHeader(request, 'mcp-protocol-version');
  if (version !== undefined && !LEGACY_REVISIONS.includes(version))
    throw refusal(400, `The protocol version ${JSON.stringify(version)} is not supported.`);
}

export function checkBodyType(request: IncomingMessage): void {
  if (!/^(?:identity)?$/i.test(readHeader(request, 'content-encoding') ?? ''))
    throw refusal(415, 'The body must not be compressed.', { 'accept-encoding': 'identity' });
  if (essence(readHeader(request, 'content-type') ?? '') !== 'application/json')
    throw refusal(415, 'The body must be application/json.');
}

/** The most specific range counts, and `q=0` refuses (RFC 9110, section 12.5.1). */
function checkAccept(request: IncomingMessage, types: readonly string[]): void {
  // Without the header any type will do.
  const ranges = (readHeader(request, 'accept') ?? '*/*').split(',');
  const isWelcome = (range: string): boolean => !/;\s*q=0(?:\.0{0,3})?\s*$/i.test(range);
  const preferences = new Map(ranges.map((range) => [essence(range), isWelcome(range)]));
  const isAccepted = (type: string): boolean =>
    preferences.get(type) ?? preferences.get(type.replace(/\/.*/, '/*')) ?? preferences.get('*/*') ?? false;
  if (!types.every(isAccepted)) throw refusal(406, `\`Accept\` must hold ${types.join(' and ')}.`);
}

/** Loopback hosts as `URL` spells them. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(hostnameOf(`http://${bracketed(host)}`));
}

/** With more, `URL` could read another host than other software does. */
const PLAIN_HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])$/i;

/**
 * Keeps web pages from a server on this machine by DNS rebinding (Streamable HTTP, "Security Warning"): on a loopback address `Host`
 * must be a loopback host, since any other name may be made to point here.
 */
export function checkHost(header = '', { host, allowedHosts, allowedOrigins }: HttpOptions): void {
  if (header.includes(',')) throw refusal(400, 'There must be one `Host`.');
  const isLocal = isLoopback(host);
  if (!isLocal && allowedHosts.length === 0) return;
  const isPlain = PLAIN_HOST.test(header.replace(/:\d*$/, ''));
  const name = isPlain ? hostnameOf(`http://${header}`) : '';
  const isListed = [...allowedHosts, ...allowedOrigins.map(hostnameOf)].includes(name);
  if (name === '' || !(isListed || (isLocal && LOOPBACK.test(name))))
    throw refusal(403, 'This `Host` is not served here. Those in MCP_ALLOWED_HOSTS are.');
}

/** Browsers always send `Origin` where it matters; a page's image or navigation sends `Sec-Fetch-Site` instead (Fetch Metadata). */
export function checkOrigin(request: IncomingMessage, response: ServerResponse, options: HttpOptions): void {
  const origin = readHeader(request, 'origin');
  if (origin === undefined) {
    if (!/cross-site/i.test(readHeader(request, 'sec-fetch-site') ?? '')) return;
    throw refusal(403, 'A browser sent this request for a page of another site, without an `Origin`.');
  }
  const [, name = ''] = /^https?:\/\/(.*?)(?::\d+)?$/i.exec(origin) ?? [];
  const host = hostnameOf(origin);
  // `URL` reads other spellings of loopback addresses too, which browsers never send.
  const isPlain = PLAIN_HOST.test(name) && (name.startsWith('[') || name.toLowerCase() === host);
  const isLocal = isLoopback(options.host) && LOOPBACK.test(host) && isPlain;
  if (!isLocal && !options.allowedOrigins.includes(origin))
    throw refusal(403, 'This `Origin` is not allowed. MCP_ALLOWED_ORIGINS names those that are.');
  const exposed = 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, DPoP-Nonce, Retry-After';
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', exposed);
  response.setHeader('vary', 'Origin');
}

function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  const requested = readHeader(request, 'access-control-request-headers') ?? '';
  const names = splitList(requested)
    .filter((name) => /^[\w-]+$/.test(name))
    .map((name) => `, ${name}`)
    .join('');
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': `Accept, Authorization, Content-Type, DPoP, Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, Mcp-Session-Id${names}`,
    'access-control-max-age': '600',
  });
  response.end();
}

/** Headers of 2026-07-28 repeat what proxies route by ("Server Validation"). */
function compareHeaders(http: IncomingMessage, call: Request, revision: string, server: Server): void {
  const { method, params } = call;
  compareHeader('MCP-Protocol-Version', revision, readHeader(http, 'mcp-protocol-version'));
  compareHeader('Mcp-Method', method, readHeader(http, 'mcp-method'));
  const { nameParam } = server.methods.get(method) ?? {};
  const name = nameParam === undefined ? undefined : params[nameParam];
  if (typeof name === 'string')
    compareHeader('Mcp-Name', name, decodeHeader('Mcp-Name', readHeader(http, 'mcp-name')));
}

export function compareHeader(name: string, stated: unknown, sent: string | undefined): void {
  // `42.0` equals 42.
  const isNumber = typeof stated === 'number' && /^-?\d+(?:\.\d+)?$/.test(sent ?? '');
  const text = typeof stated === 'string' || stated === undefined ? stated : writeJson(stated);
  if (isNumber ? Number(sent) === stated : sent === text) return;
  const fault = sent === undefined ? 'is missing' : 'does not say what the body says';
  throw new RpcError(HEADER_MISMATCH, `The header \`${name}\` ${fault}.`, { status: 400 });
}

/** "Value Encoding". Two texts must not encode one value, so Base64 must be canonical. */
export function decodeHeader(name: string, value: string | undefined): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value ?? '')?.[1];
  const bytes = Buffer.from(encoded ?? '', 'base64');
  const isCanonical = encoded === undefined || (bytes.toString('base64') === encoded && isUtf8(bytes));
  if (isCanonical && /^[\t\x20-\x7e]*$/.test(value ?? ''))
    return encoded === undefined ? value : bytes.toString('utf8');
  throw new RpcError(HEADER_MISMATCH, `The header \`${name}\` is not encoded as it must be.`, {
    status: 400,
  });
}

/** Whom limits count. A client with one IPv6 address has its whole /64, so only that counts. */
function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [start = [], end = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array<string>(8 - start.length - end.length).fill('0');
  return [...start, ...zeros, ...end].slice(0, 4).join(':');
}

const remoteAddress = ({ socket }: IncomingMessage): string => plainAddress(socket.remoteAddress ?? '');

/** Without the prefix that IPv4 addresses have on an IPv6 socket, and without the interface of a link-local one. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)|%.*$/gi, '');

// The server that listens.

export const splitList = (text = ''): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

export function readHttpOptions({ flags, env }: Server): HttpOptions & { port: number; drainMs: number } {
  const { value: host = '127.0.0.1' } = getSetting(flags, env, 'host', '');
  const { value: path = '/mcp' } = getSetting(flags, env, 'path', '');
  if (!/^\/[^\s?#]*$/.test(path) || PROBES.includes(path))
    throw new UsageError(`--path must begin with a slash, without blanks, ? and #, not ${path}.`);
  return {
    host: host.replace(/^\[(.*)\]$/, '$1'),
    path,
    port: parseInteger(getSetting(flags, env, 'port', 'PORT'), 0, 65_535) ?? 3000,
    allowedOrigins: splitList(env['MCP_ALLOWED_ORIGINS']).map(parseOrigin),
    allowedHosts: splitList(env['MCP_ALLOWED_HOSTS']).map(parseHost),
    drainMs: parseInteger(getSetting(flags, env, '', 'MCP_DRAIN_DELAY_MS'), 0, 3_600_000) ?? 0,
  };
}

/** Written as browsers do. `URL` itself gives no origin for schemes such as `vscode-webview:`. */
function parseOrigin(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const origin = `${url?.protocol}//${url?.host}`;
  if (url?.href.replace(/\/$/, '') === origin && !origin.includes('*')) return origin;
  throw new UsageError(`MCP_ALLOWED_ORIGINS must hold origins such as https://app.example, not ${value}.`);
}

function parseHost(value: string): string {
  const name = PLAIN_HOST.test(value) ? hostnameOf(`http://${value}`) : '';
  if (name === '') throw new UsageError(`MCP_ALLOWED_HOSTS must hold names without ports, not ${value}.`);
  return name;
}

/** A part of the kind `listener`: makes another server than that of plain HTTP, or none. */
export type MakeListener = (
  server: Server,
  options: ListenOptions,
  take: RequestListener,
) => Promise<HttpServer | undefined>;

async function serveHttp(server: Server, stop: Promise<void>, tell: (text: string) => void): Promise<void> {
  const options = readHttpOptions(server);
  const { host, port, path, drainMs } = options;
  const handle = createHttpHandler(server, options);
  const limits = {
    maxHeaderSize: LIMITS.headerBytes,
    headersTimeout: LIMITS.headersMs,
    handshakeTimeout: LIMITS.headersMs,
    requestTimeout: LIMITS.requestMs,
    keepAliveTimeout: LIMITS.idleConnectionMs,
    connectionsCheckingInterval: LIMITS.headersMs / 2,
    // Else the first of two `Host` or `Authorization` fields would be used here, maybe the last by a proxy.
    joinDuplicateHeaders: true,
    // Node's own refusal would still serve the requests sent behind it.
    requireHostHeader: false,
  };
  const latest = new WeakMap<Socket, ServerResponse>();
  const pipelined = new WeakMap<Socket, number>();
  const takeInTurn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { socket } = request;
    const before = latest.get(socket);
    latest.set(socket, response);
    if (before?.closed === false) {
      const waiting = (pipelined.get(socket) ?? 0) + 1;
      pipelined.set(socket, waiting);
      if (waiting > LIMITS.pipelinedRequests) return void socket.destroy();
      await new Promise((resolve) => before.once('close', resolve));
      pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1);
    }
    // What comes behind an answer that closes the connection is no request (RFC 9112, section 9.6).
    if (before?.shouldKeepAlive === false) return void socket.destroy();
    if (server.isDraining) response.shouldKeepAlive = false;
    // HTTP/1.0 has no chunks: a proxy in front may have read them as another request (RFC 9112, section 6.1).
    if (request.httpVersion === '1.0' && request.headers['transfer-encoding'] !== undefined)
      return void response.writeHead(400, { connection: 'close' }).end();
    await handle(request, response);
  };
  const take: RequestListener = (request, response) => void takeInTurn(request, response);
  const [makeListener] = server.features.flatMap(({ parts }) => Object.values(parts?.['listener'] ?? {}));
  // A start over stdio is faster without.
  const { createServer } = await import('node:http');
  const listener =
    (await (makeListener as MakeListener | undefined)?.(server, limits, take)) ?? createServer(limits, take);
  const isSecure = 'setSecureContext' in listener;
  // Node would silently drop headers beyond a count; their bytes are bounded.
  listener.maxHeadersCount = 0;
  listener.maxConnections = LIMITS.connections;
  listener.on('drop', () => server.observeRefusal(503));
  // Node doesn't take a connection without any request for idle.
  const sockets = new Set<Socket>();
  listener.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  for (const { listen } of server.features) listen?.(listener, take);
  await new Promise<void>((resolve, reject) => {
    listener.once('error', (error: NodeJS.ErrnoException) => {
      error.message = `${host}:${port} can't be used (${error.code}). Choose another by --port or --host.`;
      reject(error);
    });
    listener.listen(port, host, resolve);
  });
  const { port: boundPort } = listener.address() as { port: number };
  tell(`serving ${isSecure ? 'https' : 'http'}://${bracketed(host)}:${boundPort}${path}`);
  if (!isLoopback(host) && server.features.every(({ admit }) => admit === undefined))
    tell(
      `warning: bound to ${host}: whoever can reach it may call every tool, with the credentials of this server. Bind to 127.0.0.1, or let a proxy ask who they are.`,
    );
  await stop;
  server.isDraining = true;
  if (drainMs > 0) {
    tell(`draining: /readyz answers 503, and requests are taken for ${drainMs} ms more`);
    await sleep(drainMs);
  }
  server.beginStopping();
  tell('stopping');
  handle.stop();
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  const closed = new Promise((resolve) => listener.close(resolve));
  const cut = setTimeout(() => {
    handle.end();
    listener.closeAllConnections();
  }, LIMITS.httpDrainMs);
  // A connection that was busy when listening stopped becomes idle later.
  const sweep = setInterval(() => listener.closeIdleConnections(), 50);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
  handle.end();
}
