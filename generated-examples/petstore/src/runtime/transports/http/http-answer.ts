// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Answers over HTTP: one JSON text with its status, a refusal, or a stream of events. */
import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { type BlockList, isIP } from 'node:net';

import type { Json } from '../../contract/json-schema.ts';
import { definedMembers } from '../../contract/json-value.ts';
import { type Answer, type Message, answerMessage } from '../../core/call.ts';
import type { ServerInstance } from '../../core/server-instance.ts';
import type { Limits } from '../../contract/feature.ts';
import type { HttpRequest, HttpResponse, OpenDocument, OpenDocuments } from '../../feature-loaders.ts';
import {
  type ErrorOrigin,
  INVALID_REQUEST,
  type RequestId,
  type ScopeError,
} from '../../protocol/json-rpc.ts';
import { LEGACY_REVISIONS, MODERN_REVISIONS } from '../../protocol/revisions.ts';
import { peerAddress } from './client-limits.ts';
import { type Hold, Unread, messageParts, untilRoom } from '../conversation.ts';

/** Status by origin of the error. Others are 200, with the error in the body. */
type Statuses = Partial<Record<ErrorOrigin, number>>;

const STATUSES: Statuses = {
  syntax: 400,
  message: 400,
  version: 400,
  header: 400,
  scope: 403,
  rate: 429,
  away: 503,
};

export const LEGACY_STATUSES: Statuses = { ...STATUSES, session: 400 };

export const MODERN_STATUSES: Statuses = { ...STATUSES, metadata: 400, method: 404, capability: 400 };

export function answerJson(
  response: HttpResponse,
  answer: Answer | Answer[],
  statuses: Statuses,
  hold?: Hold,
): void {
  const body = answerMessage(answer);
  const { status, headers } = readHead(answer, statuses);
  const own = Buffer.byteLength(typeof body === 'string' ? body : body.filter(isText).join(''));
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'content-type': 'application/json',
    'content-length': typeof body === 'string' ? own : own + sharedBytes(body),
    ...headers,
  });
  if (typeof body === 'string') response.end(body);
  else void sendParts(response, body);
  if (hold === undefined || response.writableLength === 0) return;
  const holding = hold(() => response.req.socket.destroy());
  holding.set(own);
  response.once('close', () => holding.end());
}

type Parts = Exclude<Message, string>;

function isText(part: Parts[number]): part is string {
  return typeof part === 'string';
}

function sharedBytes(parts: Parts): number {
  return parts.reduce((sum, part) => sum + (isText(part) ? 0 : part.bytes.length), 0);
}

/**
 * Long answers are written in slices: the system would take megabytes at once, and other clients would wait meanwhile. A TLS
 * connection copies each slice.
 */
const SLICE_BYTES = 64 * 1024;
const SLICES_A_TURN = 16;

const waiting: (() => void)[] = [];

/** Resolves when the next slice may be written: a few in each turn of the event loop, in the order of waiting. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(giveTurns);
  });
}

function giveTurns(): void {
  for (const resolve of waiting.splice(0, SLICES_A_TURN)) resolve();
  if (waiting.length > 0) setImmediate(giveTurns);
}

async function sendParts(response: HttpResponse, parts: Parts): Promise<void> {
  for (const part of parts) {
    if (isText(part)) {
      response.write(part);
      continue;
    }
    for (let at = 0; at < part.bytes.length; at += SLICE_BYTES) {
      await turn();
      if (response.writableNeedDrain) await untilRoom(response);
      if (response.destroyed) return;
      response.write(part.bytes.subarray(at, at + SLICE_BYTES));
    }
  }
  response.end();
}

function readHead(
  answer: Answer | Answer[],
  statuses: Statuses,
): { status: number; headers?: OutgoingHttpHeaders } {
  if (Array.isArray(answer)) return { status: answer.every(isForScopes) ? (statuses.scope ?? 200) : 200 };
  if (answer.kind === 'result') return { status: 200 };
  const { origin, retrySeconds } = answer;
  const status = statuses[origin] ?? 200;
  const headers = retrySeconds === undefined ? {} : { 'retry-after': String(retrySeconds) };
  return { status, headers };
}

export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly id: RequestId | undefined;
  readonly code: number;
  readonly data: Json | undefined = undefined;

  constructor(
    status: number,
    message: string,
    headers: OutgoingHttpHeaders = {},
    id?: RequestId,
    code = INVALID_REQUEST,
  ) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.id = id;
    this.code = code;
  }

  get body(): string {
    const { id, code, message, data } = this;
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
  }
}

export function refuse(response: HttpResponse, { status, headers, body }: HttpRefusal): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  // `untilClose` reads this, not the header.
  if (headers.connection === 'close') response.shouldKeepAlive = false;
  const fields: OutgoingHttpHeaders = { ...SECURITY_HEADERS, 'content-type': 'application/json', ...headers };
  response.writeHead(status, fields).end(body);
}

type Refused = Extract<Answer, { kind: 'error' }> & { scopes: readonly string[] };

export function isForScopes(answer: Answer): answer is Refused {
  return answer.kind === 'error' && answer.scopes !== undefined;
}

/** The token lacks scopes (RFC 6750, section 3.1). */
export class ScopeRefusal extends HttpRefusal {
  declare readonly data: ScopeError['data'];

  constructor({ message, code, data }: ScopeError, challenge: string, id?: RequestId) {
    super(403, message, { 'www-authenticate': challenge }, id, code);
    this.data = data;
  }
}

type SseLimits = Pick<Limits, 'keepAliveMs' | 'streamBacklogBytes'>;

export const SECURITY_HEADERS: OutgoingHttpHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

const EVENT_STREAM: OutgoingHttpHeaders = {
  ...SECURITY_HEADERS,
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // Proxies of the nginx family hold streams back otherwise.
  'x-accel-buffering': 'no',
};

/** Streams of events that are open in this process. */
export const openStreams = { count: 0 };

/** One HTTP response that carries events (HTML Standard, "Server-sent events"). */
export class SseResponse {
  readonly #response: HttpResponse;
  readonly #limits: SseLimits;
  readonly #unread: Unread;

  constructor(response: HttpResponse, limits: SseLimits, hold?: Hold) {
    this.#response = response;
    this.#limits = limits;
    this.#unread = new Unread(response, { socket: response.socket, hold, cut: () => this.cut() });
    if (!this.isOpen) return;
    response.writeHead(200, EVENT_STREAM).flushHeaders();
    const timer = setInterval(() => this.#keepAlive(), limits.keepAliveMs).unref();
    openStreams.count++;
    response.once('close', () => {
      openStreams.count--;
      clearInterval(timer);
    });
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  get isFull(): boolean {
    return this.#response.writableNeedDrain;
  }

  on(event: 'drain' | 'close', listener: () => void): void {
    this.#response.on(event, listener);
  }

  /** A client with too large a backlog is cut off, so that it notices that something is missing. */
  write(event: Message): void {
    if (!this.isOpen) return;
    if (this.#unread.bytes > this.#limits.streamBacklogBytes) this.cut();
    else this.#unread.write(...messageParts(event));
  }

  /** Settles when there is room for more, or the client is gone. Never rejects. */
  async room(): Promise<void> {
    if (this.isOpen && this.isFull) await untilRoom(this.#response);
  }

  end(): void {
    if (this.isOpen) this.#response.end();
  }

  cut(): void {
    this.#response.destroy();
  }

  #keepAlive(): void {
    if (this.isOpen && !this.isFull) this.#response.write(':\n\n');
  }
}

/** JSON text has no line breaks, so one `data:` line holds it. */
export function messageEvent(message: Message, id?: string): Message {
  const head = `event: message\n${id === undefined ? '' : `id: ${id}\n`}data: `;
  return typeof message === 'string' ? `${head}${message}\n\n` : [head, ...message, '\n\n'];
}

let ending: Promise<void> | undefined;

/**
 * Resolves when this turn of the event loop has read its input. Answers then leave together and wake their reader once; waking
 * it for each costs more than the rest of a quick call.
 */
export function endOfTurn(): Promise<void> {
  return (ending ??= new Promise((resolve) => {
    setImmediate(() => {
      ending = undefined;
      resolve();
    });
  }));
}

export function noRoom(): HttpRefusal {
  return new HttpRefusal(503, 'Too many sessions are open. Try again later.', { 'retry-after': '60' });
}

type Described = Pick<ServerInstance, 'info' | 'card' | 'meta'>;

const CARD_TYPE = 'application/mcp-server-card+json';

interface DescribedPlaces {
  path: string;
  catalogPath: string;
  proxies?: BlockList | undefined;
  /** Texts by which directories check who runs the server. */
  wellKnown?: readonly (readonly [path: string, text: string])[] | undefined;
}

/** For clients and directories that look for servers: the server's card, a catalog that names it, and the texts of `wellKnown`. */
export function describeServer(
  server: Described,
  { path, catalogPath, proxies, wellKnown = [] }: DescribedPlaces,
): OpenDocuments {
  const cardPath = `${path.replace(/\/$/, '')}/server-card`;
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  return new Map<string, (request: HttpRequest) => OpenDocument>([
    ...wellKnown.map(([place, body]): [string, () => OpenDocument] => [
      place,
      () => ({ status: 200, headers, body }),
    ]),
    [
      cardPath,
      (request) => openDocument(request, CARD_TYPE, makeCard(server, originOf(request, proxies), path)),
    ],
    [
      catalogPath,
      (request) => {
        const origin = originOf(request, proxies);
        const identifier = `urn:air:${toIdentifier(cardName(server, origin))}`;
        const entries = [{ identifier, type: CARD_TYPE, url: `${origin.origin}${cardPath}` }];
        return openDocument(request, 'application/ai-catalog+json', { specVersion: '1.0', entries });
      },
    ],
  ]);
}

/** The registry and cards allow so many characters for a title and a description. */
const LONGEST = 100;

function makeCard(server: Described, origin: URL, path: string): object {
  const { info, card = {}, meta } = server;
  const { version, title, websiteUrl, icons } = info;
  const url = `${origin.origin}${path}`;
  return definedMembers({
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: cardName(server, origin),
    version,
    title: title && shortened(title),
    description: shortened(card.description ?? (info.description || `MCP server ${info.name}`)),
    websiteUrl: card.websiteUrl ?? websiteUrl,
    repository: card.repository,
    icons,
    remotes: [
      {
        type: 'streamable-http',
        url,
        supportedProtocolVersions: [...LEGACY_REVISIONS.slice(1), ...MODERN_REVISIONS],
      },
    ],
    _meta: meta,
  });
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A namespace in reverse DNS and a name: `com.example.mcp/pets-mcp`. */
function cardName({ info, card }: Described, { hostname }: URL): string {
  if (card?.name !== undefined) return card.name;
  const host = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : 'localhost';
  return `${host.split('.').reverse().join('.')}/${info.name.split('/').at(-1)}`;
}

/** `com.example/pets` → `example.com:mcp:pets` */
function toIdentifier(name: string): string {
  const [namespace = '', own = ''] = name.split('/');
  return `${namespace.split('.').reverse().join('.')}:mcp:${own}`;
}

/** As clients write it. A trusted proxy says whether they speak HTTPS with it. */
function originOf({ socket, headers }: HttpRequest, proxies: BlockList | undefined): URL {
  const isDirect = peerAddress(socket, proxies) !== undefined;
  const said = isDirect ? undefined : headers['x-forwarded-proto'];
  const isTls = said === undefined ? 'encrypted' in socket : said === 'https';
  const origin = `${isTls ? 'https' : 'http'}://${headers.host ?? 'localhost'}`;
  if (!URL.canParse(origin)) throw new HttpRefusal(400, '`Host` is no host.');
  return new URL(origin);
}

function openDocument({ headers: asked }: HttpRequest, type: string, value: object): OpenDocument {
  const body = JSON.stringify(value);
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  const isKnown = asked['if-none-match']?.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
  const headers = {
    etag,
    'cache-control': 'public, max-age=3600',
    'access-control-allow-methods': 'GET',
    'access-control-allow-headers': 'Content-Type, If-None-Match',
    'access-control-expose-headers': 'ETag',
  };
  if (isKnown === true) return { status: 304, headers, body: '' };
  return { status: 200, headers: { ...headers, 'content-type': type }, body };
}
