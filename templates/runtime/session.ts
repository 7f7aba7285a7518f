// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** A client: its agreement with the server, its requests in flight, and who takes its replies. Also what counts its calls. */
import type { IncomingMessage } from 'node:http';
import type { Caller, Send } from './feature.ts';
import type { EventStream } from './http.ts';
import type { Agreement, ClientReply, Id, Notification, Request } from './json-rpc.ts';
import type { Server } from './server.ts';
import { LIMITS } from './settings.ts';
import type { LogLevel } from './types.ts';

/** A request in progress. Most handlers never ask for the signal, which costs more than the rest of a quick call. */
export class Work {
  reason: string | undefined;
  isDone = false;
  /** What all contexts of the request share: progress must rise, and a handler in a loop must not flood its client. */
  reachedProgress = -Infinity;
  readonly mayProgress = perSecond(LIMITS.progressPerSecond);
  readonly mayLog = perSecond(LIMITS.logsPerSecond);
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

  onCancel(listener: () => void): () => void {
    if (this.reason !== undefined) listener();
    (this.#listeners ??= new Set()).add(listener);
    return () => void this.#listeners?.delete(listener);
  }
}

/** 128 random bits. */
export function randomId(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url');
}

/** What is over the count is left out. */
function perSecond(limit: number): () => boolean {
  let second = 0;
  let count = 0;
  return () => {
    const now = Math.floor(Date.now() / 1_000);
    count = now === second ? count + 1 : 1;
    second = now;
    return count <= limit;
  };
}

/** A client: a process on stdio, a session over HTTP, or one request of 2026-07-28. */
export class Session {
  agreement: Agreement | undefined;
  /** `notifications/initialized` has come: anything may be sent. */
  isReady = false;
  logLevel: LogLevel = 'info';
  caller: Caller | undefined;
  /** Whom limits count. */
  client = '';
  readonly inFlight = new Map<Id, Work>();
  readonly subscriptions = new Set<string>();
  /** The last id of a request that was sent to the client. Nodes of one session begin at different ones. */
  readonly asked = { last: 0 };
  /** Take the client's replies to requests that a feature sends it. */
  readonly replies = new Map<Id, (reply: ClientReply) => void>();
  readonly #endings = new Set<() => void>();
  #hasEnded = false;
  /** Sends what belongs to no request. Set by the transport. */
  push: (message: Notification) => void = () => undefined;
  /** Takes a stream for that, over HTTP. Set by the transport. @throws {RpcError} if the caller may not hear it */
  listen: (stream: EventStream) => void = () => undefined;

  onEnd(ending: () => void): void {
    if (this.#hasEnded) ending();
    else this.#endings.add(ending);
  }

  /** Cancels what is in flight; nothing of it is answered. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const work of this.inFlight.values()) work.cancel('The client has gone.');
    for (const ending of this.#endings) ending();
  }
}

export interface Exchange {
  session: Session;
  /** Of this request. Others of the session may have less rights. */
  caller?: Caller | undefined;
  send: Send;
  /** What `send` and the answer go to, over HTTP. */
  stream?: EventStream | undefined;
  /** The HTTP request that holds the message. */
  request?: IncomingMessage;
  /** Of a session over HTTP. */
  sessionId?: string | undefined;
  headerVersion?: string | undefined;
  /** Compares headers with the body of a request of 2026-07-28, which `server` answers. @throws {RpcError} */
  compareHeaders?: (request: Request, revision: string, server: Server) => void;
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
    const left = Math.max(0, calls - ((now - at) * this.#callsPerMinute) / 60_000);
    const isOver = left + 1 > this.#callsPerMinute;
    this.#buckets.delete(client);
    this.#buckets.set(client, { calls: isOver ? left : left + 1, at: now });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > LIMITS.countedClients && oldest !== undefined) this.#buckets.delete(oldest);
    return isOver ? Math.max(1, Math.ceil(60 / this.#callsPerMinute)) : 0;
  }
}
