/** A legacy session as Streamable HTTP has it: with the streams that carry what the server sends. */
import type { Session } from '../../core/session.ts';
import type { Limits } from '../../limits.ts';
import type { OutgoingNotification, ServerRequest } from '../../protocol/json-rpc.ts';
import { EventStreams, type ReplayLimits } from './event-streams.ts';

export class HttpSession {
  readonly session: Session;
  readonly streams: EventStreams;

  constructor(session: Session, limits: ReplayLimits) {
    this.session = session;
    this.streams = new EventStreams(limits);
    session.push = (message) => this.push(message);
  }

  /** Requests are at work, or its client listens. */
  get isInUse(): boolean {
    return this.session.inFlight.size > 0 || this.streams.listening.isCarried;
  }

  /** When its client comes back after the end of a connection; undefined for revisions without that. */
  retryMs({ retryMs }: Pick<Limits, 'retryMs'>): number | undefined {
    return this.session.agreement?.features.polling === true ? retryMs : undefined;
  }

  /** Sends what belongs to no request: on the stream of GET, now or when there is one. */
  push(message: OutgoingNotification | ServerRequest): void {
    this.streams.listening.add(JSON.stringify(message));
  }

  end(): void {
    this.session.end();
    this.streams.end();
  }
}
