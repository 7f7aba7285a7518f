// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Channels and sessions: the agreement with a client, its requests in flight, and the events that it hears of. */
import type { Implementation, LogLevel } from '../definition.ts';
import type { OutgoingNotification, RequestId } from '../protocol/json-rpc.ts';
import type { RevisionFeatures, Revision } from '../protocol/revisions.ts';
import type { JsonObject } from '../contract/json-schema.ts';
import { AskError, PendingClientRequests, type Delivery } from './client-requests.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { InFlightRequest } from './call.ts';
import type { ListName } from './catalog-store.ts';

/**
 * Request ids must differ, and calls are counted, within one channel: a process on stdio, a socket, a legacy session, or one
 * modern request over HTTP.
 */
export class Channel {
  /** Requests at work, by id. */
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

/** The revision and the client's capabilities: of a session by `initialize`, else of one request by its `_meta`. */
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
  readonly asks = new PendingClientRequests();
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
  async ask(method: string, params: object | undefined, way: Delivery): Promise<Record<string, unknown>> {
    if (!this.ready) throw new AskError('The client is not ready to be asked.');
    return this.asks.ask(method, params, way);
  }

  override end(): void {
    super.end();
    this.asks.end();
    this.leaveBus?.();
  }
}

/** Pushes events of the bus to the session until it ends. */
export function tellSession(session: Session, bus: EventBus): void {
  session.leaveBus ??= bus.subscribe((event) => {
    // Tasks notify their own session.
    if (event.kind === 'task-changed') return;
    if (event.kind === 'resource-updated' && !session.subscriptions.has(event.uri)) return;
    session.push(notificationOf(event));
  });
}

export type ServerEvent =
  | { kind: 'list-changed'; list: Exclude<ListName, 'resourceTemplates'> }
  | { kind: 'resource-updated'; uri: string }
  | { kind: 'task-changed'; taskId: string };

/** The notification of an event. A task's notification depends on the era. */
export function notificationOf(event: Exclude<ServerEvent, { kind: 'task-changed' }>): OutgoingNotification {
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
