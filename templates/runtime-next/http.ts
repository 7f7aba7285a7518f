// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Streamable HTTP, both eras at one endpoint: a `(request, response)` handler, and the server that listens for it. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import type { Caller, Feature, HttpExchange, Route } from './feature.ts';
import {
  HEADER_MISMATCH,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  isLegacyRevision,
  isModernDate,
  isModernRequest,
  isRecord,
  limitReached,
  type Id,
  type Message,
  METHOD_NOT_FOUND,
  MODERN_REVISIONS,
  type Notification,
  ownMember,
  PARSE_ERROR,
  parseJson,
  readMessage,
  type Request,
  RpcError,
  writeJson,
} from './json-rpc.ts';
import { errorReply, type Reply, type Server } from './server.ts';
import { type Exchange, Session } from './session.ts';
import { getSetting, LIMITS, parseInteger, type Setting } from './settings.ts';
import { UsageError } from './types.ts';

const SETTINGS: readonly Setting[] = [
  { flag: 'port', value: 'n', variable: 'PORT', help: 'HTTP port; 0 is any free one.', default: '3000' },
  {
    flag: 'host',
    value: 'address',
    help: 'HTTP address; 0.0.0.0 lets other machines in.',
    default: '127.0.0.1',
  },
  { flag: 'path', value: 'path', help: 'HTTP path of the endpoint.', default: '/mcp' },
  {
    variable: 'MCP_ALLOWED_ORIGINS',
    help: 'Origins of web pages that may call, separated by commas. Pages of this machine always may on a loopback address.',
  },
  {
    variable: 'MCP_ALLOWED_HOSTS',
    help: 'Host names that requests may use, without ports, separated by commas. Unset: any; on a loopback address those of this machine.',
  },
  {
    variable: 'MCP_TRUSTED_PROXIES',
    help: 'Proxies, or blocks such as 10.0.0.0/8, whose X-Forwarded-For names the client.',
  },
  {
    variable: 'MCP_DRAIN_DELAY_MS',
    help: 'Milliseconds for which requests are still taken after SIGTERM, while /readyz answers 503.',
    default: '0',
  },
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

/** Handles a request for any Node server. `body`: what a parser has read of it. */
export type HttpHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  body?: unknown,
) => Promise<void>;

const SECURITY_HEADERS = {
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

/** A refusal over HTTP. `connection: close` leaves an unread body behind. */
function refusal(
  status: number,
  message: string,
  headers: Record<string, string> = {},
  code = INVALID_REQUEST,
): RpcError {
  return new RpcError(code, message, { status, headers });
}

export function createHttpHandler(server: Server, options: HttpOptions): HttpHandler & { stop(): void } {
  const endpoint = new Endpoint(server, options);
  return Object.assign(endpoint.handle, { stop: () => endpoint.stop() });
}

/** A session over HTTP, and what its client has not been sent yet. */
class HttpSession extends Session {
  usedAt = Date.now();
  stream: EventStream | undefined;
  /** Equal notifications wait once for the client's GET. */
  readonly #waiting = new Set<string>();

  override push = (message: Notification): void => {
    if (this.stream?.isOpen === true) void this.stream.send(writeJson(message));
    else this.#waiting.add(writeJson(message));
  };

  /** Sends what belongs to no request over this stream from now on, and over no other. */
  listen(stream: EventStream): void {
    this.stream?.end();
    this.stream = stream;
    for (const text of this.#waiting) void stream.send(text);
    this.#waiting.clear();
  }

  get isInUse(): boolean {
    return this.inFlight.size > 0 || this.stream?.isOpen === true;
  }
}

class Endpoint {
  readonly #server: Server;
  readonly #options: HttpOptions;
  readonly #routes = new Map<string, Route>();
  readonly #sessions = new Map<string, HttpSession>();
  /** Requests of 2026-07-28, each a session of its own. Those that have ended are forgotten when the next one comes. */
  readonly #requests = new Set<Session>();
  /** Bytes of bodies that are not complete, and of answers that clients have not read. */
  #unfinished = 0;
  #unread = 0;

  constructor(server: Server, options: HttpOptions) {
    this.#server = server;
    this.#options = options;
    for (const route of server.features.flatMap(({ routes = [] }) => routes))
      this.#routes.set(route.path, route);
  }

  readonly handle: HttpHandler = async (request, response, body) => {
    try {
      await this.#route(request, response, body);
    } catch (thrown) {
      if (!(thrown instanceof RpcError)) this.#server.report(thrown);
      const error = thrown instanceof RpcError ? thrown : refusal(500, 'Internal error.', {}, INTERNAL_ERROR);
      if (response.headersSent) return void response.end();
      // Node reads this, not the header.
      if (error.headers['connection'] === 'close') response.shouldKeepAlive = false;
      response
        .writeHead(error.status, { ...JSON_HEADERS, ...error.headers })
        .end(errorReply((error as { id?: Id }).id, error).text);
    }
  };

  async #route(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const { url = '', httpVersion, headers, method = '' } = request;
    const [path = ''] = url.split('?', 1);
    if (!httpVersion.startsWith('1.'))
      throw refusal(505, 'Only HTTP/1.1 is spoken here.', { connection: 'close' });
    if (httpVersion === '1.1' && headers.host === undefined)
      throw refusal(400, '`Host` is missing.', { connection: 'close' });
    if (url.length > LIMITS.targetBytes)
      throw refusal(414, `The target has more than ${LIMITS.targetBytes} bytes.`);
    const { isStopping } = this.#server;
    // Probes use an IP address as `Host`, and the answers reveal nothing.
    if (PROBES.includes(path)) {
      requireMethod(method, ['GET', 'HEAD']);
      const isReady = path !== '/readyz' || !isStopping;
      const text = `{"status":"${path === '/readyz' ? (isReady ? 'ready' : 'draining') : 'ok'}"}`;
      return void response.writeHead(isReady ? 200 : 503, JSON_HEADERS).end(text);
    }
    const route = this.#routes.get(path);
    if (route?.isOpen === true) {
      checkHost(headers.host, this.#options);
      response.setHeader('access-control-allow-origin', '*');
      return route.handle?.({ request, response, path });
    }
    checkHost(headers.host, this.#options);
    checkOrigin(request, response, this.#options);
    if (path !== this.#options.path && route === undefined)
      throw refusal(404, `Nothing is served here. The endpoint is ${this.#options.path}.`);
    if (method === 'OPTIONS') return answerPreflight(request, response);
    const exchange = { request, response, path };
    const caller = await this.#admit(exchange);
    if (route !== undefined) {
      if (route.handle === undefined)
        throw refusal(426, 'Only WebSocket is served here.', { upgrade: 'websocket' });
      return route.handle(exchange);
    }
    requireMethod(method, ['GET', 'POST', 'DELETE', 'OPTIONS']);
    if (method === 'POST') return this.#post(exchange, caller, body);
    if (MODERN_REVISIONS.some((revision) => revision === readHeader(request, 'mcp-protocol-version')))
      throw refusal(
        405,
        `${MODERN_REVISIONS[0]} has POST alone here: \`subscriptions/listen\` tells of changes.`,
        {
          allow: 'POST, OPTIONS',
        },
      );
    if (method === 'GET') return this.#get(request, response, caller);
    const session = this.#findSession(request, caller);
    this.#sessions.delete(readHeader(request, 'mcp-session-id') ?? '');
    session.end();
    session.stream?.end();
    response.writeHead(204, SECURITY_HEADERS).end();
  }

  async #admit(exchange: HttpExchange): Promise<Caller | undefined> {
    for (const { admit } of this.#server.features) if (admit !== undefined) return admit(exchange);
    return undefined;
  }

  // POST.

  async #post({ request, response }: HttpExchange, caller: Caller | undefined, body: unknown): Promise<void> {
    // Express hands over `next` where other frameworks have the body.
    const isRead = body !== undefined && typeof body !== 'function';
    const value = isRead ? body : await this.#readBody(request);
    if (this.#unread > LIMITS.unreadBytes) throw noRoom('answers that their clients do not read');
    checkMediaTypes(request);
    const message: Message | undefined = Array.isArray(value) ? undefined : readMessage(value);
    try {
      if (message?.kind === 'invalid') throw refusal(400, message.reason);
      await this.#receive({ request, response, caller, value, message });
    } catch (thrown) {
      const id = message?.kind === 'request' || message?.kind === 'invalid' ? message.id : undefined;
      throw thrown instanceof RpcError ? Object.assign(thrown, { id }) : thrown;
    }
  }

  async #receive({ request, response, caller, value, message }: Posted): Promise<void> {
    const version = readHeader(request, 'mcp-protocol-version');
    const isCall = message?.kind === 'request' || message?.kind === 'notification';
    if (!isCall && version !== undefined && isModernDate(version))
      throw refusal(400, 'The body must be one request or notification.');
    const isModern = isCall && isModernRequest(message, version);
    // A client of 2026-07-28 cancels a request by closing its stream, so notifications have no effect.
    if (isModern && message.kind === 'notification') return void response.writeHead(202).end();
    const isOpening =
      message?.kind === 'request' && message.method === 'initialize' && !request.headers['mcp-session-id'];
    const session = isModern
      ? new Session()
      : isOpening
        ? this.#newSession()
        : this.#findSession(request, caller);
    session.caller = caller;
    session.client = caller?.subject ?? clientAddress(request, this.#options.proxies);
    const stream = new EventStream(response);
    const exchange: Exchange = {
      session,
      send: (sent) => stream.send(writeJson(sent)),
      headerVersion: version,
      compareHeaders: (call, revision) => compareHeaders(request, call, revision, this.#server),
    };
    if (isModern) this.#countRequest(session, response);
    const reply = await (message === undefined
      ? this.#server.receiveBatch(value as unknown[], exchange)
      : this.#server.receive(message, exchange));
    if (isOpening && reply !== undefined && reply.error === undefined)
      response.setHeader('mcp-session-id', this.#open(session as HttpSession));
    // The stream of a request that was cancelled ends without an answer.
    if (reply === undefined && message?.kind === 'request') stream.open();
    this.#answer(response, stream, reply, isModern);
  }

  #answer(response: ServerResponse, stream: EventStream, reply: Reply | undefined, isModern: boolean): void {
    if (response.destroyed) return;
    if (stream.isOpen) {
      if (reply !== undefined) void stream.send(reply.text);
      return stream.end();
    }
    if (reply === undefined) return void response.writeHead(202, SECURITY_HEADERS).end();
    const { text, error } = reply;
    // Legacy clients read the body of an unknown method's error, and modern ones the status.
    const status = error?.code === METHOD_NOT_FOUND && isModern ? 404 : (error?.status ?? 200);
    const length = Buffer.byteLength(text);
    response.writeHead(status, { ...JSON_HEADERS, ...error?.headers, 'content-length': length }).end(text);
    if (response.writableLength === 0) return;
    this.#unread += length;
    response.once('close', () => (this.#unread -= length));
  }

  /** A request of 2026-07-28 ends with its connection, but counts until its handler has ended. */
  #countRequest(session: Session, response: ServerResponse): void {
    let count = 0;
    for (const request of this.#requests) {
      if (request.inFlight.size === 0) this.#requests.delete(request);
      else if (request.client === session.client) count++;
    }
    if (count >= LIMITS.requestsInFlight)
      throw limitReached(`${LIMITS.requestsInFlight} requests of your address are at work already.`, 1);
    this.#requests.add(session);
    response.once('close', () => session.end());
  }

  /** New bodies are refused while too many bytes of others wait for their ends. */
  #readBody(request: IncomingMessage): Promise<unknown> {
    const tooLong = refusal(
      413,
      `The message is longer than ${LIMITS.bodyBytes} bytes, the most that this server takes.`,
      {
        connection: 'close',
      },
    );
    return new Promise((resolve, reject) => {
      if (Number(request.headers['content-length'] ?? 0) > LIMITS.bodyBytes) return void reject(tooLong);
      const chunks: Buffer[] = [];
      let size = 0;
      const refuse = (error: RpcError): void => {
        request.removeAllListeners('data').resume();
        chunks.length = 0;
        reject(error);
      };
      request.on('data', (chunk: Buffer) => {
        size += chunk.length;
        this.#unfinished += chunk.length;
        chunks.push(chunk);
        if (size > LIMITS.bodyBytes) refuse(tooLong);
        else if (this.#unfinished > LIMITS.unfinishedBytes) refuse(noRoom('bodies that are not complete'));
      });
      request.once('end', () => {
        try {
          resolve(parseBody(request, Buffer.concat(chunks)));
        } catch (thrown) {
          reject(thrown as Error);
        }
      });
      request.once('close', () => {
        this.#unfinished -= size;
        reject(refusal(400, 'The body broke off.'));
      });
    });
  }

  // Sessions.

  #newSession(): HttpSession {
    if (this.#server.isStopping) throw refusal(503, 'The server is stopping.');
    if (this.#sessions.size >= LIMITS.sessions) this.#endIdle();
    if (this.#sessions.size >= LIMITS.sessions)
      throw refusal(503, 'Too many sessions are open. Try again later.', { 'retry-after': '60' });
    const session = new HttpSession();
    session.logLevel = this.#server.settings.logLevel;
    return session;
  }

  /** Opens a session under a new id of 128 random bits. */
  #open(session: HttpSession): string {
    const id = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url');
    this.#sessions.set(id, session);
    return id;
  }

  /** Other callers' sessions are unknown to a caller. @throws {RpcError} 400 without an id, 404 for one that is unknown or has ended */
  #findSession(request: IncomingMessage, caller: Caller | undefined): HttpSession {
    const id = readHeader(request, 'mcp-session-id');
    if (id === undefined) throw refusal(400, '`Mcp-Session-Id` is missing: `initialize` comes first.');
    this.#endIdle();
    const session = this.#sessions.get(id);
    if (session === undefined || session.caller?.subject !== caller?.subject)
      throw refusal(404, 'The session is unknown or has ended.');
    const version = readHeader(request, 'mcp-protocol-version');
    if (version !== undefined && !isLegacyRevision(version))
      throw refusal(400, `The protocol version ${JSON.stringify(version)} is not supported.`);
    session.usedAt = Date.now();
    return session;
  }

  #sweptAt = Date.now();

  #endIdle(): void {
    const now = Date.now();
    if (now - this.#sweptAt < LIMITS.sessionIdleMs / 30) return;
    this.#sweptAt = now;
    for (const [id, session] of this.#sessions)
      if (now - session.usedAt > LIMITS.sessionIdleMs && !session.isInUse) {
        this.#sessions.delete(id);
        session.end();
      }
  }

  /** GET: messages that belong to no request. */
  #get(request: IncomingMessage, response: ServerResponse, caller: Caller | undefined): void {
    checkAccept(request, ['text/event-stream']);
    const session = this.#findSession(request, caller);
    if (this.#server.isStopping) throw refusal(503, 'The server is stopping.');
    const stream = new EventStream(response);
    stream.open();
    session.listen(stream);
  }

  /** Ends the streams that wait for messages; requests in flight go on. */
  stop(): void {
    for (const session of this.#sessions.values()) session.stream?.end();
  }

  end(): void {
    for (const session of this.#sessions.values()) session.end();
  }
}

/** One response that carries events, from the first message on. */
class EventStream {
  readonly #response: ServerResponse;
  #drained: Promise<void> | undefined;
  isOpen = false;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  open(): void {
    const response = this.#response;
    if (response.destroyed) return;
    this.isOpen = true;
    response.writeHead(200, EVENT_HEADERS).flushHeaders();
    const timer = setInterval(() => response.write(':\n\n'), LIMITS.keepAliveMs).unref();
    response.once('close', () => {
      this.isOpen = false;
      clearInterval(timer);
    });
  }

  /** Resolves when there is room for more. A client that reads too slowly is cut off, so that it notices that something is missing. */
  async send(text: string): Promise<void> {
    const response = this.#response;
    if (!this.isOpen) this.open();
    if (response.destroyed || response.writableEnded) return;
    if (response.writableLength > LIMITS.streamBytes) return void response.destroy();
    if (response.write(`event: message\ndata: ${text}\n\n`)) return;
    this.#drained ??= new Promise<void>((resolve) => {
      const settle = (): void => {
        response.off('drain', settle).off('close', settle);
        this.#drained = undefined;
        resolve();
      };
      response.on('drain', settle).on('close', settle);
    });
    await this.#drained;
  }

  end(): void {
    this.isOpen = false;
    this.#response.end();
  }
}

// What a request must be.

const PROBES = ['/healthz', '/livez', '/readyz'];

function noRoom(of: string): RpcError {
  return refusal(503, `Too many bytes of ${of} wait here. Try again later.`, {
    'retry-after': '1',
    connection: 'close',
  });
}

interface Posted extends Pick<HttpExchange, 'request' | 'response'> {
  caller: Caller | undefined;
  value: unknown;
  /** Absent for a batch. */
  message: Message | undefined;
}

function requireMethod(method: string, allowed: readonly string[]): void {
  if (!allowed.includes(method))
    throw refusal(405, `Only ${allowed.join(', ')} are served here.`, { allow: allowed.join(', ') });
}

/** Several fields of one name are one (RFC 9110, section 5.2). */
export function readHeader({ headers }: IncomingMessage, name: string): string | undefined {
  const value = ownMember(headers as Record<string, string | string[]>, name);
  return Array.isArray(value) ? value.join(', ') : value;
}

const mediaType = (header: string): string => header.split(';', 1)[0]?.trim().toLowerCase() ?? '';

function checkMediaTypes(request: IncomingMessage): void {
  if (!/^(?:identity)?$/i.test(readHeader(request, 'content-encoding') ?? ''))
    throw refusal(415, 'The body must not be compressed.', { 'accept-encoding': 'identity' });
  if (mediaType(readHeader(request, 'content-type') ?? '') !== 'application/json')
    throw refusal(415, 'The body must be application/json.');
  checkAccept(request, ['application/json', 'text/event-stream']);
}

/** The most specific range counts, and `q=0` refuses (RFC 9110, section 12.5.1). */
function checkAccept(request: IncomingMessage, types: readonly string[]): void {
  const ranges = (readHeader(request, 'accept') ?? '').split(',');
  const accepted = new Map(
    ranges.map((range) => [mediaType(range), !/;\s*q=0(?:\.0{0,3})?\s*$/i.test(range)]),
  );
  const isAccepted = (type: string): boolean =>
    accepted.get(type) ?? accepted.get(type.replace(/\/.*/, '/*')) ?? accepted.get('*/*') ?? false;
  if (!types.every(isAccepted)) throw refusal(406, `\`Accept\` must hold ${types.join(' and ')}.`);
}

function parseBody(request: IncomingMessage, body: Buffer): unknown {
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  if (text.includes('\uFFFD') && !isUtf8(body)) {
    // A compressed body is refused as such: a proxy in front may have read it differently.
    checkMediaTypes(request);
    throw refusal(400, 'The message is not UTF-8.', {}, PARSE_ERROR);
  }
  try {
    return parseJson(text);
  } catch {
    checkMediaTypes(request);
    throw refusal(400, 'The message is not JSON.', {}, PARSE_ERROR);
  }
}

/** Loopback hosts as `URL` spells them. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(hostnameOf(`http://${host.includes(':') ? `[${host}]` : host}`) ?? '');
}

/**
 * Keeps web pages from a server on this machine by DNS rebinding (Streamable HTTP, "Security Warning"): on a loopback address `Host`
 * must be a loopback host, since any other name may be made to point here.
 */
function checkHost(
  host: string | undefined,
  { host: bound, allowedHosts, allowedOrigins }: HttpOptions,
): void {
  const isLocal = isLoopback(bound);
  if (host?.includes(',') === true) throw refusal(400, 'There must be one `Host`.');
  if (!isLocal && allowedHosts.length === 0) return;
  // With more than host and port, `URL` could read another host than other software does.
  const isPlain = host !== undefined && /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d*)?$/i.test(host);
  const name = isPlain ? hostnameOf(`http://${host}`) : undefined;
  const isServed =
    name !== undefined &&
    (allowedHosts.includes(name) ||
      (isLocal && LOOPBACK.test(name)) ||
      allowedOrigins.some((origin) => hostnameOf(origin) === name));
  if (!isServed) throw refusal(403, 'This `Host` is not served here. Those in MCP_ALLOWED_HOSTS are.');
}

/** Browsers always send `Origin` where it matters; a page's image or navigation sends `Sec-Fetch-Site` instead (Fetch Metadata). */
function checkOrigin(request: IncomingMessage, response: ServerResponse, options: HttpOptions): void {
  const { origin, 'sec-fetch-site': site = '' } = request.headers;
  if (origin === undefined) {
    if (!String(site).toLowerCase().includes('cross-site')) return;
    throw refusal(403, 'A browser sent this request for a page of another site, without an `Origin`.');
  }
  const [, name = ''] = /^https?:\/\/([\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.exec(origin) ?? [];
  const host = hostnameOf(origin) ?? '';
  const isLocal =
    isLoopback(options.host) && LOOPBACK.test(host) && (name.startsWith('[') || name.toLowerCase() === host);
  if (!isLocal && !options.allowedOrigins.includes(origin))
    throw refusal(403, 'This `Origin` is not allowed. MCP_ALLOWED_ORIGINS names those that are.');
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader(
    'access-control-expose-headers',
    'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, DPoP-Nonce, Retry-After',
  );
  response.setHeader('vary', 'Origin');
}

function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  const asked = (request.headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim());
  const allowed = [
    'Accept, Authorization, Content-Type, DPoP, Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, Mcp-Session-Id',
    ...asked.filter((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name)),
  ];
  response
    .writeHead(204, {
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': allowed.join(', '),
      'access-control-max-age': '600',
    })
    .end();
}

/** Headers of 2026-07-28 repeat what proxies route by ("Server Validation"). */
function compareHeaders(
  http: IncomingMessage,
  { method, params }: Request,
  revision: string,
  server: Server,
): void {
  compareHeader('MCP-Protocol-Version', revision, readHeader(http, 'mcp-protocol-version'));
  compareHeader('Mcp-Method', method, readHeader(http, 'mcp-method'));
  const { nameParam } = server.methodRow(method) ?? {};
  const name = nameParam === undefined ? undefined : params[nameParam];
  if (typeof name !== 'string') return;
  compareHeader('Mcp-Name', name, decodeHeader('Mcp-Name', readHeader(http, 'mcp-name')));
  if (method !== 'tools/call') return;
  for (const { header, path } of server.catalog.mirroredArguments(name)) {
    const value = path.reduce<unknown>(
      (holder, key) => (isRecord(holder) ? ownMember(holder, key) : undefined),
      params['arguments'],
    );
    const text = decodeHeader(header, readHeader(http, header.toLowerCase()));
    // `42.0` equals 42.
    const isNumber = typeof value === 'number' && /^-?\d+(?:\.\d+)?$/.test(text ?? '');
    if (isNumber && Number(text) === value) continue;
    compareHeader(header, value === undefined || value === null ? undefined : String(value), text);
  }
}

function compareHeader(name: string, wanted: string | undefined, sent: string | undefined): void {
  if (wanted === sent) return;
  const words = sent === undefined ? 'is missing' : 'does not say what the body says';
  throw refusal(400, `The header \`${name}\` ${words}.`, {}, HEADER_MISMATCH);
}

/** "Value Encoding". Two texts must not encode one value, so Base64 must be canonical. */
function decodeHeader(name: string, value: string | undefined): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value ?? '')?.[1];
  const bytes = Buffer.from(encoded ?? '', 'base64');
  const isCanonical = encoded === undefined || (bytes.toString('base64') === encoded && isUtf8(bytes));
  if (isCanonical && /^[\t\x20-\x7e]*$/.test(value ?? ''))
    return encoded === undefined ? value : bytes.toString('utf8');
  throw refusal(400, `The header \`${name}\` is not encoded as it must be.`, {}, HEADER_MISMATCH);
}

/** A client with one IPv6 address has its whole /64, so only that counts. `X-Forwarded-For` is read from the right: anyone can write the rest. */
function clientAddress({ socket, headers }: IncomingMessage, proxies: BlockList | undefined): string {
  const hops = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .slice(-20);
  let address = plainAddress(socket.remoteAddress ?? '');
  while (proxies !== undefined && isIn(proxies, address) && hops.length > 0) {
    const hop = plainAddress((hops.pop() ?? '').trim());
    if (isIP(hop) === 0) break;
    address = hop;
  }
  if (isIP(address) !== 6) return address;
  const [start = [], end = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array<string>(8 - start.length - end.length).fill('0');
  return [...start, ...zeros, ...end].slice(0, 4).join(':');
}

function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

function isIn(blocks: BlockList, address: string): boolean {
  return isIP(address) !== 0 && blocks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

// The server that listens.

export function readHttpOptions({ flags, env }: Server): HttpOptions & { port: number; drainMs: number } {
  const path = typeof flags['path'] === 'string' ? flags['path'] : '/mcp';
  if (!/^\/[^\s?#]*$/.test(path) || PROBES.includes(path))
    throw new UsageError(
      `--path must begin with a slash, hold no blank, ? or #, and be no probe, but is ${path}.`,
    );
  const proxies = new BlockList();
  for (const block of splitList(env['MCP_TRUSTED_PROXIES'])) {
    const [address = '', length] = block.split('/');
    const most = isIP(address) === 6 ? 128 : 32;
    if (isIP(address) === 0)
      throw new UsageError(`MCP_TRUSTED_PROXIES must hold addresses or blocks, not ${block}.`);
    proxies.addSubnet(
      address,
      parseInteger({ name: `MCP_TRUSTED_PROXIES (${block})`, value: length }, 0, most) ?? most,
      most === 128 ? 'ipv6' : 'ipv4',
    );
  }
  return {
    host: (typeof flags['host'] === 'string' ? flags['host'] : '127.0.0.1').replace(/^\[(.*)\]$/, '$1'),
    path,
    port: parseInteger(getSetting(flags, env, 'port', 'PORT'), 0, 65_535) ?? 3000,
    allowedOrigins: splitList(env['MCP_ALLOWED_ORIGINS']).map(parseOrigin),
    allowedHosts: splitList(env['MCP_ALLOWED_HOSTS']).map(parseHost),
    proxies: env['MCP_TRUSTED_PROXIES'] ? proxies : undefined,
    drainMs:
      parseInteger(
        { name: 'MCP_DRAIN_DELAY_MS', value: env['MCP_DRAIN_DELAY_MS'] || undefined },
        0,
        3_600_000,
      ) ?? 0,
  };
}

function parseOrigin(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (
    url === undefined ||
    !/^[^*]+$/.test(url.host) ||
    !/^\/?$/.test(url.pathname) ||
    url.search + url.hash !== ''
  )
    throw new UsageError(`MCP_ALLOWED_ORIGINS must hold origins such as https://app.example, not ${value}.`);
  // `URL` gives no origin for schemes such as `vscode-webview:`.
  return url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin;
}

function parseHost(value: string): string {
  const name = /^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(value) ? hostnameOf(`http://${value}`) : undefined;
  if (name === undefined)
    throw new UsageError(`MCP_ALLOWED_HOSTS must hold names without ports, not ${value}.`);
  return name;
}

async function serveHttp(server: Server, stop: Promise<void>, tell: (words: string) => void): Promise<void> {
  // A start over stdio is faster without.
  const { createServer } = await import('node:http');
  const options = readHttpOptions(server);
  const { host, port, path, drainMs } = options;
  const endpoint = new Endpoint(server, options);
  let isDraining = false;
  /** Connections without a request so far, which Node does not take for idle. */
  const silent = new Set<Socket>();
  const listener = createServer(
    {
      maxHeaderSize: LIMITS.headerBytes,
      headersTimeout: LIMITS.headersMs,
      requestTimeout: LIMITS.requestMs,
      keepAliveTimeout: LIMITS.idleConnectionMs,
      connectionsCheckingInterval: LIMITS.headersMs / 2,
      // Else the first of two `Host` or `Authorization` fields would be used here, maybe the last by a proxy.
      joinDuplicateHeaders: true,
      // Node's own refusal would still serve the requests sent behind it.
      requireHostHeader: false,
    },
    (request, response) => {
      silent.delete(request.socket);
      if (isDraining) response.shouldKeepAlive = false;
      // HTTP/1.0 has no chunks: a proxy in front may have read them as another request (RFC 9112, section 6.1).
      if (request.httpVersion === '1.0' && request.headers['transfer-encoding'] !== undefined)
        return void response.writeHead(400, { connection: 'close' }).end();
      void endpoint.handle(request, response);
    },
  );
  // Node would silently drop headers beyond a count; their bytes are bounded.
  listener.maxHeadersCount = 0;
  listener.maxConnections = LIMITS.connections;
  listener.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  listener.on('upgrade', (request, socket, head) => {
    const [upgradePath = ''] = (request.url ?? '').split('?', 1);
    const route = server.features
      .flatMap(({ routes = [] }) => routes)
      .find((one) => one.path === upgradePath);
    if (route?.upgrade === undefined) socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n');
    else route.upgrade(request, socket, head);
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', (error: NodeJS.ErrnoException) => {
      error.message = `${host}:${port} can't be used (${error.code}). Choose another by --port or --host.`;
      reject(error);
    });
    listener.listen(port, host, resolve);
  });
  const address = listener.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  tell(`serving http://${host.includes(':') ? `[${host}]` : host}:${bound}${path}`);
  const isOpen = server.features.every(({ admit }) => admit === undefined);
  if (isOpen && !isLoopback(host))
    tell(
      `warning: bound to ${host}: whoever can reach it may call every tool, with the credentials that this server has. Put a proxy that asks who they are in front, or bind to 127.0.0.1.`,
    );
  await stop;
  server.beginStopping();
  isDraining = true;
  if (drainMs > 0) {
    tell(`draining: /readyz answers 503, and requests are taken for ${drainMs} ms more`);
    await new Promise((resolve) => setTimeout(resolve, drainMs));
  }
  tell('stopping');
  endpoint.stop();
  const cut = setTimeout(() => listener.closeAllConnections(), LIMITS.httpDrainMs);
  // A connection that was busy when listening stopped becomes idle later.
  const sweep = setInterval(() => listener.closeIdleConnections(), 50);
  await new Promise<void>((resolve) => {
    listener.close(() => resolve());
    listener.closeIdleConnections();
    for (const socket of silent) socket.destroy();
  });
  clearInterval(sweep);
  clearTimeout(cut);
  endpoint.end();
}

function splitList(text = ''): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
