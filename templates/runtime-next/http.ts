// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Streamable HTTP, both eras at one endpoint: a `(request, response)` handler, and the server that listens for it. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller, Feature, HttpExchange } from './feature.ts';
import { HEADER_MISMATCH, INTERNAL_ERROR, INVALID_REQUEST, LEGACY_REVISIONS } from './json-rpc.ts';
import { isModernRequest, isRecord, limitReached, METHOD_NOT_FOUND, MODERN_REVISIONS } from './json-rpc.ts';
import { type Notification, ownMember, parseBytes, readMessage, type Request, RpcError } from './json-rpc.ts';
import { writeJson } from './json-rpc.ts';
import { errorReply, fitMessage, type Reply, type Server } from './server.ts';
import { type Exchange, Session } from './session.ts';
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
  /** Ends the streams that wait for messages; requests in flight go on. */
  stop(): void;
  /** Ends all sessions, and what is in flight. */
  end(): void;
}

const PROBES = ['/healthz', '/livez', '/readyz'];
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

/** `connection: close` leaves an unread body behind. */
function refusal(status: number, message: string, headers: Record<string, string> = {}): RpcError {
  return new RpcError(INVALID_REQUEST, message, { status, headers });
}

/**
 * Mounts in Express, Fastify or `node:http`.
 *
 * @example
 * const handle = createHttpHandler(server, options);
 * app.all('/mcp', (request, response) => handle(request, response, request.body));
 */
export function createHttpHandler(server: Server, options: HttpOptions): HttpHandler {
  const sessions = new Map<string, HttpSession>();
  /** Requests of 2026-07-28, each a session of its own. Those that have ended are forgotten when the next one comes. */
  const requests = new Set<Session>();
  /** Bodies that are not complete, oldest first. */
  const uploads = new Set<Upload>();
  /** Bytes of answers that clients have not read. */
  let unread = 0;

  async function handle(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void> {
    try {
      await dispatch(request, response, body);
    } catch (thrown) {
      const isRefusal = thrown instanceof RpcError;
      if (!isRefusal) server.report(thrown);
      const error = isRefusal ? thrown : new RpcError(INTERNAL_ERROR, 'Internal error.', { status: 500 });
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
    if (httpVersion === '1.1' && headers.host === undefined)
      throw refusal(400, '`Host` is missing.', { connection: 'close' });
    if (url.length > LIMITS.targetBytes)
      throw refusal(414, `The target has more than ${LIMITS.targetBytes} bytes.`);
    // Probes use an IP address as `Host`, and the answers reveal nothing.
    if (PROBES.includes(path)) {
      requireMethod(method, ['GET', 'HEAD']);
      const isDraining = path === '/readyz' && server.isDraining;
      const status = isDraining ? 'draining' : path === '/readyz' ? 'ready' : 'ok';
      return void response.writeHead(isDraining ? 503 : 200, JSON_HEADERS).end(JSON.stringify({ status }));
    }
    const route = server.features
      .flatMap((feature) => feature.routes ?? [])
      .find((candidate) => candidate.path === path);
    checkHost(headers.host, options);
    if (route?.isOpen === true) response.setHeader('access-control-allow-origin', '*');
    else checkOrigin(request, response, options);
    if (route === undefined && path !== options.path)
      throw refusal(404, `Nothing is served here. The endpoint is ${options.path}.`);
    if (method === 'OPTIONS') return answerPreflight(request, response);
    const exchange = { request, response, path };
    const admitting = server.features.find(({ admit }) => admit !== undefined);
    const caller = route?.isOpen === true ? undefined : await admitting?.admit?.(exchange);
    if (route !== undefined) {
      if (route.handle !== undefined) return route.handle(exchange);
      throw refusal(426, 'Only WebSocket is served here.', { upgrade: 'websocket' });
    }
    if (method === 'POST') return post(exchange, caller, body);
    requireMethod(method, ['GET', 'POST', 'DELETE', 'OPTIONS']);
    const version = readHeader(request, 'mcp-protocol-version');
    if (MODERN_REVISIONS.some((revision) => revision === version))
      throw refusal(405, `${version} has POST alone here.`, { allow: 'POST, OPTIONS' });
    if (method === 'GET') checkAccept(request, ['text/event-stream']);
    const session = findSession(request, caller);
    if (method === 'DELETE') {
      session.end();
      return void response.writeHead(204, SECURITY_HEADERS).end();
    }
    if (server.isStopping) throw refusal(503, 'The server is stopping.');
    session.listen(new EventStream(response));
  }

  async function post(exchange: HttpExchange, caller: Caller | undefined, body: unknown): Promise<void> {
    const { request, response } = exchange;
    // Express hands over `next` where others have the body.
    const isParsed = body !== undefined && typeof body !== 'function';
    const client = caller?.subject ?? clientAddress(request, options.proxies);
    const bytes = isParsed ? undefined : await readBody(request, client);
    if (unread > LIMITS.unreadBytes) throw noRoom('answers that their clients do not read');
    checkMediaTypes(request);
    const value = bytes === undefined ? body : parseBytes(bytes);
    const message = Array.isArray(value) ? undefined : readMessage(value);
    // The id of a response is that of a request of this server.
    const id = message?.kind === 'request' || message?.kind === 'invalid' ? message.id : undefined;
    const version = readHeader(request, 'mcp-protocol-version');
    const call = message?.kind === 'request' || message?.kind === 'notification' ? message : undefined;
    const isModern = call !== undefined && isModernRequest(call, version);
    const stream = new EventStream(response);
    const answer = (reply: Reply | undefined): void => writeReply(stream, reply, isModern);
    try {
      if (message?.kind === 'invalid') throw refusal(400, message.reason);
      // A client of 2026-07-28 cancels a request by closing its stream, so notifications have no effect.
      if (isModern && call.kind === 'notification') return answer(undefined);
      const hasSession = request.headers['mcp-session-id'] !== undefined;
      const isOpening = !isModern && call?.method === 'initialize' && id !== undefined && !hasSession;
      const chooseSession = async (): Promise<Session> => {
        if (isModern) return beginRequest(client, response);
        return isOpening ? openSession(client, response) : findSession(request, caller);
      };
      const session = Object.assign(await chooseSession(), { caller, client });
      const exchange: Exchange = {
        session,
        send: (sent) => stream.send(fitMessage(writeJson(sent))),
        headerVersion: version,
        compareHeaders: (compared, revision) => compareHeaders(request, compared, revision, server),
      };
      const reply = await (message === undefined
        ? server.receiveBatch(value as unknown[], exchange)
        : server.receive(message, exchange));
      if (isOpening && reply?.error !== undefined) {
        session.end();
        response.removeHeader('mcp-session-id');
      }
      // The stream of a request that was cancelled ends without an answer.
      if (reply === undefined && call !== undefined && id !== undefined) stream.open();
      answer(reply);
    } catch (thrown) {
      if (!(thrown instanceof RpcError)) throw thrown;
      answer(errorReply(id, thrown));
    }
  }

  function writeReply(stream: EventStream, reply: Reply | undefined, isModern: boolean): void {
    const { response } = stream;
    if (response.destroyed) return;
    if (reply === undefined)
      return stream.isOpen ? stream.end() : void response.writeHead(202, SECURITY_HEADERS).end();
    const { error } = reply;
    const text = fitMessage(reply.text);
    if (stream.isOpen) {
      void stream.send(text);
      stream.end();
    } else {
      // Legacy clients read the body of an unknown method's error, and modern ones the status.
      const status = error?.code === METHOD_NOT_FOUND && isModern ? 404 : (error?.status ?? 200);
      const length = Buffer.byteLength(text);
      response.writeHead(status, { ...JSON_HEADERS, ...error?.headers, 'content-length': length }).end(text);
    }
    const { writableLength } = response;
    if (writableLength === 0) return;
    unread += writableLength;
    const timer = setTimeout(() => response.destroy(), LIMITS.unreadMs).unref();
    response.once('close', () => {
      unread -= writableLength;
      clearTimeout(timer);
    });
  }

  function readBody(request: IncomingMessage, client: string): Promise<Buffer> {
    const close = { connection: 'close' };
    const tooLong = refusal(413, `The message is longer than ${LIMITS.bodyBytes} bytes.`, close);
    if (Number(request.headers['content-length']) > LIMITS.bodyBytes) throw tooLong;
    const chunks: Buffer[] = [];
    const upload: Upload = { client, bytes: 0, refuse: () => undefined };
    uploads.add(upload);
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      upload.bytes += chunk.length;
      if (upload.bytes > LIMITS.bodyBytes) upload.refuse(tooLong);
      boundUploads();
    };
    return new Promise<Buffer>((resolve, reject) => {
      upload.refuse = reject;
      request.on('data', take).once('end', () => resolve(Buffer.concat(chunks)));
      request.once('close', () => reject(refusal(400, 'The body broke off.')));
    }).finally(() => {
      uploads.delete(upload);
      // Destroying the request would take its connection from the answer.
      request.off('data', take).resume();
    });
  }

  /** Over the limit the client that holds most loses its newest body: one client can't keep out the others. */
  function boundUploads(): void {
    const sums = new Map<string, number>();
    for (const { client, bytes } of uploads) sums.set(client, (sums.get(client) ?? 0) + bytes);
    const entries = [...sums].sort(([, a], [, b]) => b - a);
    if (entries.reduce((total, [, bytes]) => total + bytes, 0) <= LIMITS.unfinishedBytes) return;
    const newest = [...uploads].findLast(({ client }) => client === entries[0]?.[0]);
    if (newest === undefined) return;
    uploads.delete(newest);
    newest.refuse(noRoom('bodies that are not complete'));
    boundUploads();
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

  async function openSession(client: string, response: ServerResponse): Promise<HttpSession> {
    await server.count(client);
    if (server.isStopping) throw refusal(503, 'The server is stopping.');
    const ofClient = [...sessions.values()].filter((session) => session.client === client);
    if (ofClient.length >= LIMITS.sessionsPerClient)
      throw limitReached(`${ofClient.length} sessions of your address are open already.`, 60);
    if (sessions.size >= LIMITS.sessions)
      throw refusal(503, 'Too many sessions are open. Try again later.', { 'retry-after': '60' });
    const session = new HttpSession();
    Object.assign(session, { client, logLevel: server.settings.logLevel });
    sessions.set(session.id, session);
    session.onEnd(() => sessions.delete(session.id));
    response.setHeader('mcp-session-id', session.id);
    return session;
  }

  /** Other callers' sessions are unknown to a caller. @throws {RpcError} */
  function findSession(request: IncomingMessage, caller: Caller | undefined): HttpSession {
    const id = readHeader(request, 'mcp-session-id');
    if (id === undefined) throw refusal(400, '`Mcp-Session-Id` is missing: `initialize` comes first.');
    const session = sessions.get(id);
    if (session === undefined || session.caller?.subject !== caller?.subject)
      throw refusal(404, 'The session is unknown or has ended.');
    const version = readHeader(request, 'mcp-protocol-version');
    if (version !== undefined && !LEGACY_REVISIONS.includes(version))
      throw refusal(400, `The protocol version ${JSON.stringify(version)} is not supported.`);
    session.idleTimer.refresh();
    return session;
  }

  return Object.assign(handle, {
    stop: () => sessions.forEach(({ stream }) => stream?.end()),
    end: () => sessions.forEach((session) => session.end()),
  });
}

interface Upload {
  client: string;
  bytes: number;
  refuse: (error: RpcError) => void;
}

class HttpSession extends Session {
  /** 128 random bits. */
  readonly id = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url');
  /** That of the newest GET. */
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
    if (this.stream?.isOpen === true) void this.stream.send(text);
    else this.#waitingTexts.add(text);
  };

  listen(stream: EventStream): void {
    if (stream.response.destroyed) return;
    this.stream?.end();
    this.stream = stream;
    stream.open();
    for (const text of this.#waitingTexts) void stream.send(text);
    this.#waitingTexts.clear();
  }

  override end(): void {
    clearTimeout(this.idleTimer);
    super.end();
    this.stream?.end();
  }
}

/** One response that carries events, from the first message on. */
class EventStream {
  readonly response: ServerResponse;
  #drained: Promise<void> | undefined;
  isOpen = false;

  constructor(response: ServerResponse) {
    this.response = response;
  }

  open(): void {
    const response = this.response;
    if (response.destroyed) return;
    this.isOpen = true;
    response.writeHead(200, EVENT_HEADERS).flushHeaders();
    const timer = setInterval(() => {
      if (this.isOpen) response.write(':\n\n');
    }, LIMITS.keepAliveMs).unref();
    response.once('close', () => {
      this.isOpen = false;
      clearInterval(timer);
    });
  }

  /** Resolves when there is room for more. A client that reads too slowly is cut off, so that it notices that something is missing. */
  async send(text: string): Promise<void> {
    const response = this.response;
    if (response.destroyed || response.writableEnded) return;
    if (!this.isOpen) this.open();
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
    this.response.end();
  }
}

// What a request must be.

function noRoom(of: string): RpcError {
  const headers = { 'retry-after': '1', connection: 'close' };
  return refusal(503, `Too many bytes of ${of} wait here. Try again later.`, headers);
}

function requireMethod(method: string, allowed: readonly string[]): void {
  const allow = allowed.join(', ');
  if (!allowed.includes(method)) throw refusal(405, `Only ${allow} are served here.`, { allow });
}

/** Node joins several fields of one name (RFC 9110, section 5.2). */
export function readHeader({ headers }: IncomingMessage, name: string): string | undefined {
  return headers[name]?.toString();
}

const mediaType = (header = ''): string => header.split(';', 1)[0]?.trim().toLowerCase() ?? '';

function checkMediaTypes(request: IncomingMessage): void {
  if (!/^(?:identity)?$/i.test(readHeader(request, 'content-encoding') ?? ''))
    throw refusal(415, 'The body must not be compressed.', { 'accept-encoding': 'identity' });
  if (mediaType(readHeader(request, 'content-type')) !== 'application/json')
    throw refusal(415, 'The body must be application/json.');
  checkAccept(request, ['application/json', 'text/event-stream']);
}

/** The most specific range counts, and `q=0` refuses (RFC 9110, section 12.5.1). */
function checkAccept(request: IncomingMessage, types: readonly string[]): void {
  const ranges = (readHeader(request, 'accept') ?? '').split(',');
  const isWanted = (range: string): boolean => !/;\s*q=0(?:\.0{0,3})?\s*$/i.test(range);
  const wanted = new Map(ranges.map((range) => [mediaType(range), isWanted(range)]));
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
function checkHost(header = '', { host, allowedHosts, allowedOrigins }: HttpOptions): void {
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
function checkOrigin(request: IncomingMessage, response: ServerResponse, options: HttpOptions): void {
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
    const bits = isIP(address) === 6 ? 128 : 32;
    // `Number('')` would be 0, which is everybody.
    const prefix = length === '' ? NaN : Number(length ?? bits);
    try {
      list.addSubnet(address, prefix, bits === 128 ? 'ipv6' : 'ipv4');
    } catch {
      throw new UsageError(`MCP_TRUSTED_PROXIES must hold addresses or blocks, not ${block}.`);
    }
  }
  return list;
}

async function serveHttp(server: Server, stop: Promise<void>, tell: (words: string) => void): Promise<void> {
  // A start over stdio is faster without.
  const { createServer } = await import('node:http');
  const options = readHttpOptions(server);
  const { host, port, path, drainMs } = options;
  const handle = createHttpHandler(server, options);
  /** Connections without a request so far, which Node does not take for idle. */
  const silentSockets = new Set<Socket>();
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
      silentSockets.delete(request.socket);
      if (server.isDraining) response.shouldKeepAlive = false;
      // HTTP/1.0 has no chunks: a proxy in front may have read them as another request (RFC 9112, section 6.1).
      if (request.httpVersion === '1.0' && request.headers['transfer-encoding'] !== undefined)
        return void response.writeHead(400, { connection: 'close' }).end();
      void handle(request, response);
    },
  );
  // Node would silently drop headers beyond a count; their bytes are bounded.
  listener.maxHeadersCount = 0;
  listener.maxConnections = LIMITS.connections;
  listener.on('connection', (socket) => {
    silentSockets.add(socket);
    socket.once('close', () => silentSockets.delete(socket));
  });
  const upgrades = server.features.flatMap(({ routes = [] }) => routes).filter(({ upgrade }) => upgrade);
  // Without a listener Node answers such requests like any other.
  if (upgrades.length > 0)
    listener.on('upgrade', (request, socket, head) => {
      const route = upgrades.find((candidate) => candidate.path === request.url?.split('?', 1)[0]);
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
  const { port: boundPort } = listener.address() as { port: number };
  tell(`serving http://${bracketed(host)}:${boundPort}${path}`);
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
  const cut = setTimeout(() => listener.closeAllConnections(), LIMITS.httpDrainMs);
  // A connection that was busy when listening stopped becomes idle later.
  const sweep = setInterval(() => listener.closeIdleConnections(), 50);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
  handle.end();
}
