// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Streamable HTTP, both eras at one endpoint: a `(request, response)` handler, and the server that listens for it. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Server as HttpServer, ServerOptions as ListenOptions } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller, EventStream, Feature, HttpExchange, RouteExchange } from './feature.ts';
import type { ServerDefinition, StreamLog, Upload, Watch } from './feature.ts';
import { HEADER_MISMATCH, INTERNAL_ERROR, INVALID_REQUEST, LEGACY_REVISIONS } from './json-rpc.ts';
import { isModernRequest, isRecord, limitReached, METHOD_NOT_FOUND, MODERN_REVISIONS } from './json-rpc.ts';
import { type Notification, ownMember, parseBytes, readMessage, type Request, RpcError } from './json-rpc.ts';
import { writeJson } from './json-rpc.ts';
import { essence } from './request.ts';
import { errorReply, fitMessage, type Reply, Server, type ServerOptions } from './server.ts';
import { type Exchange, Session } from './session.ts';
import { getSetting, LIMITS, parseInteger, type Setting } from './settings.ts';
import { type Env, UsageError } from './types.ts';

const SETTINGS: readonly Setting[] = [
  { flag: 'port', value: 'n', variable: 'PORT', help: 'HTTP port; 0 is any free one.', default: '3000' },
  { flag: 'host', value: 'address', help: '0.0.0.0 lets other machines in.', default: '127.0.0.1' },
  { flag: 'path', value: 'path', help: 'HTTP path of the endpoint.', default: '/mcp' },
  { variable: 'MCP_ALLOWED_ORIGINS', help: 'Web pages that may call, as https://app.example,…' },
  {
    variable: 'MCP_ALLOWED_HOSTS',
    help: 'Host names that requests may use. Default: any; on loopback, those of this machine.',
  },
  { variable: 'MCP_TRUSTED_PROXIES', help: 'Addresses or blocks whose X-Forwarded-For names the client.' },
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
  proxies?: BlockList | undefined;
}

/** Handles requests of any Node server. */
export interface HttpHandler {
  /** `body`: what a parser has read of the request. */
  (request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void>;
  /** Takes an `upgrade` of the server. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  /** Ends the streams that wait for messages; requests in flight go on. */
  stop(): void;
  /** Ends all sessions, and what is in flight. */
  end(): void;
}

const PROBES = ['/healthz', '/livez', '/readyz'];
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};
const JSON_HEADERS = { ...SECURITY_HEADERS, 'content-type': 'application/json' };
const EVENT_HEADERS = {
  ...SECURITY_HEADERS,
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // Proxies of the nginx family hold streams back otherwise.
  'x-accel-buffering': 'no',
};

/** `MCP_WELL_KNOWN_<NAME>`: directories check by such a text to whom a domain belongs. */
function findWellKnownText(path: string, env: Env): string | undefined {
  const [, name] = /^\/\.well-known\/([\w-]+)$/.exec(path) ?? [];
  return name && env[`MCP_WELL_KNOWN_${name.toUpperCase().replaceAll('-', '_')}`];
}

/** `connection: close` leaves an unread body behind. */
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

interface Upgraded {
  socket: Duplex;
  head: Buffer;
}

export function createHttpHandler(server: Server, options: HttpOptions): HttpHandler {
  /** Those with ids. */
  const sessions = new Map<string, HttpSession>();
  /** Of all transports over HTTP, those used longest ago first. */
  const openSessions = new Set<Session>();
  /** Requests of 2026-07-28, each a session of its own. Those that have ended are forgotten when the next one comes. */
  const requests = new Set<Session>();
  /** Bodies that are not complete, or whose requests are not answered, oldest first. */
  const uploads = new Set<Upload>();
  /** Clients have not read all of these. */
  const unread = new Set<{ readonly writableLength: number }>();
  server.gauges.set('mcp_sessions', () => sessions.size);
  const isStreaming = ({ stream }: HttpSession): boolean => stream?.isOpen === true;
  server.gauges.set('mcp_streams', () => [...sessions.values()].filter(isStreaming).length);

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    body?: unknown,
    upgraded?: Upgraded,
  ): Promise<void> {
    try {
      await dispatch(request, response, body, upgraded);
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

  /** A refusal is an answer over HTTP, so the socket is that of a response until the route takes it. */
  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => undefined);
    const { ServerResponse } = await import('node:http');
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    response.once('finish', () => {
      const timer = setTimeout(() => socket.destroy(), LIMITS.closeMs).unref();
      socket.once('close', () => clearTimeout(timer)).resume();
      socket.end();
    });
    await handle(request, response, undefined, { socket, head });
  }

  const findRoute = (path: string) =>
    server.features.flatMap(({ routes = [] }) => routes).find((route) => route.path === path);

  async function dispatch(
    request: IncomingMessage,
    response: ServerResponse,
    body: unknown,
    upgraded?: Upgraded,
  ): Promise<void> {
    const { url = '', httpVersion, headers, method = '' } = request;
    const [path = ''] = url.split('?', 1);
    if (!httpVersion.startsWith('1.'))
      throw refusal(505, 'Only HTTP/1.1 is spoken here.', { connection: 'close' });
    if (httpVersion === '1.1' && headers.host === undefined)
      throw refusal(400, '`Host` is missing.', { connection: 'close' });
    if (url.length > LIMITS.targetBytes)
      throw refusal(414, `The target has more than ${LIMITS.targetBytes} bytes.`);
    // Probes use an IP address as `Host`, and the answers reveal nothing.
    if (PROBES.includes(path)) {
      requireMethod(method, ['GET', 'HEAD']);
      const isDraining = path === '/readyz' && server.isDraining;
      const status = isDraining ? 'draining' : path === '/readyz' ? 'ready' : 'ok';
      const health = path === '/readyz' ? [...server.health].map(([name, read]) => [name, read()]) : [];
      const body = JSON.stringify({ status, ...Object.fromEntries(health) });
      return void response.writeHead(isDraining ? 503 : 200, JSON_HEADERS).end(body);
    }
    const wellKnownText = findWellKnownText(path, server.env);
    if (wellKnownText) {
      requireMethod(method, ['GET', 'HEAD']);
      const textHeaders = { ...SECURITY_HEADERS, 'content-type': 'text/plain; charset=utf-8' };
      return void response.writeHead(200, textHeaders).end(wellKnownText);
    }
    const route = findRoute(path);
    checkHost(headers.host, options);
    if (route?.isOpen === true) response.setHeader('access-control-allow-origin', '*');
    else checkOrigin(request, response, options);
    if (route === undefined && path !== options.path)
      throw refusal(404, `Nothing is served here. The endpoint is ${options.path}.`);
    if (method === 'OPTIONS') return answerPreflight(request, response);
    const exchange = { request, response, path, address: clientAddress(request, options.proxies) };
    if (upgraded !== undefined) {
      if (route?.upgrade === undefined) throw refusal(400, 'This connection can not be upgraded here.');
      route.checkUpgrade?.(request);
    }
    const admitting = server.features.find(({ admit }) => admit !== undefined);
    const caller = route?.isOpen === true ? undefined : await admitting?.admit?.(exchange);
    if (upgraded !== undefined) {
      const { socket, head } = upgraded;
      if (socket.destroyed) return;
      const routeExchange = toRouteExchange(exchange, caller);
      const opened = await routeExchange.openSession();
      response.detachSocket(socket as Socket);
      return route?.upgrade?.({ ...routeExchange, openSession: async () => opened }, socket, head);
    }
    if (route !== undefined) {
      if (route.handle !== undefined) return route.handle(toRouteExchange(exchange, caller));
      throw refusal(426, 'Only WebSocket is served here.', { upgrade: 'websocket' });
    }
    if (method === 'POST') return post(exchange, caller, body);
    const isSessionless = server.services.sessions.agreeAlone !== undefined;
    requireMethod(method, isSessionless ? ['POST', 'OPTIONS'] : ['GET', 'POST', 'DELETE', 'OPTIONS']);
    const version = readHeader(request, 'mcp-protocol-version');
    if (MODERN_REVISIONS.some((revision) => revision === version))
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
    const lastEventId = readHeader(request, 'last-event-id');
    const stream: ResponseStream = new ResponseStream(response, unread, {
      begin: (): StreamLog | undefined => events?.begin(session, stream),
      watch: (end) => caller?.watch?.(end, session),
    });
    const isResumed = await events?.resume(session, lastEventId, stream, caller);
    if (isResumed !== true) session.listen(stream);
    session.sendWaiting();
  }

  function toRouteExchange(exchange: HttpExchange, caller: Caller | undefined): RouteExchange {
    const { request, response } = exchange;
    const client = caller?.subject ?? exchange.address;
    return {
      ...exchange,
      ...{ caller, client, unread },
      readBody: () => readBody(request, response, client),
      beginUpload: (refuse) => beginUpload(client, refuse),
      openStream: () => new ResponseStream(response, unread, {}),
      openSession: async () => {
        const session = await makeRoom(client, new Session());
        const release = caller?.watch?.(() => session.end(), session);
        if (release !== undefined) session.onEnd(release);
        return Object.assign(session, { caller });
      },
    };
  }

  async function post(exchange: HttpExchange, caller: Caller | undefined, body: unknown): Promise<void> {
    const { request, response, address } = exchange;
    // Express hands over `next` where others have the body.
    const isParsed = body !== undefined && typeof body !== 'function';
    const client = caller?.subject ?? address;
    const bytes = isParsed ? undefined : await readBody(request, response, client);
    const unreadBytes = [...unread].reduce((sum, { writableLength }) => sum + writableLength, 0);
    if (unreadBytes > LIMITS.unreadBytes) throw noRoom('answers that their clients do not read');
    checkBodyType(request);
    checkAccept(request, ['application/json', 'text/event-stream']);
    const value = bytes === undefined ? body : parseBytes(bytes);
    const message = Array.isArray(value) ? undefined : readMessage(value);
    // The id of a response is that of a request of this server.
    const id = message?.kind === 'request' || message?.kind === 'invalid' ? message.id : undefined;
    const version = readHeader(request, 'mcp-protocol-version');
    const call = message?.kind === 'request' || message?.kind === 'notification' ? message : undefined;
    const isModern = call !== undefined && isModernRequest(call, version);
    const stream: ResponseStream = new ResponseStream(response, unread, {
      begin: () => {
        const { events } = server.services;
        return isModern || !(session instanceof HttpSession) ? undefined : events?.begin(session, stream);
      },
      watch: (end) => caller?.watch?.(end),
    });
    let silence: NodeJS.Timeout | undefined;
    const answer = (reply: Reply | undefined): void => {
      clearTimeout(silence);
      writeReply(stream, reply, isModern);
    };
    let session: Session | undefined;
    try {
      if (message?.kind === 'invalid') throw refusal(400, message.reason);
      // A client of 2026-07-28 cancels a request by closing its stream, so notifications have no effect.
      if (isModern && call.kind === 'notification') return answer(undefined);
      const hasSession = request.headers['mcp-session-id'] !== undefined;
      const isOpening = !isModern && call?.method === 'initialize' && id !== undefined && !hasSession;
      const { agreeAlone } = server.services.sessions;
      if (isModern || agreeAlone !== undefined) session = beginRequest(client, response);
      else session = await (isOpening ? makeRoom(client, new HttpSession()) : findSession(request, caller));
      if (!isModern && agreeAlone !== undefined && call?.method !== 'initialize') {
        session.agreement = agreeAlone(version);
        session.isReady = true;
        if (id === undefined && !Array.isArray(value)) return answer(undefined);
      }
      const exchange: Exchange = {
        session: Object.assign(session, { caller, client }),
        caller,
        request,
        sessionId: session instanceof HttpSession ? session.id : undefined,
        send: (sent) => stream.send(fitMessage(writeJson(sent))),
        stream,
        headerVersion: version,
        compareHeaders: (...compared) => compareHeaders(request, ...compared),
      };
      // Proxies close a connection that is silent for long.
      if (id !== undefined && !isOpening)
        silence = setTimeout(() => openIfAdmitted(stream), LIMITS.keepAliveMs).unref();
      const reply = await (message === undefined
        ? server.receiveBatch(value as unknown[], exchange)
        : server.receive(message, exchange));
      if (isOpening && session instanceof HttpSession) {
        if (reply?.error !== undefined) session.end();
        else {
          hold(server.services.sessions.issueId(session), session);
          response.setHeader('mcp-session-id', session.id);
        }
      }
      // The stream of a request that was cancelled ends without an answer.
      if (reply === undefined && call !== undefined && id !== undefined) stream.open();
      answer(reply);
    } catch (thrown) {
      if (!(thrown instanceof RpcError)) throw thrown;
      server.observeRefusal(thrown.status);
      answer(errorReply(id, thrown));
    }
  }

  function openIfAdmitted(stream: ResponseStream): void {
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
    unread.add(response);
    const timer = setTimeout(() => response.destroy(), LIMITS.unreadMs).unref();
    response.once('close', () => {
      unread.delete(response);
      clearTimeout(timer);
    });
  }

  function readBody(request: IncomingMessage, response: ServerResponse, client: string): Promise<Buffer> {
    const close = { connection: 'close' };
    const tooLong = refusal(413, `The message is longer than ${LIMITS.bodyBytes} bytes.`, close);
    if (Number(request.headers['content-length']) > LIMITS.bodyBytes) throw tooLong;
    const chunks: Buffer[] = [];
    const upload = beginUpload(client);
    response.once('close', upload.end);
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      upload.add(chunk.length);
      if (upload.bytes > LIMITS.bodyBytes) upload.refuse?.(tooLong);
    };
    return new Promise<Buffer>((resolve, reject) => {
      upload.refuse = (error) => {
        upload.end();
        reject(error);
      };
      request.on('data', take).once('end', () => resolve(Buffer.concat(chunks)));
      request.once('close', () => reject(refusal(400, 'The body broke off.')));
    }).finally(() => {
      upload.refuse = undefined;
      // Destroying the request would take its connection from the answer.
      request.off('data', take).resume();
    });
  }

  function beginUpload(client: string, refuse?: (error: Error) => void): Upload {
    const upload: Upload = {
      ...{ client, bytes: 0, refuse },
      add: (bytes) => {
        upload.bytes += bytes;
        if (bytes > 0) boundUploads();
      },
      end: () => void uploads.delete(upload),
    };
    uploads.add(upload);
    return upload;
  }

  /** Over the limit, of the clients with unfinished bodies the one that holds most loses its newest: one client can't keep out the others. */
  function boundUploads(): void {
    const sums = new Map<string, number>();
    let total = 0;
    for (const { client, bytes } of uploads) {
      total += bytes;
      sums.set(client, (sums.get(client) ?? 0) + bytes);
    }
    if (total <= LIMITS.unfinishedBytes) return;
    const unfinished = [...uploads].filter(({ refuse, bytes }) => refuse !== undefined && bytes > 0);
    const most = Math.max(...unfinished.map(({ client }) => sums.get(client) ?? 0));
    unfinished.findLast(({ client }) => sums.get(client) === most)?.refuse?.(noRoom('requests'));
    if (unfinished.length > 1) boundUploads();
  }

  /** A request of 2026-07-28 ends with its connection, but counts until its handler has ended. */
  function beginRequest(client: string, response: ServerResponse): Session {
    let count = 0;
    for (const request of requests) {
      if (request.inFlight.size === 0) requests.delete(request);
      else if (request.client === client) count++;
    }
    if (count >= LIMITS.requestsInFlight)
      throw limitReached(`${LIMITS.requestsInFlight} requests of your address are at work already.`, 1);
    const session = new Session();
    requests.add(session);
    response.once('close', () => session.end());
    return session;
  }

  /** Where there is no room, the session ends that was used longest ago, of those that nobody uses: of this client, or of one that has more. Signed ones come back. */
  async function makeRoom<T extends Session>(client: string, session: T, isNew = true): Promise<T> {
    if (isNew) await server.count(client);
    if (server.isStopping) throw refusal(503, 'The server is stopping.');
    const counts = new Map<string, number>();
    for (const open of openSessions) counts.set(open.client, (counts.get(open.client) ?? 0) + 1);
    const count = counts.get(client) ?? 0;
    const endOldest = (owner?: string): boolean => {
      const oldest = [...openSessions].find(
        (open) => isIdle(open) && (owner === undefined || open.client === owner),
      );
      oldest?.end();
      return oldest !== undefined;
    };
    const isFull = openSessions.size >= LIMITS.sessions;
    const makeRoomForAll = (): boolean => {
      if (server.services.sessions.revive !== undefined) return endOldest();
      const [owner, most = 0] = [...counts].sort((one, other) => other[1] - one[1])[0] ?? [];
      return most > count + 1 && endOldest(owner);
    };
    if (count >= LIMITS.sessionsPerClient ? !endOldest(client) : isFull && !makeRoomForAll())
      throw isFull
        ? refusal(503, 'Too many sessions are open. Try again later.', { 'retry-after': '60' })
        : limitReached(`${count} sessions of your address are open already.`, 60);
    Object.assign(session, { client, logLevel: server.settings.logLevel });
    openSessions.add(session);
    session.onEnd(() => openSessions.delete(session));
    return session;
  }

  function isIdle(session: Session): boolean {
    return session instanceof HttpSession && session.inFlight.size === 0 && session.stream?.isOpen !== true;
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
    openSessions.delete(session);
    openSessions.add(session);
    return session;
  }

  async function revive(id: string, caller: Caller | undefined, request: IncomingMessage) {
    const agreement = await server.services.sessions.revive?.(id, caller);
    // Another request may have just revived it.
    if (agreement === undefined || sessions.has(id)) return sessions.get(id);
    const client = caller?.subject ?? clientAddress(request, options.proxies);
    const session = await makeRoom(client, new HttpSession(), false);
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
    upgrade,
    stop: () => openSessions.forEach(endWhenIdle),
    end: () => openSessions.forEach((session) => session.end()),
  });
}

class HttpSession extends Session {
  /** Once it has been initialized. */
  id = '';
  /** That of GET. */
  stream: EventStream | undefined;
  /** Equal notifications wait once for it. */
  readonly #waitingTexts = new Set<string>();
  /** Ends a session that nobody uses. */
  readonly idleTimer: NodeJS.Timeout = setTimeout(() => {
    if (this.inFlight.size > 0 || this.stream?.isOpen === true) this.idleTimer.refresh();
    else this.end();
  }, LIMITS.sessionIdleMs).unref();

  override push = (message: Notification): void => {
    const text = fitMessage(writeJson(message));
    if (this.stream?.isOpen === true) return void this.stream.send(text);
    this.#waitingTexts.add(text);
    let bytes = [...this.#waitingTexts].reduce((sum, one) => sum + one.length, 0);
    // A client that never listens must not fill the memory: the oldest are dropped.
    for (const oldest of this.#waitingTexts) {
      if (bytes <= LIMITS.waitingBytes) break;
      this.#waitingTexts.delete(oldest);
      bytes -= oldest.length;
    }
  };

  /** A newer GET takes the stream over. */
  override listen = (stream: EventStream): void => {
    if (stream.response.destroyed) return;
    if (this.stream !== undefined) return this.stream.attach(stream);
    stream.open();
    this.stream = stream;
  };

  sendWaiting(): void {
    if (this.stream?.isOpen !== true) return;
    for (const text of this.#waitingTexts) void this.stream.send(text);
    this.#waitingTexts.clear();
  }

  override end(): void {
    clearTimeout(this.idleTimer);
    super.end();
    this.stream?.end();
  }
}

class ResponseStream implements EventStream {
  response: ServerResponse;
  watch: Watch | undefined;
  readonly unread: RouteExchange['unread'];
  readonly #begin: (() => StreamLog | undefined) | undefined;
  #log: StreamLog | undefined;
  #drained: Promise<void> | undefined;
  hasBegun = false;
  hasEnded = false;
  isOpen = false;

  constructor(
    response: ServerResponse,
    unread: RouteExchange['unread'],
    { begin, watch }: { begin?: () => StreamLog | undefined; watch?: Watch },
  ) {
    this.response = response;
    this.unread = unread;
    this.#begin = begin;
    this.watch = watch;
  }

  /** @throws {RpcError} if the caller may not hear it */
  open(): void {
    if (this.response.destroyed || this.hasBegun) return;
    this.#writeHead(this);
    this.#log = this.#begin?.();
    if (this.#log?.place !== undefined) this.writePlace(this.#log.place);
  }

  attach(stream: EventStream): void {
    const before = this.response;
    this.#writeHead(stream);
    before.end();
  }

  #writeHead({ response, watch }: Pick<EventStream, 'response' | 'watch'>): void {
    const release = watch?.(() => this.end());
    this.response = response;
    this.hasBegun = this.isOpen = true;
    response.writeHead(200, EVENT_HEADERS).flushHeaders();
    const timer = setInterval(() => {
      if (!response.writableEnded) response.write(':\n\n');
    }, LIMITS.keepAliveMs).unref();
    response.once('close', () => {
      if (this.response === response) this.isOpen = false;
      release?.();
      clearInterval(timer);
    });
  }

  writePlace(id: string): void {
    this.response.write(`id: ${id}\nretry: 1000\ndata: \n\n`);
  }

  /** A client that reads too slowly is cut off, so that it notices that something is missing. */
  async send(text: string): Promise<void> {
    if (!this.hasBegun) this.open();
    await this.write('message', text, this.#log?.append(text));
  }

  async write(event: string, text: string, id?: string): Promise<void> {
    const response = this.response;
    if (response.destroyed || response.writableEnded) return;
    if (!this.hasBegun) this.open();
    if (response.writableLength > LIMITS.streamBytes) return void response.destroy();
    const place = id === undefined ? '' : `id: ${id}\n`;
    if (response.write(`event: ${event}\n${place}data: ${text}\n\n`)) return;
    this.unread.add(response);
    this.#drained ??= new Promise<void>((resolve) => {
      const settle = (): void => {
        response.off('drain', settle).off('close', settle);
        this.unread.delete(response);
        this.#drained = undefined;
        resolve();
      };
      response.on('drain', settle).on('close', settle);
    });
    await this.#drained;
  }

  leave(): void {
    this.isOpen = false;
    this.response.end();
  }

  end(): void {
    this.hasEnded = true;
    this.#log?.end();
    this.leave();
  }
}

// What a request must be.

function noRoom(of: string): RpcError {
  const headers = { 'retry-after': '1', connection: 'close' };
  return refusal(503, `Too many bytes of ${of} wait here. Try again later.`, headers);
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
  const isWanted = (range: string): boolean => !/;\s*q=0(?:\.0{0,3})?\s*$/i.test(range);
  const wanted = new Map(ranges.map((range) => [essence(range), isWanted(range)]));
  const isAccepted = (type: string): boolean =>
    wanted.get(type) ?? wanted.get(type.replace(/\/.*/, '/*')) ?? wanted.get('*/*') ?? false;
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
  const requested = splitList(readHeader(request, 'access-control-request-headers'));
  const names = [
    'Accept, Authorization, Content-Type, DPoP, Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, Mcp-Session-Id',
    ...requested.filter((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name)),
  ];
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': names.join(', '),
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
  if (typeof name !== 'string') return;
  compareHeader('Mcp-Name', name, decodeHeader('Mcp-Name', readHeader(http, 'mcp-name')));
  if (method !== 'tools/call') return;
  for (const { header, path } of server.catalog.mirroredArguments(name)) {
    const argument = path.reduce<unknown>(
      (holder, key) => (isRecord(holder) ? ownMember(holder, key) : undefined),
      params['arguments'],
    );
    const sent = decodeHeader(header, readHeader(http, header.toLowerCase()));
    compareHeader(header, argument ?? undefined, sent);
  }
}

function compareHeader(name: string, stated: unknown, sent: string | undefined): void {
  // `42.0` equals 42.
  const isNumber = typeof stated === 'number' && /^-?\d+(?:\.\d+)?$/.test(sent ?? '');
  const text = typeof stated === 'string' || stated === undefined ? stated : writeJson(stated);
  if (isNumber ? Number(sent) === stated : sent === text) return;
  throw headerMismatch(name, sent === undefined ? 'is missing' : 'does not say what the body says');
}

/** "Value Encoding". Two texts must not encode one value, so Base64 must be canonical. */
function decodeHeader(name: string, value: string | undefined): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value ?? '')?.[1];
  const bytes = Buffer.from(encoded ?? '', 'base64');
  const isCanonical = encoded === undefined || (bytes.toString('base64') === encoded && isUtf8(bytes));
  if (isCanonical && /^[\t\x20-\x7e]*$/.test(value ?? ''))
    return encoded === undefined ? value : bytes.toString('utf8');
  throw headerMismatch(name, 'is not encoded as it must be');
}

function headerMismatch(name: string, fault: string): RpcError {
  return new RpcError(HEADER_MISMATCH, `The header \`${name}\` ${fault}.`, { status: 400 });
}

/** A client with one IPv6 address has its whole /64, so only that counts. `X-Forwarded-For` is read from the right: anyone can write the rest. */
function clientAddress({ socket, headers }: IncomingMessage, proxies: BlockList | undefined): string {
  const hops = splitList(String(headers['x-forwarded-for'] ?? '')).slice(-20);
  let address = plainAddress(socket.remoteAddress ?? '');
  const isTrusted = (): boolean =>
    isIP(address) !== 0 && proxies?.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') === true;
  while (isTrusted() && hops.length > 0) {
    const hop = plainAddress(hops.pop() ?? '');
    if (isIP(hop) === 0) break;
    address = hop;
  }
  if (isIP(address) !== 6) return address;
  const [start = [], end = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array<string>(8 - start.length - end.length).fill('0');
  return [...start, ...zeros, ...end].slice(0, 4).join(':');
}

/** Without the prefix that IPv4 addresses have on an IPv6 socket, and without the interface of a link-local one. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)|%.*$/gi, '');

// The server that listens.

/**
 * A server may ignore `Upgrade` (RFC 9110, section 7.8), and clients that try `h2c` count on it. Node takes the request for the last one
 * on its connection, so it is read again without that header.
 */
function ignoreUpgrade(listener: HttpServer, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  listener.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket);
}

const splitList = (text = ''): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

export function readHttpOptions({ flags, env }: Server): HttpOptions & { port: number; drainMs: number } {
  const { value: host = '127.0.0.1' } = getSetting(flags, env, 'host', '');
  const { value: path = '/mcp' } = getSetting(flags, env, 'path', '');
  if (!/^\/[^\s?#]*$/.test(path) || PROBES.includes(path))
    throw new UsageError(`--path must begin with a slash, without blanks, ? and #, not ${path}.`);
  const blocks = splitList(env['MCP_TRUSTED_PROXIES']);
  return {
    host: host.replace(/^\[(.*)\]$/, '$1'),
    path,
    port: parseInteger(getSetting(flags, env, 'port', 'PORT'), 0, 65_535) ?? 3000,
    allowedOrigins: splitList(env['MCP_ALLOWED_ORIGINS']).map(parseOrigin),
    allowedHosts: splitList(env['MCP_ALLOWED_HOSTS']).map(parseHost),
    proxies: blocks.length === 0 ? undefined : parseBlocks(blocks),
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

function parseBlocks(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = '', length] = block.split('/');
    const isV6 = isIP(address) === 6;
    try {
      // 0 would be everybody, and so would `Number('')`.
      list.addSubnet(address, Number(length ?? (isV6 ? 128 : 32)) || NaN, isV6 ? 'ipv6' : 'ipv4');
    } catch {
      throw new UsageError(`MCP_TRUSTED_PROXIES must hold addresses or blocks, not ${block}.`);
    }
  }
  return list;
}

/** A part of the kind `listener`: makes another server than that of plain HTTP, or none. */
export type MakeListener = (
  server: Server,
  options: ListenOptions,
  take: RequestListener,
) => Promise<HttpServer | undefined>;

async function serveHttp(server: Server, stop: Promise<void>, tell: (words: string) => void): Promise<void> {
  const options = readHttpOptions(server);
  const { host, port, path, drainMs } = options;
  const handle = createHttpHandler(server, options);
  /** Connections without a request so far, which Node does not take for idle. */
  const silentSockets = new Set<Socket>();
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
  const takeInTurn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    silentSockets.delete(request.socket);
    const before = latest.get(request.socket);
    latest.set(request.socket, response);
    if (before?.closed === false) await new Promise((resolve) => before.once('close', resolve));
    // What comes behind an answer that closes the connection is no request (RFC 9112, section 9.6).
    if (before?.shouldKeepAlive === false) return void request.socket.destroy();
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
  listener.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
    silentSockets.add(socket);
    socket.once('close', () => silentSockets.delete(socket));
  });
  listener.on('drop', () => server.observeRefusal(503));
  // Without a listener Node answers such requests like any other.
  if (server.features.some(({ routes = [] }) => routes.some(({ upgrade }) => upgrade !== undefined)))
    listener.on('upgrade', (request, socket, head) => {
      silentSockets.delete(socket as Socket);
      if (/\bwebsocket\b/i.test(request.headers.upgrade ?? '')) void handle.upgrade(request, socket, head);
      else ignoreUpgrade(listener, request, socket, head);
    });
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
  const closed = new Promise((resolve) => listener.close(resolve));
  for (const socket of silentSockets) socket.destroy();
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
