// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** A client: its agreement with the server, its requests in flight, and those that the server sends it. Also what counts its calls. */
import type { Caller, Change, Send } from './feature.ts';
import type { Agreement, ClientReply, Id, Notification, Request } from './json-rpc.ts';
import { LIMITS } from './settings.ts';
import type { LogLevel } from './types.ts';

/** A request in progress. Most handlers never ask for the signal, which costs more than the rest of a quick call. */
export class Work {
  /** Why the call was cancelled. */
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

  /** Returns the removal of the listener. */
  onCancel(listener: () => void): () => void {
    if (this.reason !== undefined) listener();
    (this.#listeners ??= new Set()).add(listener);
    return () => void this.#listeners?.delete(listener);
  }
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
  /** Requests to the client that wait for its reply. */
  readonly #asked = new Map<Id, (reply: ClientReply) => void>();
  readonly #endings = new Set<() => void>();
  #lastId = 0;
  #hasEnded = false;
  /** Sends what belongs to no request. Set by the transport. */
  push: (message: Notification) => void = () => undefined;

  /** Asks the client over `send`, by default over that of the session. Rejects when the session ends. */
  ask(method: string, params: object, send: Send = this.push): Promise<Record<string, unknown>> {
    const id = `server-${++this.#lastId}`;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, (reply) => {
        this.#asked.delete(id);
        if ('result' in reply) resolve(reply.result);
        else reject(new Error(`The client refused ${method}: ${reply.error.message}`));
      });
      void send({ jsonrpc: '2.0', id, method, params });
    });
  }

  receiveReply(id: Id, reply: ClientReply): void {
    this.#asked.get(id)?.(reply);
  }

  onEnd(ending: () => void): void {
    if (this.#hasEnded) ending();
    else this.#endings.add(ending);
  }

  /** Cancels what is in flight; nothing of it is answered. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const work of this.inFlight.values()) work.cancel('The client has gone.');
    for (const settle of this.#asked.values())
      settle({ error: { code: 0, message: 'the session has ended' } });
    for (const ending of this.#endings) ending();
  }
}

/** What the transport knows of a message. */
export interface Exchange {
  session: Session;
  /** Sends a message of the request, before its reply. */
  send: Send;
  /** The revision that the transport's headers name. */
  headerVersion?: string | undefined;
  /** Compares headers with the body of a request of 2026-07-28. @throws {RpcError} */
  compareHeaders?: (request: Request, revision: string) => void;
}

/** Tells changes to those who subscribed. Another feature may tell them to other nodes too. */
export class EventBus {
  readonly #listeners = new Set<(change: Change) => void>();

  publish(change: Change): void {
    for (const listener of [...this.#listeners]) listener(change);
  }

  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
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
