/** Where request ids must differ, and calls are counted: a process on stdio, a socket, a legacy session, or one modern request over HTTP. */
import type { RequestId } from '../protocol/json-rpc.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Work } from './work.ts';

export class Channel {
  /** Requests at work, by id. */
  readonly inFlight = new Map<RequestId, Work>();
  /** Absent: calls are not limited. */
  readonly limiter: RateLimiter | undefined;

  constructor(limiter?: RateLimiter) {
    this.limiter = limiter;
  }

  /** Aborts all that is under way; nothing of it is answered. */
  end(): void {
    for (const work of this.inFlight.values()) work.cancel('The client has gone.');
  }
}
