// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Answers over HTTP: one JSON text with its status, a refusal, or a stream of events. */
import type { OutgoingHttpHeaders } from 'node:http';

import type { Json } from '../../contract/json-schema.ts';
import { writeJson } from '../../contract/json-value.ts';
import { type Answer, type Message, answerMessage } from '../../core/call.ts';
import type { Limits } from '../../contract/feature.ts';
import type { HttpResponse } from '../../feature-loaders.ts';
import {
  type ErrorOrigin,
  INVALID_REQUEST,
  type RequestId,
  type ScopeError,
} from '../../protocol/json-rpc.ts';
import { type Hold, Unread, partsOfMessage, writeInSlices, waitForRoom } from '../conversation.ts';

/** The HTTP status by origin of the error. Others are 200, with the error in the body. */
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

/** @returns the bytes of the answer that wait for the client to read them */
export function answerJson(response: HttpResponse, answer: Answer | Answer[], statuses: Statuses): number {
  const body = answerMessage(answer);
  const { status, headers } = chooseHead(answer, statuses);
  const own = Buffer.byteLength(typeof body === 'string' ? body : body.filter(isText).join(''));
  const length = typeof body === 'string' ? own : own + countSharedBytes(body);
  const head: OutgoingHttpHeaders = { ...JSON_HEADERS, 'content-length': length };
  response.writeHead(status, headers === undefined ? head : { ...head, ...headers });
  if (typeof body !== 'string') void writeInSlices(response, body);
  // A text of ASCII needs no conversion.
  else response.end(body, own === body.length ? 'latin1' : 'utf8');
  return response.writableLength === 0 ? 0 : own;
}

type Parts = Exclude<Message, string>;

function isText(part: Parts[number]): part is string {
  return typeof part === 'string';
}

function countSharedBytes(parts: Parts): number {
  return parts.reduce((sum, part) => sum + (isText(part) ? 0 : part.bytes.length), 0);
}

const OK = { status: 200 };

function chooseHead(
  answer: Answer | Answer[],
  statuses: Statuses,
): { status: number; headers?: OutgoingHttpHeaders } {
  if (Array.isArray(answer)) return { status: answer.every(isScopeRefusal) ? (statuses.scope ?? 200) : 200 };
  if (answer.kind === 'result') return OK;
  const { origin, retrySeconds } = answer;
  const status = statuses[origin] ?? 200;
  return retrySeconds === undefined
    ? { status }
    : { status, headers: { 'retry-after': String(retrySeconds) } };
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
    return writeJson({ jsonrpc: '2.0', id, error: { code, message, data } });
  }
}

export function writeRefusal(response: HttpResponse, { status, headers, body }: HttpRefusal): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  // `ignoreAfterClose` reads this, not the header.
  if (headers.connection === 'close') response.shouldKeepAlive = false;
  const fields: OutgoingHttpHeaders = { ...JSON_HEADERS, ...headers };
  response.writeHead(status, fields).end(body);
}

type Refused = Extract<Answer, { kind: 'error' }> & { scopes: readonly string[] };

export function isScopeRefusal(answer: Answer): answer is Refused {
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

export const JSON_HEADERS: OutgoingHttpHeaders = { ...SECURITY_HEADERS, 'content-type': 'application/json' };

const EVENT_STREAM: OutgoingHttpHeaders = {
  ...SECURITY_HEADERS,
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // Proxies of the nginx family hold streams back otherwise.
  'x-accel-buffering': 'no',
};

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
    const timer = setInterval(() => this.#sendKeepAlive(), limits.keepAliveMs).unref();
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

  /** A client that left before is told of too. */
  on(event: 'drain' | 'close', listener: () => void): void {
    if (event === 'close' && this.#response.destroyed) setImmediate(listener);
    else this.#response.on(event, listener);
  }

  /** A client with too large a backlog is cut off, so that it notices that something is missing. */
  write(event: Message): void {
    if (!this.isOpen) return;
    if (this.#unread.bytes > this.#limits.streamBacklogBytes) this.cut();
    else this.#unread.writeParts(...partsOfMessage(event));
  }

  /** Settles when there is room for more, or the client is gone. Never rejects. */
  async waitUntilRoom(): Promise<void> {
    if (this.isOpen && this.isFull) await waitForRoom(this.#response);
  }

  end(): void {
    if (this.isOpen) this.#response.end();
  }

  cut(): void {
    this.#response.destroy();
  }

  #sendKeepAlive(): void {
    if (this.isOpen && !this.isFull) this.#response.write(':\n\n');
  }
}

/** JSON text has no line breaks, so one `data:` line holds it. */
export function printMessageEvent(message: Message, id?: string): Message {
  const head = `event: message\n${id === undefined ? '' : `id: ${id}\n`}data: `;
  return typeof message === 'string' ? `${head}${message}\n\n` : [head, ...message, '\n\n'];
}

/** Tells the client its place in a stream, and when to come back. */
export function printPrimingEvent(id: string, retryMs: number): string {
  return `id: ${id}\nretry: ${retryMs}\ndata:\n\n`;
}

let ending: Promise<void> | undefined;

/**
 * Resolves when this turn of the event loop has read its input. Answers then leave together and wake their reader once; waking
 * it for each costs more than the rest of a quick call.
 */
export function waitForTurnEnd(): Promise<void> {
  return (ending ??= new Promise((resolve) => {
    setImmediate(() => {
      ending = undefined;
      resolve();
    });
  }));
}

export function sessionLimitRefusal(): HttpRefusal {
  return new HttpRefusal(503, 'Too many sessions are open. Try again later.', { 'retry-after': '60' });
}

export interface Keeper {
  readonly mark: string | undefined;
  keepEvent(stream: EventStream, index: number, message: Message): void;
  keptMessage(stream: EventStream, index: number): Message | undefined;
  streamChanged(stream: EventStream): void;
}

type Covers = (scopes: readonly string[]) => boolean;

/** Events in order, which outlive the connection that carries them (Streamable HTTP, "Resumability and Redelivery"). */
export class EventStream {
  readonly number: number;
  readonly #keeper: Keeper;
  #carrier: SseResponse | undefined;
  #covers: Covers = () => true;
  readonly #scopes = new Set<string>();
  #count = 0;
  /** The index of the last event that a connection was given. */
  #given = 0;
  /** The index of the last event that is not kept any more. */
  #forgotten = 0;
  /** Connections get nothing until this settles: other nodes then know the event ids. */
  #held: Promise<void> | undefined;
  #hasEnded = false;

  constructor(number: number, keeper: Keeper) {
    this.number = number;
    this.#keeper = keeper;
  }

  get hasConnection(): boolean {
    return this.#carrier !== undefined;
  }

  get scopes(): readonly string[] {
    return [...this.#scopes];
  }

  /** The connection of a caller that lacks the scopes ends, and another may take over. */
  addNeededScopes(scopes: readonly string[]): void {
    for (const scope of scopes) this.#scopes.add(scope);
    if (this.hasConnection && !this.#covers(this.scopes)) this.detachConnection();
  }

  get areAllEventsForgotten(): boolean {
    return this.#hasEnded && this.#forgotten >= this.#count;
  }

  whatFollows(index: number): 'more' | 'nothing' | 'forgotten' | 'unknown' {
    if (index > this.#count) return 'unknown';
    if (index < this.#forgotten) return 'forgotten';
    return this.#hasEnded && index === this.#count ? 'nothing' : 'more';
  }

  addEvent(message: Message): void {
    this.#count++;
    this.#keeper.keepEvent(this, this.#count, message);
    this.#keeper.streamChanged(this);
    this.#sendNewEvents();
  }

  get count(): number {
    return this.#count;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get kept(): number {
    return this.#count - this.#forgotten;
  }

  messageAt(index: number): Message | undefined {
    return this.#keeper.keptMessage(this, index);
  }

  /** An event id that a client has must be known to other nodes. */
  holdUntilStored(stored: Promise<void>): void {
    this.#held = stored.then(() => (this.#held = undefined));
  }

  async waitUntilRoom(): Promise<void> {
    await this.#carrier?.waitUntilRoom();
  }

  /** A connection that lacks the oldest event is too slow, and is cut off. */
  forgetOldest(): void {
    this.#forgotten++;
    if (this.#forgotten > this.#given) this.#carrier?.cut();
  }

  /**
   * Sends its events over `carrier` from now on, and over no other: each message goes to one connection.
   * @param after the index of the last event its client has; absent: the last one that was given to any
   * @param retryMs after which the client comes back. Sent with the place in the stream, so that it may come back before the
   * first message; absent for revisions that know neither
   * @param covers tests the scopes of the connection's caller, who has all scopes of the stream now
   */
  attachConnection(
    carrier: SseResponse,
    after: number | undefined,
    retryMs: number | undefined,
    covers: Covers = () => true,
  ): void {
    this.detachConnection();
    this.#carrier = carrier;
    this.#covers = covers;
    this.#given = after ?? Math.max(this.#given, this.#forgotten);
    carrier.on('drain', () => this.#sendNewEvents());
    carrier.on('close', () => {
      if (this.#carrier === carrier) this.#carrier = undefined;
    });
    const beginSending = (): void => {
      if (retryMs !== undefined) carrier.write(printPrimingEvent(this.#makeOwnEventId(this.#given), retryMs));
      this.#sendNewEvents();
    };
    if (this.#held === undefined) beginSending();
    else void this.#held.then(beginSending);
  }

  detachConnection(): void {
    const carrier = this.#carrier;
    this.#carrier = undefined;
    if (this.#held === undefined) carrier?.end();
    else void this.#held.then(() => carrier?.end());
  }

  end(): void {
    this.#hasEnded = true;
    // The end is kept like an event, since a client may ask what follows the last one.
    if (this.#forgotten === this.#count) this.#keeper.keepEvent(this, this.#count, '');
    this.#keeper.streamChanged(this);
    this.#sendNewEvents();
  }

  #sendNewEvents(): void {
    const carrier = this.#carrier;
    if (carrier === undefined || this.#held !== undefined) return;
    while (carrier.isOpen && !carrier.isFull) {
      const message = this.#keeper.keptMessage(this, this.#given + 1);
      if (message === undefined) break;
      this.#given++;
      carrier.write(printMessageEvent(message, this.#makeOwnEventId(this.#given)));
    }
    if (this.#hasEnded && this.#given === this.#count) this.detachConnection();
  }

  #makeOwnEventId(index: number): string {
    const { mark } = this.#keeper;
    return mark === undefined ? eventId(this, index) : `${eventId(this, index)}-${mark}`;
  }
}

export function eventId({ number }: EventStream, index: number): string {
  return `${number}-${index}`;
}
