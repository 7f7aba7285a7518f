// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Channels and sessions: agreements with clients, events, and requests that the server sends. */
import { omitUndefined } from '../contract/json-value.ts';
import type { Json, JsonObject, SurfaceName } from '../contract/json-schema.ts';
import type { AskOptions, CallOnce, Implementation, LogLevel } from '../definition.ts';
import type { Outcome, OutgoingNotification, RequestId, ServerRequest } from '../protocol/json-rpc.ts';
import type { Revision, RevisionFeatures, ListName } from '../protocol/revisions.ts';
import type { Call, InFlightRequest } from './call.ts';
import type { Limiter } from './shared-state.ts';

/** Scope of request ids and rate limits: a process on stdio, a socket, a legacy session, or one modern request over HTTP. */
export class Channel {
  /** A list, since V8 keeps what was in a map that always changes until it collects old objects. */
  readonly inFlightRequests: InFlightRequest[] = [];
  readonly limiter: Limiter | undefined;
  /** The surface that the endpoint names (`?surface=`). Default: the server's first. */
  surface: SurfaceName | undefined;
  #endings: (() => void)[] | undefined;
  #hasEnded = false;

  constructor(limiter?: Limiter, surface?: SurfaceName) {
    this.limiter = limiter;
    this.surface = surface;
  }

  /** Cancels all requests in flight; none is answered. */
  end(): void {
    for (const inFlight of [...this.inFlightRequests]) inFlight.cancel('The client has gone.');
    this.#hasEnded = true;
    for (const ending of this.#endings?.splice(0) ?? []) ending();
  }

  /** Calls back once: when the channel ends, or now if it has ended. */
  whenEnded(callback: () => void): void {
    if (this.#hasEnded) callback();
    else (this.#endings ??= []).push(callback);
  }
}

/** Client and server agree in `initialize` for a session, in `_meta` for one request. */
export interface Agreement {
  revision: Revision;
  features: RevisionFeatures;
  clientInfo: Implementation | undefined;
  clientCapabilities: JsonObject;
}

export type SessionChange =
  { level: LogLevel } | { subscribed: string; scopes: readonly string[] } | { unsubscribed: string };

/** Sends a message of no request. Never throws, even if the client is gone. */
export type Push = (message: OutgoingNotification) => void;

/** A session: each stdio process, socket and `Mcp-Session-Id` has one. */
export class Session extends Channel {
  agreement: Agreement | undefined;
  /** The answer to `initialize`, while other requests wait for it. */
  opening: Promise<unknown> | undefined;
  /** `notifications/initialized` has come: anything may be sent. */
  ready = false;
  /** The least severe level that the client wants. */
  logLevel: LogLevel;
  readonly clientRequests = new PendingClientRequests();
  readonly subscriptions = new Set<string>();
  leaveBus: (() => void) | undefined;
  /** Names the session in logs, where its id must not be shown. */
  hash: string | undefined;
  /** One request alone (`--stateless`): no message of another request reaches the client, and the client is not asked. */
  isAlone = false;
  /** Another node that serves the session tells the client of changes. */
  isDeaf = false;
  /** Tells a change to other nodes that serve the session. */
  save: ((change: SessionChange) => Promise<void>) | undefined;
  push: Push = () => undefined;
  /** Called with the scopes of pushed messages. Set by the transport. */
  needs: (scopes: readonly string[]) => void = () => undefined;

  constructor(logLevel: LogLevel = 'info', limiter?: Limiter, surface?: SurfaceName) {
    super(limiter, surface);
    this.logLevel = logLevel;
  }

  /** @throws {AskError} also before `notifications/initialized` (Lifecycle, "Initialization") */
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

/** Lets anything be sent to the client from now on. */
export function makeReady(session: Session, { changes, bus }: { changes: boolean; bus: EventBus }): void {
  session.ready = true;
  if (!changes) return;
  session.leaveBus ??= bus.subscribe((event) => {
    // Tasks notify their own session.
    if (event.kind === 'task-changed' || session.isDeaf) return;
    if (event.kind === 'resource-updated' && !session.subscriptions.has(event.uri)) return;
    session.push(toNotification(event));
  });
}

export type ServerEvent =
  | { kind: 'list-changed'; list: Exclude<ListName, 'resourceTemplates'> }
  | { kind: 'resource-updated'; uri: string }
  | { kind: 'task-changed'; taskId: string };

export function toNotification(event: Exclude<ServerEvent, { kind: 'task-changed' }>): OutgoingNotification {
  if (event.kind === 'list-changed')
    return { jsonrpc: '2.0', method: `notifications/${event.list}/list_changed` };
  return { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: event.uri } };
}

export interface EventBus {
  publishEvent(event: ServerEvent): void;
  subscribe(listener: (event: ServerEvent) => void): () => void;
  /** Resolves once events of other nodes arrive too. */
  whenSubscribed?(): Promise<void>;
}

export class LocalEventBus implements EventBus {
  readonly #listeners = new Set<(event: ServerEvent) => void>();

  publishEvent(event: ServerEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

export class AskError extends Error {
  override readonly name = 'AskError';
}

interface Delivery {
  send: (message: ServerRequest | OutgoingNotification) => Promise<void>;
  signal: AbortSignal;
  timeoutMs: number;
}

interface OpenAsk {
  settle: (outcome: Outcome) => void;
  /** Cancels the request and rejects for the handler. */
  stop: (reason: string) => void;
}

class PendingClientRequests {
  readonly #open = new Map<RequestId, OpenAsk>();
  /** Begins the ids of requests if other nodes serve the session too, since ids must differ. */
  mark: string | undefined;
  /** Sends an answer to the node that asked. */
  forward: ((id: RequestId, outcome: Outcome) => void) | undefined;
  #over: string | undefined;
  #last = 0;

  /**
   * Resolves to the client's result.
   * @throws {AskError} if the client refuses, is gone, or takes too long; it is notified of the cancellation
   * (Lifecycle, "Timeouts")
   */
  async ask(
    method: string,
    params: object | undefined,
    delivery: Delivery,
  ): Promise<Record<string, unknown>> {
    const number = ++this.#last;
    const id = this.mark === undefined ? number : `${this.mark}-${number}`;
    if (delivery.signal.aborted)
      throw new AskError(`${method} was not asked: the call it belongs to has ended.`);
    if (this.#over !== undefined) throw new AskError(`${method} was not asked: ${this.#over}`);
    const [outcome] = await Promise.all([
      this.#awaitAnswer(id, method, delivery),
      delivery.send({ jsonrpc: '2.0', id, method, ...omitUndefined({ params }) }),
    ]);
    if ('result' in outcome) return { ...outcome.result };
    throw new AskError(
      `The client answered ${method} with the error ${outcome.error.code}: ${outcome.error.message}`,
    );
  }

  isElsewhere(id: RequestId | undefined): boolean {
    return this.mark !== undefined && id !== undefined && !String(id).startsWith(`${this.mark}-`);
  }

  answer(id: RequestId, outcome: Outcome): void {
    if (this.forward !== undefined && this.isElsewhere(id)) this.forward(id, outcome);
    else this.#open.get(id)?.settle(outcome);
  }

  end(): void {
    for (const { settle } of [...this.#open.values()])
      settle({ error: { code: 0, message: 'the session has ended' } });
  }

  /** No answer can come any more, but the calls go on. */
  giveUp(reason: string): void {
    this.#over = reason;
    for (const { stop } of [...this.#open.values()]) stop(reason);
  }

  async #awaitAnswer(id: RequestId, method: string, { send, signal, timeoutMs }: Delivery): Promise<Outcome> {
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
  /** Reserves a key at once, so that the order of keys doesn't depend on what is awaited. A key names one question of a call. */
  open(options: AskOptions): Question;
  /** Does `work` once, however often the handler runs. */
  remember<T extends Json>(key: string, work: () => T | Promise<T>): Promise<T>;
  /** Makes a call by code once. `inner` is for the questions of the called tool. */
  makeInnerCall<T>(options: CallOnce, work: (inner: ClientRequester) => Promise<T>): Promise<T>;
}

export interface Question {
  ask(method: string, params: object | undefined): Promise<Record<string, unknown>>;
  /** Makes the error for an answer that does not fit its question. */
  refuse(reason: string): Error;
  drop(): void;
}

export class QuestionKeys {
  readonly #kind: 'ask' | 'call';
  readonly #taken = new Set<string>();
  #last = 0;

  constructor(kind: 'ask' | 'call' = 'ask') {
    this.#kind = kind;
  }

  takeKey(key: string | undefined): string {
    const taken = key ?? `${this.#kind}-${++this.#last}`;
    const kinds = this.#kind === 'ask' ? 'questions of one call' : 'calls by one handler';
    if (this.#taken.has(taken)) throw new AskError(`Two ${kinds} have the key ${JSON.stringify(taken)}.`);
    this.#taken.add(taken);
    return taken;
  }
}

export abstract class WaitingRequester implements ClientRequester {
  readonly #keys = new QuestionKeys();
  readonly #calls = new QuestionKeys('call');

  open(options: AskOptions): Question {
    const key = this.#keys.takeKey(options.key);
    return {
      ask: async (method, params) => this.ask(key, method, params),
      refuse: (reason) => new AskError(reason),
      drop: () => undefined,
    };
  }

  async remember<T extends Json>(_key: string, work: () => T | Promise<T>): Promise<T> {
    return work();
  }

  async makeInnerCall<T>({ key }: CallOnce, work: (inner: ClientRequester) => Promise<T>): Promise<T> {
    return work(new InnerRequester(this, this.#calls.takeKey(key)));
  }

  abstract ask(key: string, method: string, params: object | undefined): Promise<Record<string, unknown>>;
}

/** Questions of a tool that code called: their keys begin with that of the call. */
class InnerRequester extends WaitingRequester {
  readonly #outer: WaitingRequester;
  readonly #call: string;

  constructor(outer: WaitingRequester, call: string) {
    super();
    this.#outer = outer;
    this.#call = call;
  }

  override async ask(
    key: string,
    method: string,
    params: object | undefined,
  ): Promise<Record<string, unknown>> {
    return this.#outer.ask(`${this.#call}/${key}`, method, params);
  }
}

export class SessionRequester extends WaitingRequester {
  readonly #call: Call;

  constructor(call: Call) {
    super();
    this.#call = call;
  }

  override async ask(
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

export interface LegacySession {
  readonly session: Session;
  /** Whether requests are in flight, or the client listens. */
  readonly isInUse: boolean;
  mark?(mark: string): void;
  stopListening(): void;
  end(): void;
}
