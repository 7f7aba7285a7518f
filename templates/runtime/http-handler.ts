// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Streamable HTTP, both eras at one endpoint: a `(request, response)` handler. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { HttpExchange } from './feature.ts';
import { type HttpOptions, PROBES, splitList } from './http.ts';
import { HEADER_MISMATCH, INTERNAL_ERROR, INVALID_REQUEST, LEGACY_REVISIONS } from './json-rpc.ts';
import { isModernRequest, isRecord, limitReached, META, METHOD_NOT_FOUND } from './json-rpc.ts';
import { MODERN_REVISIONS, ownMember, parseBytes, readMessage, type Request, RpcError } from './json-rpc.ts';
import { unsupportedVersion, writeJson } from './json-rpc.ts';
import { essence } from './request.ts';
import { errorReply, fitMessage, type Reply, type Server } from './server.ts';
import { type EventStream, type Exchange, HeldBytes, SECURITY_HEADERS, Session } from './session.ts';
import type { Watch } from './session.ts';
import { LIMITS } from './settings.ts';

/** Handles requests of any Node server. */
export interface HttpHandler {
  /** `body`: what a parser has read of the request. */
  (request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void>;
  /** Ends the streams that wait for messages; requests in flight go on. */
  stop(): void;
  /** Counts the requests that have no answer yet; their clients may be gone. */
  countRequests(): number;
  /** Ends all sessions. */
  end(): void;
}

const JSON_HEADERS = { ...SECURITY_HEADERS, 'content-type': 'application/json' };

/** The rest of a body stays unread, and the connection ends. */
const CLOSE = { connection: 'close' };

export function refusal(status: number, message: string, headers: Record<string, string> = {}): RpcError {
  return new RpcError(INVALID_REQUEST, message, { status, headers });
}

export function createHttpHandler(server: Server, options: HttpOptions): HttpHandler {
  const { services } = server;
  const held = new HeldBytes();
  const [readForwarded] = Object.values(server.parts<(request: IncomingMessage) => string>('address'));
  /** Also requests that stand alone. Those used longest ago come first. */
  const open = new Set<Session>();
  const byId = new Map<string, Session>();
  server.gauges.set('mcp_sessions', () => byId.size);
  server.gauges.set('mcp_streams', () => [...byId.values()].filter(({ stream }) => stream?.isOpen).length);

  async function handle(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void> {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const client = networkOf(readForwarded?.(request) ?? plainAddress(request.socket.remoteAddress ?? ''));
    const exchange: HttpExchange = { request, response, path, client, caller: undefined, held, openSession };
    try {
      await dispatch(exchange, body);
    } catch (thrown) {
      const isRefusal = thrown instanceof RpcError;
      if (!isRefusal) server.report(thrown);
      const error = isRefusal ? thrown : new RpcError(INTERNAL_ERROR, 'Internal error.', { status: 500 });
      server.observeRefusal(error.status);
      if (response.headersSent) return void response.end();
      // Node reads this, not the header.
      if (error.headers['connection'] === 'close') response.shouldKeepAlive = false;
      response.writeHead(error.status, { ...JSON_HEADERS, ...error.headers });
      response.end(errorReply(exchange.id, error).text);
    }
  }

  async function dispatch(exchange: HttpExchange, body: unknown): Promise<void> {
    const { request, response, path } = exchange;
    const { url = '', httpVersion, headers, method = '' } = request;
    if (!httpVersion.startsWith('1.')) throw refusal(505, 'Only HTTP/1.1 is spoken here.', CLOSE);
    if (httpVersion === '1.1' && headers.host === undefined) throw refusal(400, '`Host` is missing.', CLOSE);
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
    const admitting = server.features.find(({ admit }) => admit !== undefined);
    if (admitting?.admit !== undefined && route?.isOpen !== true) {
      exchange.caller = await admitting.admit(exchange);
      exchange.client = exchange.caller.subject;
    }
    if (route !== undefined) return route.handle(exchange);
    return method === 'POST' ? post(exchange, body) : listenOrEnd(exchange);
  }

  function answerProbe(method: string, path: string, response: ServerResponse): void {
    requireMethod(method, ['GET', 'HEAD']);
    const isDraining = path === '/readyz' && server.isDraining;
    const status = isDraining ? 'draining' : path === '/readyz' ? 'ready' : 'ok';
    const health = path === '/readyz' ? [...server.health].map(([name, read]) => [name, read()]) : [];
    response.writeHead(isDraining ? 503 : 200, JSON_HEADERS);
    response.end(JSON.stringify({ status, ...Object.fromEntries(health) }));
  }

  async function listenOrEnd(exchange: HttpExchange): Promise<void> {
    const { request, response, caller } = exchange;
    const { method } = request;
    const hasSessions = services.sessions !== undefined;
    requireMethod(method, hasSessions ? ['GET', 'POST', 'DELETE', 'OPTIONS'] : ['POST', 'OPTIONS']);
    const version = readHeader(request, 'mcp-protocol-version') ?? '';
    if (MODERN_REVISIONS.includes(version))
      throw refusal(405, `${version} has POST alone here.`, { allow: 'POST, OPTIONS' });
    if (method === 'GET') checkAccept(request, ['text/event-stream']);
    const session = await findSession(exchange);
    if (method === 'DELETE') {
      await services.sessions?.end?.(session);
      session.end();
      return void response.writeHead(204, SECURITY_HEADERS).end();
    }
    if (server.isStopping) throw stopping();
    const watch: Watch = () => caller?.watch?.(() => stream.end(), session);
    const stream: EventStream = services.streams.make(session, response, held, watch);
    const lastEventId = readHeader(request, 'last-event-id');
    if (!(await services.streams.resume(session, lastEventId, stream, caller))) session.listen(stream);
  }

  async function post(exchange: HttpExchange, body: unknown): Promise<void> {
    const { request, response, caller } = exchange;
    // Express hands over `next` where others have the body.
    const isParsed = body !== undefined && typeof body !== 'function';
    const bytes = isParsed ? undefined : await readBody(exchange);
    if (held.unread > LIMITS.heldBytes) throw noRoom();
    checkBodyType(request);
    checkAccept(request, ['application/json', 'text/event-stream']);
    const value = bytes === undefined ? body : parseBytes(bytes);
    const message = Array.isArray(value) ? undefined : readMessage(value);
    // A response has the id of a question of this server, which no refusal may repeat.
    if (message?.kind === 'request' || message?.kind === 'invalid') exchange.id = message.id;
    if (message?.kind === 'invalid') throw refusal(400, message.reason);
    const isAnswered = message === undefined || message.kind === 'request';
    const incoming = message?.kind === 'response' ? undefined : message;
    const headerVersion = readHeader(request, 'mcp-protocol-version');
    const isModern = incoming !== undefined && isModernRequest(incoming, headerVersion);
    // A client of 2026-07-28 cancels a request by closing its stream, so notifications have no effect.
    if (isModern && !isAnswered) return accept(response);
    if (isModern) compareHeaders(request, incoming, server);

    const { sessions } = services;
    const isAlone = isModern || sessions === undefined;
    const isInitialize = !isModern && isAnswered && incoming?.method === 'initialize';
    const isOpening = isInitialize && !isAlone && request.headers['mcp-session-id'] === undefined;
    if (isOpening) await server.count(exchange.client);
    if (isAlone && response.destroyed) return;
    const session = isAlone || isOpening ? addSession(exchange) : await findSession(exchange);
    session.caller = caller;
    if (isAlone) response.once('close', () => session.end());
    if (isAlone && !isModern && !isInitialize) {
      checkVersion(request);
      // A request without the header is of 2025-03-26 (2025-06-18, "Protocol Version Header").
      const revision = headerVersion ?? '2025-03-26';
      session.agreement = { revision, era: 'legacy', clientInfo: undefined, clientCapabilities: {} };
      session.isReady = true;
      if (!isAnswered) return accept(response);
    }

    const watch: Watch = () => caller?.watch?.(() => stream.end());
    const stream: EventStream = services.streams.make(session, response, held, watch);
    const send: Exchange['send'] = (sent) => stream.send(fitMessage(writeJson(sent)));
    const received: Exchange = { session, caller, request, stream, headerVersion, send };
    const silence = setTimeout(() => openIfAdmitted(stream), LIMITS.keepAliveMs).unref();
    if (!isAnswered || isOpening) clearTimeout(silence);
    const reply = await server.receive(value, received).finally(() => clearTimeout(silence));
    if (isOpening && reply?.error !== undefined) session.end();
    else if (isOpening && sessions !== undefined)
      response.setHeader('mcp-session-id', nameSession(session, sessions.issueId(session)));
    // The stream of a request that was cancelled ends without an answer.
    if (reply === undefined && exchange.id !== undefined) stream.open();
    writeReply(stream, reply, isModern);
  }

  function writeReply(stream: EventStream, reply: Reply | undefined, isModern: boolean): void {
    const { response, hasBegun } = stream;
    if (response.destroyed && !hasBegun) return;
    if (reply === undefined) return hasBegun ? stream.end() : accept(response);
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

  /** For transports of features. Ends with the server. @throws {RpcError} if too many are open */
  async function openSession(exchange: HttpExchange): Promise<Session> {
    await server.count(exchange.client);
    const session = addSession(exchange);
    const release = exchange.caller?.watch?.(() => session.end(), session);
    if (release !== undefined) session.onEnd(release);
    return session;
  }

  /**
   * Makes room if needed, by ending the idle session that was used longest ago: of the client, if it has too many; of all, if they are
   * too many; else one that nobody has used for half an hour. @throws {RpcError} if there is none
   */
  function addSession({ client, caller }: HttpExchange): Session {
    if (server.isStopping) throw stopping();
    const sessions = [...open];
    const hasTooMany = sessions.filter((one) => one.client === client).length >= LIMITS.sessionsPerClient;
    const isFull = hasTooMany || open.size >= LIMITS.sessions;
    const mayEnd = (one: Session): boolean =>
      hasTooMany ? one.client === client : isFull || one.usedAt + LIMITS.sessionIdleMs < Date.now();
    const oldest = sessions.find((one) => isIdle(one) && mayEnd(one));
    if (isFull && oldest === undefined) throw limitReached('Too many sessions or requests are open.', 60);
    oldest?.end();
    const session = Object.assign(new Session(), { client, caller, logLevel: server.settings.logLevel });
    open.add(session);
    session.onEnd(() => forgetWhenDone(session));
    return session;
  }

  /** From now on its client may come back to it. */
  function nameSession(session: Session, id: string): string {
    session.id = id;
    byId.set(id, session);
    // Without a stream, a message is lost.
    session.push = (message) => void session.stream?.send(fitMessage(writeJson(message)));
    session.onEnd(() => {
      byId.delete(id);
      session.stream?.end();
    });
    services.sessions?.hold?.(session);
    return id;
  }

  /** Other callers' sessions are unknown to a caller. @throws {RpcError} */
  async function findSession(exchange: HttpExchange): Promise<Session> {
    const { request, caller } = exchange;
    const id = readHeader(request, 'mcp-session-id');
    if (id === undefined) throw refusal(400, '`Mcp-Session-Id` is missing: `initialize` comes first.');
    const session = byId.get(id) ?? (await revive(id, exchange));
    if (session === undefined || session.caller?.subject !== caller?.subject)
      throw refusal(404, 'The session is unknown or has ended.');
    checkVersion(request);
    session.usedAt = Date.now();
    open.delete(session);
    open.add(session);
    return session;
  }

  async function revive(id: string, exchange: HttpExchange): Promise<Session | undefined> {
    const agreement = await services.sessions?.revive?.(id, exchange.caller);
    // Another request may have just revived it.
    if (agreement === undefined || byId.has(id)) return byId.get(id);
    const session = addSession(exchange);
    session.agreement = agreement;
    nameSession(session, id);
    server.makeReady(session);
    return session;
  }

  /** Handlers that ignore the end of their client count until they end. */
  function forgetWhenDone(session: Session): void {
    if (session.inFlight.size > 0) setTimeout(() => forgetWhenDone(session), 20).unref();
    else open.delete(session);
  }

  function endWhenIdle(session: Session): void {
    session.stream?.end();
    if (session.inFlight.size > 0) setTimeout(() => endWhenIdle(session), 20).unref();
    else setImmediate(() => session.end());
  }

  return Object.assign(handle, {
    stop: () => [...open].forEach(endWhenIdle),
    countRequests: () => [...open].reduce((count, { inFlight }) => count + inFlight.size, 0),
    end: () => [...open].forEach((session) => session.end()),
  });
}

/** A client may come back to it, and doesn't use it now. */
function isIdle({ id, inFlight, stream }: Session): boolean {
  return id !== undefined && inFlight.size === 0 && stream?.isOpen !== true;
}

/** Proxies close a connection that is silent for long. */
function openIfAdmitted(stream: EventStream): void {
  try {
    stream.open();
  } catch {
    // The access has ended meanwhile, as the answer says.
  }
}

function accept(response: ServerResponse): void {
  response.writeHead(202, SECURITY_HEADERS).end();
}

/** @throws {RpcError} if it is too long, or broke off */
export async function readBody({ request, response, held }: HttpExchange): Promise<Buffer> {
  const tooLong = (): RpcError =>
    refusal(413, `The message is longer than ${LIMITS.bodyBytes} bytes.`, CLOSE);
  if (Number(request.headers['content-length']) > LIMITS.bodyBytes) throw tooLong();
  const chunks: Buffer[] = [];
  let size = 0;
  response.once('close', () => (held.uploaded -= size));
  try {
    // Destroying the request would take its connection from the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (response.destroyed) throw new Error();
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      held.uploaded += (chunk as Buffer).length;
      if (size > LIMITS.bodyBytes) throw tooLong();
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

// What a request must be.

const noRoom = (): RpcError =>
  refusal(503, 'Too many bytes wait here. Try again later.', { 'retry-after': '1', ...CLOSE });

const stopping = (): RpcError => refusal(503, 'The server is stopping.', CLOSE);

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

/** As browsers and clients write them. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Of a `Host`, without its port. */
const nameOf = (host: string): string => host.replace(/:\d*$/, '').toLowerCase();

export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(nameOf(bracketed(host)));
}

/**
 * Keeps web pages from a server on this machine by DNS rebinding (Streamable HTTP, "Security Warning"): on a loopback address `Host`
 * must be a loopback host, since any other name may be made to point here.
 */
export function checkHost(header = '', { host, allowedHosts, allowedOrigins }: HttpOptions): void {
  if (header.includes(',')) throw refusal(400, 'There must be one `Host`.');
  const isLocal = isLoopback(host);
  if (!isLocal && allowedHosts.length === 0) return;
  const name = nameOf(header);
  const isListed = [
    ...allowedHosts,
    ...allowedOrigins.map((origin) => nameOf(origin.replace(/^.*:\/\//, ''))),
  ].includes(name);
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
  const [, host = ''] = /^https?:\/\/(.*)$/i.exec(origin) ?? [];
  const isLocal = isLoopback(options.host) && LOOPBACK.test(nameOf(host));
  if (!isLocal && !options.allowedOrigins.includes(origin.toLowerCase()))
    throw refusal(403, 'This `Origin` is not allowed. MCP_ALLOWED_ORIGINS names those that are.');
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader(
    'access-control-expose-headers',
    'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, DPoP-Nonce, Retry-After',
  );
  response.setHeader('vary', 'Origin');
}

function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  const requested = splitList(readHeader(request, 'access-control-request-headers'));
  const names = requested.filter((name) => /^[\w-]+$/.test(name)).map((name) => `, ${name}`);
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': `Accept, Authorization, Content-Type, DPoP, Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, Mcp-Session-Id${names.join('')}`,
    'access-control-max-age': '600',
  });
  response.end();
}

/** Headers of 2026-07-28 repeat what proxies route by ("Server Validation"). @throws {RpcError} */
function compareHeaders(
  http: IncomingMessage,
  { method, params }: Omit<Request, 'id'>,
  server: Server,
): void {
  const { _meta: meta } = params;
  const revision = isRecord(meta) ? meta[`${META}protocolVersion`] : undefined;
  if (typeof revision !== 'string') {
    const sent = readHeader(http, 'mcp-protocol-version') ?? '';
    if (!MODERN_REVISIONS.includes(sent)) throw unsupportedVersion(sent);
    // The server says that it is missing.
    return;
  }
  compareHeader('MCP-Protocol-Version', revision, readHeader(http, 'mcp-protocol-version'));
  compareHeader('Mcp-Method', method, readHeader(http, 'mcp-method'));
  const { nameParam } = server.methods.get(method) ?? {};
  const name = nameParam === undefined ? undefined : params[nameParam];
  if (typeof name === 'string')
    compareHeader('Mcp-Name', name, decodeHeader('Mcp-Name', readHeader(http, 'mcp-name')));
}

/** @param text what the body says */
export function compareHeader(name: string, text: string | undefined, sent: string | undefined): void {
  if (sent === text) return;
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

/** Without the prefix that IPv4 addresses have on an IPv6 socket, and without the interface of a link-local one. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)|%.*$/gi, '');
