/** A legacy session as Streamable HTTP has it: with the streams that carry what the server sends. */
import type { Session } from '../../core/session.ts';
import type { Limits } from '../../limits.ts';
import type { Hold } from '../byte-bound.ts';
import { EventStreams, type ReplayLimits } from './event-streams.ts';
import type { LegacySession } from './session-store.ts';
import { writeJson } from '../../contract/json-text.ts';

export class HttpSession implements LegacySession {
  readonly session: Session;
  readonly streams: EventStreams;

  constructor(session: Session, limits: ReplayLimits, hold?: Hold) {
    this.session = session;
    this.streams = new EventStreams(limits, hold);
    // For the stream of GET, now or when there is one.
    session.push = (message) => this.streams.listening.add(writeJson(message));
    session.needs = (scopes) => this.streams.listening.needs(scopes);
  }

  get isInUse(): boolean {
    const isWaitedFor = [...this.session.inFlightRequests.values()].some(({ cancelled }) => !cancelled);
    return isWaitedFor || this.streams.listening.isCarried;
  }

  /** When its client comes back after the end of a connection; undefined for revisions without that. */
  retryMs({ retryMs }: Pick<Limits, 'retryMs'>): number | undefined {
    return this.session.agreement?.features.polling === true ? retryMs : undefined;
  }

  stopListening(): void {
    this.streams.listening.leave();
  }

  end(): void {
    this.session.end();
    this.streams.end();
  }
}
