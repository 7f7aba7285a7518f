/** The open sessions of legacy clients over HTTP. In memory: one process serves a session from its beginning to its end. */
import { randomBytes } from 'node:crypto';
import type { Session } from '../../core/session.ts';
import type { Limits } from '../../limits.ts';

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
}

export class SessionStore {
  readonly #limits: Pick<Limits, 'sessions' | 'sessionIdleMs'>;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  /** When those that expired were last looked for. */
  #sweptAt: number;
  #isStopping = false;

  constructor(limits: Pick<Limits, 'sessions' | 'sessionIdleMs'>, now: () => number = Date.now) {
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

  /** Whether one more session has room, once those that expired are gone. */
  hasRoom(): boolean {
    if (this.#entries.size >= this.#limits.sessions) this.#sweep(this.#now());
    return this.#entries.size < this.#limits.sessions;
  }

  /** Opens `session` under a new id: 128 random bits, visible ASCII. */
  open(session: LegacySession, subject?: string): string {
    const id = randomBytes(16).toString('base64url');
    this.#entries.set(id, { session, usedAt: this.#now(), subject });
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
    this.#entries.get(id)?.session.end();
    this.#entries.delete(id);
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
