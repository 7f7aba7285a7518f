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
}

export class SessionStore {
  readonly #limits: Pick<Limits, 'sessions' | 'sessionIdleMs'>;
  readonly #now: () => number;
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry>();
  #isStopping = false;

  constructor(limits: Pick<Limits, 'sessions' | 'sessionIdleMs'>, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
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
    this.#expire();
    return this.#entries.size < this.#limits.sessions;
  }

  /** Opens `session` under a new id: 128 random bits, visible ASCII. */
  open(session: LegacySession): string {
    const id = randomBytes(16).toString('base64url');
    this.#entries.set(id, { session, usedAt: this.#now() });
    return id;
  }

  /** Undefined when it was never opened, has ended or has expired. */
  use(id: string): LegacySession | undefined {
    this.#expire();
    const entry = this.#entries.get(id);
    if (entry !== undefined) this.#refresh(id, entry);
    return entry?.session;
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
   * with them. Calls under way go on.
   */
  endListening(): void {
    this.#isStopping = true;
    for (const { session } of this.#entries.values()) session.stopListening();
  }

  /** A session with work under way, or whose client listens, is in use, however long that takes. */
  #expire(): void {
    const oldest = this.#now() - this.#limits.sessionIdleMs;
    for (const [id, entry] of this.#entries) {
      if (entry.usedAt > oldest) return;
      if (entry.session.isInUse) this.#refresh(id, entry);
      else this.end(id);
    }
  }

  #refresh(id: string, entry: Entry): void {
    entry.usedAt = this.#now();
    this.#entries.delete(id);
    this.#entries.set(id, entry);
  }
}
