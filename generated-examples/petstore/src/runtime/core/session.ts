// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Channels and sessions: the agreement with a client, its requests in flight, the events that it is notified of, and
 * the requests that this server sends to it.
 */
import { definedMembers } from '../contract/json-value.ts';
import type { Json, JsonObject } from '../contract/json-schema.ts';
import type { AskOptions, Implementation, LogLevel } from '../definition.ts';
import type { Outcome, OutgoingNotification, RequestId, ServerRequest } from '../protocol/json-rpc.ts';
import type { Revision, RevisionFeatures } from '../protocol/revisions.ts';
import type { Call, InFlightRequest } from './call.ts';
import type { ListName } from './catalog-store.ts';

/**
 * Request ids must differ, and calls are counted, within one channel: a process on stdio, a socket, a legacy session, or one
 * modern request over HTTP.
 */
export class Channel {
  /** Requests in flight, by id. */
  readonly inFlightRequests = new Map<RequestId, InFlightRequest>();
  /** Absent: calls are not limited. */
  readonly limiter: RateLimiter | undefined;

  constructor(limiter?: RateLimiter) {
    this.limiter = limiter;
  }

  /** Cancels all requests in flight; none is answered. */
  end(): void {
    for (const inFlight of this.inFlightRequests.values()) inFlight.cancel('The client has gone.');
  }
}

/**
 * The revision and the client's capabilities: agreed on for a session by `initialize`, else for one request by its
 * `_meta`.
 */
export interface Agreement {
  revision: Revision;
  features: RevisionFeatures;
  clientInfo: Implementation | undefined;
  clientCapabilities: JsonObject;
}

/** Sends a message that belongs to no request. Never throws, even if the client is gone. */
export type Push = (message: OutgoingNotification) => void;

/** One stdio process, one socket, one `Mcp-Session-Id`. */
export class Session extends Channel {
  /** Absent until `initialize` has been answered. */
  agreement: Agreement | undefined;
  /** The answer to `initialize`, while other requests may have to wait for it. */
  opening: Promise<unknown> | undefined;
  /** `notifications/initialized` has come: anything may be sent. */
  ready = false;
  /** The least severe level of logs that the client wants. */
  logLevel: LogLevel;
  /** Requests sent to the client. */
  readonly clientRequests = new PendingClientRequests();
  /** URIs of resources that the client is subscribed to. */
  readonly subscriptions = new Set<string>();
  /** Ends the session's subscription to the event bus. */
  leaveBus: (() => void) | undefined;
  /** Identifies the session in logs, where its id must not be shown; absent if it has none. */
  hash: string | undefined;
  /** Set by the transport. */
  push: Push = () => undefined;
  /** Called with the scopes of messages that will be pushed: a subscription's, a task's. Set by the transport. */
  needs: (scopes: readonly string[]) => void = () => undefined;

  constructor(logLevel: LogLevel = 'info', limiter?: RateLimiter) {
    super(limiter);
    this.logLevel = logLevel;
  }

  /**
   * Asks the client.
   *
   * @throws {AskError} as `Asks.ask`, and before `notifications/initialized`, when nothing but `ping` may be asked
   * (Lifecycle, "Initialization")
   */
  async ask(
    method: string,
    params: object | undefined,
    delivery: Delivery,
  ): Promise<Record<string, unknown>> {
    if (!this.ready) throw new AskError('The client is not ready to be asked.');
    return this.clientRequests.ask(method, params, delivery);
  }

  override end(): void {
    super.end();
    this.clientRequests.end();
    this.leaveBus?.();
  }
}

/** Pushes events of the bus to the session until it ends. */
export function subscribeSession(session: Session, bus: EventBus): void {
  session.leaveBus ??= bus.subscribe((event) => {
    // Tasks notify their own session.
    if (event.kind === 'task-changed') return;
    if (event.kind === 'resource-updated' && !session.subscriptions.has(event.uri)) return;
    session.push(toNotification(event));
  });
}

export type ServerEvent =
  | { kind: 'list-changed'; list: Exclude<ListName, 'resourceTemplates'> }
  | { kind: 'resource-updated'; uri: string }
  | { kind: 'task-changed'; taskId: string };

/** The notification of an event. A task's notification depends on the era. */
export function toNotification(event: Exclude<ServerEvent, { kind: 'task-changed' }>): OutgoingNotification {
  if (event.kind === 'list-changed')
    return { jsonrpc: '2.0', method: `notifications/${event.list}/list_changed` };
  return { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: event.uri } };
}

export interface EventBus {
  publish(event: ServerEvent): void;
  /** @returns what ends it */
  subscribe(listener: (event: ServerEvent) => void): () => void;
}

/** A bus for the clients of one process. */
export class LocalEventBus implements EventBus {
  readonly #listeners = new Set<(event: ServerEvent) => void>();

  publish(event: ServerEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

// Requests that this server sends to clients: pending ones, their keys, and how a call asks its own client.

/** The client did not answer a question. The message says why, for the handler that asked. */
export class AskError extends Error {
  override readonly name = 'AskError';
}

/** How a request goes out, and how long it may take. */
interface Delivery {
  send: (message: ServerRequest | OutgoingNotification) => Promise<void>;
  /** Aborts when the answer is not needed any more. */
  signal: AbortSignal;
  timeoutMs: number;
}

interface OpenAsk {
  settle: (outcome: Outcome) => void;
  /** Cancels the request, notifies the client, and rejects for the handler that asked. */
  stop: (reason: string) => void;
}

class PendingClientRequests {
  readonly #open = new Map<RequestId, OpenAsk>();
  /** Why no request can be sent any more. */
  #over: string | undefined;
  #last = 0;

  /**
   * Sends a request and resolves to the client's result.
   *
   * @throws {AskError} when the client refuses, takes too long, or is gone; the client is notified that the
   * request is cancelled (Lifecycle, "Timeouts").
   */
  async ask(
    method: string,
    params: object | undefined,
    delivery: Delivery,
  ): Promise<Record<string, unknown>> {
    const id = ++this.#last;
    if (delivery.signal.aborted)
      throw new AskError(`${method} was not asked: the call it belongs to has ended.`);
    if (this.#over !== undefined) throw new AskError(`${method} was not asked: ${this.#over}`);
    const [outcome] = await Promise.all([
      this.#await(id, method, delivery),
      delivery.send({ jsonrpc: '2.0', id, method, ...definedMembers({ params }) }),
    ]);
    if ('result' in outcome) return { ...outcome.result };
    throw new AskError(
      `The client answered ${method} with the error ${outcome.error.code}: ${outcome.error.message}`,
    );
  }

  /** Takes the client's answer. A second one, and one to no open request, is ignored. */
  answer(id: RequestId, outcome: Outcome): void {
    this.#open.get(id)?.settle(outcome);
  }

  /** The session has ended: no answer will come. */
  end(): void {
    for (const { settle } of [...this.#open.values()])
      settle({ error: { code: 0, message: 'the session has ended' } });
  }

  /** No answer can come any more, though the calls that asked go on. */
  giveUp(reason: string): void {
    this.#over = reason;
    for (const { stop } of [...this.#open.values()]) stop(reason);
  }

  async #await(id: RequestId, method: string, { send, signal, timeoutMs }: Delivery): Promise<Outcome> {
    let timer: NodeJS.Timeout | undefined;
    let giveUp: (() => void) | undefined;
    try {
      return await new Promise<Outcome>((resolve, reject) => {
        const stop = (reason: string): void => {
          const params = { requestId: id, reason };
          void send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
          reject(new AskError(`${method} was given up: ${reason}`));
        };
        giveUp = () => stop('The call it belongs to has ended.');
        this.#open.set(id, { settle: resolve, stop });
        signal.addEventListener('abort', giveUp, { once: true });
        timer = setTimeout(() => stop(`No answer came in ${timeoutMs} ms.`), timeoutMs);
      });
    } finally {
      this.#open.delete(id);
      clearTimeout(timer);
      if (giveUp !== undefined) signal.removeEventListener('abort', giveUp);
    }
  }
}

export interface ClientRequester {
  /**
   * Reserves a key for a question, at once, so that keys given by order do not depend on what is awaited. A key names
   * one question of a call.
   */
  open(options: AskOptions): Question;
  /** The result of `work`, done once however often the handler runs. */
  remember<T extends Json>(key: string, work: () => T | Promise<T>): Promise<T>;
}

export interface Question {
  /** Resolves to the client's result, which is not checked yet. */
  ask(method: string, params: object | undefined): Promise<Record<string, unknown>>;
  /** Refuses an answer that does not fit its question. */
  refuse(reason: string): Error;
  /** Cancels the question. */
  drop(): void;
}

/** The keys of one run of a handler. */
export class QuestionKeys {
  readonly #taken = new Set<string>();
  #last = 0;

  take(key: string | undefined): string {
    const taken = key ?? `ask-${++this.#last}`;
    if (this.#taken.has(taken))
      throw new AskError(`Two questions of one call have the key ${JSON.stringify(taken)}.`);
    this.#taken.add(taken);
    return taken;
  }
}

/** Asks while the handler waits. The handler runs only once. */
export abstract class WaitingRequester implements ClientRequester {
  readonly #keys = new QuestionKeys();

  open(options: AskOptions): Question {
    const key = this.#keys.take(options.key);
    return {
      ask: async (method, params) => this.ask(key, method, params),
      refuse: (reason) => new AskError(reason),
      drop: () => undefined,
    };
  }

  async remember<T extends Json>(_key: string, work: () => T | Promise<T>): Promise<T> {
    return work();
  }

  protected abstract ask(
    key: string,
    method: string,
    params: object | undefined,
  ): Promise<Record<string, unknown>>;
}

/** Asks by requests on a legacy session. */
export class SessionRequester extends WaitingRequester {
  readonly #call: Call;

  constructor(call: Call) {
    super();
    this.#call = call;
  }

  protected override async ask(
    _key: string,
    method: string,
    params: object | undefined,
  ): Promise<Record<string, unknown>> {
    const { session, context, server, inFlight } = this.#call;
    if (session === undefined)
      throw new AskError('Nothing can be asked here: calls of tools, prompts and resources may ask.');
    if (inFlight.done) throw new AskError(`${method} was not asked: the call it belongs to has ended.`);
    return session.ask(method, params, {
      send: (message) => context.send(message),
      signal: inFlight.signal,
      timeoutMs: server.limits.askTimeoutMs,
    });
  }
}

/** Counts events against a number in a time: a bucket that refills steadily, and starts full. */
export class RateLimiter {
  readonly #count: number;
  readonly #now: () => number;
  readonly #periodMs: number;
  #tokens: number;
  #at: number;

  /** Allows `count` events in `periodMs` (default: a minute). `now` is in milliseconds. */
  constructor(count: number, now: () => number = Date.now, periodMs = 60_000) {
    this.#count = count;
    this.#now = now;
    this.#periodMs = periodMs;
    this.#tokens = count;
    this.#at = now();
  }

  /** Seconds until an event is allowed; 0 when one is. */
  get waitSeconds(): number {
    this.#refill();
    if (this.#tokens >= 1) return 0;
    return Math.ceil(((1 - this.#tokens) * this.#periodMs) / this.#count / 1_000);
  }

  /** Spends one event, if one is left. */
  take(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Refunds one event. */
  giveBack(): void {
    this.#tokens = Math.min(this.#count, this.#tokens + 1);
  }

  #refill(): void {
    const now = this.#now();
    const earned = (Math.max(0, now - this.#at) * this.#count) / this.#periodMs;
    this.#tokens = Math.min(this.#count, this.#tokens + earned);
    this.#at = now;
  }
}

/** A session with the transport of its messages. */
export interface LegacySession {
  readonly session: Session;
  /** Whether requests are in flight, or the client listens. */
  readonly isInUse: boolean;
  /** Ends the stream that waits for messages. Requests in flight go on. */
  stopListening(): void;
  end(): void;
}
