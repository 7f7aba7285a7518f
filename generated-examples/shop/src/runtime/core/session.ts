/** What a legacy client and this server agreed on, and what is under way between them. */
import type { Implementation, LogLevel } from '../definition.ts';
import type { RequestId } from '../protocol/json-rpc.ts';
import type { RevisionFeatures, Revision } from '../protocol/revisions.ts';
import type { JsonObject } from '../schema/json-schema.ts';
import { Asks } from './asks.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Work } from './work.ts';

/** What `initialize` settled. */
export interface Agreement {
  revision: Revision;
  features: RevisionFeatures;
  clientInfo: Implementation | undefined;
  clientCapabilities: JsonObject;
}

/** One stdio process, or one `Mcp-Session-Id`. */
export class Session {
  /** Absent until `initialize` has been answered. */
  agreement: Agreement | undefined;
  /** The answer to `initialize`, while others may have to wait for it. */
  opening: Promise<unknown> | undefined;
  /** `notifications/initialized` has come: anything may be sent. */
  ready = false;
  /** The least severe level the client wants to hear of. */
  logLevel: LogLevel;
  /** Requests at work, by id. */
  readonly inFlight = new Map<RequestId, Work>();
  /** What the client has been asked. */
  readonly asks = new Asks();
  /** Absent: calls are not limited. */
  readonly limiter: RateLimiter | undefined;

  constructor(logLevel: LogLevel = 'info', limiter?: RateLimiter) {
    this.logLevel = logLevel;
    this.limiter = limiter;
  }

  /** Aborts all that is under way; nothing of it is answered. */
  end(): void {
    for (const work of this.inFlight.values()) work.cancel('The session has ended.');
    this.asks.end();
  }
}
