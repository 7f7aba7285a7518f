/** The open sessions of legacy clients over HTTP. In memory: one process serves a session from its beginning to its end. */
import { createHash, randomBytes } from 'node:crypto';
import { writeJson } from '../../contract/json-text.ts';
import { Session } from '../../core/session.ts';
import type { Limits } from '../../limits.ts';
import type { Hold } from '../byte-bound.ts';
import { EventStreams, type ReplayLimits } from './event-stream.ts';
import { HttpRefusal } from './http-answer.ts';
import type { HttpContext } from './http-context.ts';
import { KeyCounter } from './rate-limit-key.ts';

/** A session and what carries its messages. */
export interface LegacySession {
  readonly session: Session;
  /** Requests are at work, or its client listens. */
  readonly isInUse: boolean;
  /** Ends the stream that waits for what may come. Calls under way go on. */
  stopListening(): void;
  end(): void;
}

interface Entry {
  session: LegacySession;
  usedAt: number;
  /** Whose it is; undefined: nobody was asked. */
  subject: string | undefined;
  /** Whom it counts for. */
  client: string;
}

type SessionLimits = Pick<Limits, 'sessions' | 'sessionsPerClient' | 'sessionIdleMs'>;

export class SessionStore {
  readonly #limits: SessionLimits;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  /** Sessions by client. */
  readonly #counts = new KeyCounter();
  /** When those that expired were last looked for. */
  #sweptAt: number;
  #isStopping = false;

  constructor(limits: SessionLimits, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
    this.#sweptAt = now();
  }

  /** Nobody may listen any more. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  get size(): number {
    return this.#entries.size;
  }

  /**
   * Makes room for one more session of `client`, and says whether there is. First those that expired go. Then, of a client
   * that has all it may have, its own least recently used goes; and where all are taken, that of the client that has the
   * most, unless this one would then have more. None goes that is in use.
   */
  makeRoom(client: string): boolean {
    const { sessions, sessionsPerClient } = this.#limits;
    if (this.#entries.size < sessions && this.#counts.get(client) < sessionsPerClient) return true;
    this.#sweep(this.#now());
    if (this.#counts.get(client) >= sessionsPerClient && !this.#giveUpOne(client)) return false;
    if (this.#entries.size < sessions) return true;
    const [largest, count] = this.#counts.largest();
    return count > this.#counts.get(client) + 1 && this.#giveUpOne(largest);
  }

  /**
   * Opens `session` under a new id: 128 random bits, visible ASCII.
   *
   * @param client whom it counts for
   */
  open(session: LegacySession, client: string, subject?: string): string {
    const id = randomBytes(16).toString('base64url');
    session.session.hash = createHash('sha256').update(id).digest('base64url').slice(0, 16);
    this.#entries.set(id, { session, usedAt: this.#now(), subject, client });
    this.#counts.add(client);
    return id;
  }

  /** Undefined when it was never opened, has ended or has expired, or is another subject's. */
  use(id: string, subject?: string): LegacySession | undefined {
    const now = this.#now();
    // Often enough for none to stay much longer than it may, and seldom enough to cost nothing.
    if (now - this.#sweptAt > this.#limits.sessionIdleMs / 10) this.#sweep(now);
    const entry = this.#entries.get(id);
    if (entry === undefined || this.#hasExpired(id, entry, now) || entry.subject !== subject)
      return undefined;
    entry.usedAt = now;
    return entry.session;
  }

  end(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#counts.remove(entry.client);
    entry.session.end();
  }

  endAll(): void {
    for (const id of [...this.#entries.keys()]) this.end(id);
  }

  /**
   * Ends the streams that wait for what may come, and lets no client listen again: a server that stops need not wait
   * with them. Calls under way go on, but not for an answer of their client: no connection is left to bring it.
   */
  endListening(): void {
    this.#isStopping = true;
    for (const { session } of this.#entries.values()) {
      session.session.asks.giveUp('The server is stopping.');
      session.stopListening();
    }
  }

  /** Ends the least recently used session of `client` that is not in use; false where all are. */
  #giveUpOne(client: string): boolean {
    let oldest: [id: string, usedAt: number] | undefined;
    for (const [id, entry] of this.#entries) {
      if (entry.client !== client || entry.session.isInUse) continue;
      if (oldest === undefined || entry.usedAt < oldest[1]) oldest = [id, entry.usedAt];
    }
    if (oldest === undefined) return false;
    this.end(oldest[0]);
    return true;
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [id, entry] of this.#entries) this.#hasExpired(id, entry, now);
  }

  /** Ends it if so. One with work under way, or whose client listens, is in use, however long that takes. */
  #hasExpired(id: string, entry: Entry, now: number): boolean {
    if (now - entry.usedAt < this.#limits.sessionIdleMs) return false;
    if (entry.session.isInUse) {
      entry.usedAt = now;
      return false;
    }
    this.end(id);
    return true;
  }
}

/** A legacy session as Streamable HTTP has it: with the streams that carry what the server sends. */
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

/** @throws {HttpRefusal} 503 when there is no room for one more of `client`, or none is wanted */
export function newSession({ sessions, limiters, logLevel }: HttpContext, client: string): Session {
  if (sessions.isStopping) throw new HttpRefusal(503, 'The server is stopping.');
  if (!sessions.makeRoom(client)) throw noRoom();
  return new Session(logLevel, limiters.limiterOf(client));
}

export function noRoom(): HttpRefusal {
  return new HttpRefusal(503, 'Too many sessions are open. Try again later.', { 'retry-after': '60' });
}
