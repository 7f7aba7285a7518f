/** Where request ids must differ, and calls are counted: a process on stdio, a socket, a legacy session, or one modern request over HTTP. */
import type { RequestId } from '../protocol/json-rpc.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { InFlightRequest } from './in-flight-request.ts';

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
