/** What a legacy client and this server agreed on, and what is under way between them. */
import type { Implementation, LogLevel } from '../definition.ts';
import type { OutgoingNotification, RequestId } from '../protocol/json-rpc.ts';
import type { RevisionFeatures, Revision } from '../protocol/revisions.ts';
import type { JsonObject } from '../contract/json-schema.ts';
import { AskError, Asks, type AskWay } from './asks.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { InFlightRequest } from './in-flight-request.ts';
import { type EventBus, notificationOf } from './event-bus.ts';

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

  /** Aborts all that is under way; nothing of it is answered. */
  end(): void {
    for (const inFlight of this.inFlightRequests.values()) inFlight.cancel('The client has gone.');
  }
}

/** What client and server know of each other: for a session by `initialize`, else for one request by its `_meta`. */
export interface Agreement {
  revision: Revision;
  features: RevisionFeatures;
  clientInfo: Implementation | undefined;
  clientCapabilities: JsonObject;
}

/** Sends what belongs to no request. Never throws: a client that is gone is missed by its transport. */
export type Push = (message: OutgoingNotification) => void;

/** One stdio process, one socket, one `Mcp-Session-Id`. */
export class Session extends Channel {
  /** Absent until `initialize` has been answered. */
  agreement: Agreement | undefined;
  /** The answer to `initialize`, while others may have to wait for it. */
  opening: Promise<unknown> | undefined;
  /** `notifications/initialized` has come: anything may be sent. */
  ready = false;
  /** The least severe level the client wants to hear of. */
  logLevel: LogLevel;
  /** What the client has been asked. */
  readonly asks = new Asks();
  /** URIs of resources that the client wants to hear of. */
  readonly subscriptions = new Set<string>();
  /** Ends what it hears of the server's events. */
  leaveBus: (() => void) | undefined;
  /** Tells sessions apart where their ids must not be shown; absent where they have none. */
  hash: string | undefined;
  /** Set by the transport. */
  push: Push = () => undefined;
  /** Told of the scopes of what will be pushed: a subscription's, a task's. Set by the transport. */
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
  async ask(method: string, params: object | undefined, way: AskWay): Promise<Record<string, unknown>> {
    if (!this.ready) throw new AskError('The client is not ready to be asked.');
    return this.asks.ask(method, params, way);
  }

  override end(): void {
    super.end();
    this.asks.end();
    this.leaveBus?.();
  }
}

/** From now on until the session ends. */
export function tellSession(session: Session, bus: EventBus): void {
  session.leaveBus ??= bus.subscribe((event) => {
    // Its tasks are told by those who run them.
    if (event.kind === 'task-changed') return;
    if (event.kind === 'resource-updated' && !session.subscriptions.has(event.uri)) return;
    session.push(notificationOf(event));
  });
}
