// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The open sessions of legacy clients over HTTP. In memory: one process serves a session from its beginning to its end. */
import { createHash, randomBytes } from 'node:crypto';
import { writeJson } from '../../contract/json-value.ts';
import { Session } from '../../core/session.ts';
import type { Limits } from '../../limits.ts';
import type { Hold } from '../conversation.ts';
import { KeyCounter } from './client-limits.ts';
import { EventStreams, type ReplayLimits } from './event-stream.ts';
import { HttpRefusal } from './http-answer.ts';
import type { HttpContext } from './http-handler.ts';

/** A session and what carries its messages. */
export interface LegacySession {
  readonly session: Session;
  /** Requests are in flight, or its client listens. */
  readonly isInUse: boolean;
  /** Ends the stream that waits for messages. Requests in flight go on. */
  stopListening(): void;
  end(): void;
}

interface Entry {
  session: LegacySession;
  usedAt: number;
  /** Subject of the session's caller; undefined without authentication. */
  subject: string | undefined;
  /** The key that it is counted by. */
  client: string;
}

type SessionLimits = Pick<Limits, 'sessions' | 'sessionsPerClient' | 'sessionIdleMs'>;

export class SessionStore {
  readonly #limits: SessionLimits;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  /** Sessions by client. */
  readonly #counts = new KeyCounter();
  #sweptAt: number;
  #isStopping = false;

  constructor(limits: SessionLimits, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
    this.#sweptAt = now();
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  get size(): number {
    return this.#entries.size;
  }

  /**
   * Makes room for one more session of `client`, if it can. Expired sessions end first. A client at its limit loses its least
   * recently used session. In a full store, the client with most sessions loses one, unless `client` would then have more.
   * Sessions in use stay.
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

  /** Undefined if it was never opened, has ended or expired, or is another subject's. */
  use(id: string, subject?: string): LegacySession | undefined {
    const now = this.#now();
    // Often enough that none stays much too long, and rarely enough to cost nothing.
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
   * Ends the streams that wait for messages, for good: a stopping server need not wait for them. Requests in flight go on, but
   * don't wait for answers of their clients, which no connection could bring.
   */
  endListening(): void {
    this.#isStopping = true;
    for (const { session } of this.#entries.values()) {
      session.session.clientRequests.giveUp('The server is stopping.');
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

  /** Ends an expired session. One in use never expires. */
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
    // Waits for the stream of a GET, if there is none.
    session.push = (message) => this.streams.listening.add(writeJson(message));
    session.needs = (scopes) => this.streams.listening.needs(scopes);
  }

  get isInUse(): boolean {
    const isWaitedFor = [...this.session.inFlightRequests.values()].some(({ cancelled }) => !cancelled);
    return isWaitedFor || this.streams.listening.isCarried;
  }

  /** Time until its client reconnects; undefined for revisions without that. */
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

/** @throws {HttpRefusal} 503 when there is no room for one more session of `client`, or the server stops */
export function newSession({ sessions, limiters, logLevel }: HttpContext, client: string): Session {
  if (sessions.isStopping) throw new HttpRefusal(503, 'The server is stopping.');
  if (!sessions.makeRoom(client)) throw noRoom();
  return new Session(logLevel, limiters.limiterFor(client));
}

export function noRoom(): HttpRefusal {
  return new HttpRefusal(503, 'Too many sessions are open. Try again later.', { 'retry-after': '60' });
}
