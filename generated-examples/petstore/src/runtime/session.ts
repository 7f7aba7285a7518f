// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** A client: its agreement with the server, its requests in flight, and who takes its replies. Also what counts its calls. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Caller, Send } from './feature.ts';
import type { Agreement, ClientReply, Id, Notification } from './json-rpc.ts';
import { LIMITS } from './settings.ts';
import type { LogLevel } from './types.ts';

/** A request in progress. Most handlers never ask for the signal, which costs more than the rest of a quick call. */
export class Work {
  reason: string | undefined;
  isDone = false;
  /** What all contexts of the request share: progress must rise, and a handler in a loop must not flood its client. */
  reachedProgress = -Infinity;
  readonly #sent = { second: 0, progress: 0, log: 0 };
  #controller: AbortController | undefined;
  #listeners: Set<() => void> | undefined;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.reason !== undefined) this.#controller.abort(new DOMException(this.reason, 'AbortError'));
    return this.#controller.signal;
  }

  cancel(reason: string): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    for (const listener of this.#listeners ?? []) listener();
    this.#controller?.abort(new DOMException(reason, 'AbortError'));
  }

  /** False for what is over the count of this second: it is left out. */
  maySend(kind: 'progress' | 'log'): boolean {
    const second = Math.floor(Date.now() / 1_000);
    if (second !== this.#sent.second) Object.assign(this.#sent, { second, progress: 0, log: 0 });
    return ++this.#sent[kind] <= (kind === 'log' ? LIMITS.logsPerSecond : LIMITS.progressPerSecond);
  }

  onCancel(listener: () => void): () => void {
    if (this.reason !== undefined) {
      listener();
      return () => undefined;
    }
    (this.#listeners ??= new Set()).add(listener);
    return () => void this.#listeners?.delete(listener);
  }
}

/** 128 random bits. */
export function randomId(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url');
}

/** A client: a process on stdio, a session over HTTP, or one request of 2026-07-28. */
export class Session {
  /** Over HTTP, of one that its client may come back to. */
  id: string | undefined;
  agreement: Agreement | undefined;
  /** `notifications/initialized` has come: anything may be sent. */
  isReady = false;
  logLevel: LogLevel = 'info';
  caller: Caller | undefined;
  /** The key that limits are counted under. */
  client = '';
  readonly inFlight = new Map<Id, Work>();
  /** Take the client's replies to requests that a feature sends it. */
  readonly replies = new Map<Id, (reply: ClientReply) => void>();
  readonly #endings = new Set<() => void>();
  hasEnded = false;
  /** Sends what belongs to no request. Set by the transport. */
  push: (message: Notification) => void = () => undefined;
  /** For that, over HTTP. */
  stream: EventStream | undefined;
  usedAt = Date.now();

  /** A newer stream takes the place of the one before. @throws {RpcError} if the caller may not hear it */
  listen(stream: EventStream): void {
    if (stream.response.destroyed) return;
    stream.open();
    this.stream?.end();
    this.stream = stream;
    stream.response.once('close', () => (this.usedAt = Date.now()));
  }

  onEnd(ending: () => void): void {
    if (this.hasEnded) ending();
    else this.#endings.add(ending);
  }

  /** Cancels what is in flight; nothing of it is answered. */
  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    for (const work of this.inFlight.values()) work.cancel('The client has gone.');
    for (const ending of this.#endings) ending();
  }
}

export interface Exchange {
  session: Session;
  /** The caller of this request. Other requests of the session may come from callers with fewer rights. */
  caller?: Caller | undefined;
  send: Send;
  /** What `send` and the answer go to, over HTTP. */
  stream?: EventStream | undefined;
  /** The HTTP request that holds the message, and the revision that its headers state. */
  request?: IncomingMessage;
  headerVersion?: string | undefined;
}

/** Counts the calls of each client in a bucket that fills evenly. The clients seen longest ago are forgotten first. */
export class CallLimiter {
  readonly #callsPerMinute: number;
  readonly #buckets = new Map<string, { calls: number; at: number }>();

  constructor(callsPerMinute: number) {
    this.#callsPerMinute = callsPerMinute;
  }

  take(client: string): number {
    if (this.#callsPerMinute === Infinity) return 0;
    const now = Date.now();
    const { calls, at } = this.#buckets.get(client) ?? { calls: 0, at: now };
    const level = Math.max(0, calls - ((now - at) * this.#callsPerMinute) / 60_000);
    const isOver = level + 1 > this.#callsPerMinute;
    this.#buckets.delete(client);
    this.#buckets.set(client, { calls: isOver ? level : level + 1, at: now });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > LIMITS.countedClients && oldest !== undefined) this.#buckets.delete(oldest);
    return isOver ? Math.max(1, Math.ceil(60 / this.#callsPerMinute)) : 0;
  }
}

// Over HTTP.

export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};
const EVENT_HEADERS = {
  ...SECURITY_HEADERS,
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // Proxies of the nginx family hold streams back otherwise.
  'x-accel-buffering': 'no',
};

/** Called when events begin; what it returns is called when they end. @throws {RpcError} if the caller may not hear them */
export type Watch = () => (() => void) | undefined;

/** A response that carries events, from the first message on. */
export class EventStream {
  response: ServerResponse;
  readonly #held: HeldBytes;
  readonly #watch: Watch;
  hasBegun = false;

  constructor(response: ServerResponse, held: HeldBytes, watch: Watch = () => undefined) {
    this.response = response;
    this.#held = held;
    this.#watch = watch;
  }

  get isOpen(): boolean {
    return this.hasBegun && !this.response.writableEnded && !this.response.destroyed;
  }

  /** @throws {RpcError} if the caller may not hear it */
  open(): void {
    const { response } = this;
    if (response.destroyed || this.hasBegun) return;
    const release = this.#watch();
    this.hasBegun = true;
    response.writeHead(200, EVENT_HEADERS).flushHeaders();
    // Proxies close a connection that is silent for long.
    const timer = setInterval(() => {
      if (!response.writableEnded) response.write(':\n\n');
    }, LIMITS.keepAliveMs).unref();
    response.once('close', () => {
      release?.();
      clearInterval(timer);
    });
  }

  /** Resolves when there is room for more. */
  send(text: string): Promise<void> {
    return this.write(`event: message\ndata: ${text}\n\n`);
  }

  /** A client that reads too slowly is cut off, so that it notices that something is missing. */
  async write(event: string): Promise<void> {
    this.open();
    const { response } = this;
    if (!this.isOpen) return;
    if (response.writableLength > LIMITS.streamBytes) return void response.destroy();
    if (!response.write(event)) await this.#held.untilRead(response);
  }

  end(): void {
    this.response.end();
  }
}

/** What waits in memory, of all clients together. */
export class HeldBytes {
  /** Bytes of messages whose requests are not answered. */
  uploaded = 0;
  readonly #unread = new Map<{ readonly writableLength: number }, Promise<void>>();

  get isOver(): boolean {
    return this.uploaded + this.unread > LIMITS.heldBytes;
  }

  /** Bytes of answers that are written and not read. */
  get unread(): number {
    return [...this.#unread.keys()].reduce((bytes, { writableLength }) => bytes + writableLength, 0);
  }

  /** Counts what a client has not read, until it has, or has gone. */
  untilRead(output: Duplex | ServerResponse): Promise<void> {
    const reading =
      this.#unread.get(output) ??
      new Promise<void>((resolve) => {
        const settle = (): void => {
          output.off('drain', settle).off('close', settle);
          this.#unread.delete(output);
          resolve();
        };
        output.on('drain', settle).on('close', settle);
      });
    this.#unread.set(output, reading);
    return reading;
  }
}
