// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Channels and sessions: agreements with clients, events, and requests that the server sends. */
import type { Json, JsonObject, SurfaceName } from '../contract/json-schema.ts';
import type { AskOptions, CallOnce, Implementation, LogLevel } from '../definition.ts';
import type { Outcome, OutgoingNotification, RequestId } from '../protocol/json-rpc.ts';
import type { Revision, RevisionFeatures, ListName } from '../protocol/revisions.ts';
import type { InFlightRequest } from './call.ts';
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
  readonly openAsks = new Map<RequestId, OpenAsk>();
  /** Begins the ids of requests to the client if other nodes serve the session too, since ids must differ. */
  mark: string | undefined;
  /** Sends an answer to the node that asked. */
  forward: ((id: RequestId, outcome: Outcome) => void) | undefined;
  /** Why the client can't be asked any more. */
  unaskable: string | undefined;
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

  isAskedElsewhere(id: RequestId | undefined): boolean {
    return this.mark !== undefined && id !== undefined && !String(id).startsWith(`${this.mark}-`);
  }

  receiveAnswer(id: RequestId, outcome: Outcome): void {
    if (this.forward !== undefined && this.isAskedElsewhere(id)) this.forward(id, outcome);
    else this.openAsks.get(id)?.settle(outcome);
  }

  /** No answer can come any more, but the calls go on. */
  giveUpAsks(reason: string): void {
    this.unaskable = reason;
    for (const { stop } of [...this.openAsks.values()]) stop(reason);
  }

  override end(): void {
    super.end();
    for (const { settle } of [...this.openAsks.values()])
      settle({ error: { code: 0, message: 'the session has ended' } });
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
    session.push(eventToNotification(event));
  });
}

export type ServerEvent =
  | { kind: 'list-changed'; list: Exclude<ListName, 'resourceTemplates'> }
  | { kind: 'resource-updated'; uri: string }
  | { kind: 'task-changed'; taskId: string };

export function eventToNotification(
  event: Exclude<ServerEvent, { kind: 'task-changed' }>,
): OutgoingNotification {
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

/** A request to the client that waits for its answer. */
export interface OpenAsk {
  settle: (outcome: Outcome) => void;
  /** Cancels the request and rejects for the handler. */
  stop: (reason: string) => void;
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

export interface LegacySession {
  readonly session: Session;
  /** Whether requests are in flight, or the client listens. */
  readonly isInUse: boolean;
  mark?(mark: string): void;
  stopListening(): void;
  end(): void;
}
