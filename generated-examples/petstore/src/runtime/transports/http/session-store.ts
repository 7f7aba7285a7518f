/** The open sessions of Streamable HTTP. In memory: one process serves a session from its beginning to its end. */
import { randomBytes } from 'node:crypto';
import type { Session } from '../../core/session.ts';
import type { Limits } from '../../limits.ts';

interface Entry {
  session: Session;
  usedAt: number;
}

export class SessionStore {
  readonly #limits: Pick<Limits, 'sessions' | 'sessionIdleMs'>;
  readonly #now: () => number;
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry>();

  constructor(limits: Pick<Limits, 'sessions' | 'sessionIdleMs'>, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
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
  open(session: Session): string {
    const id = randomBytes(16).toString('base64url');
    this.#entries.set(id, { session, usedAt: this.#now() });
    return id;
  }

  /** Undefined when it was never opened, has ended or has expired. */
  use(id: string): Session | undefined {
    this.#expire();
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    this.#entries.delete(id);
    this.#entries.set(id, { ...entry, usedAt: this.#now() });
    return entry.session;
  }

  end(id: string): void {
    this.#entries.get(id)?.session.end();
    this.#entries.delete(id);
  }

  endAll(): void {
    for (const id of [...this.#entries.keys()]) this.end(id);
  }

  /** A session with work under way is in use, however long that takes. */
  #expire(): void {
    const oldest = this.#now() - this.#limits.sessionIdleMs;
    for (const [id, { session, usedAt }] of this.#entries) {
      if (usedAt > oldest) return;
      if (session.inFlight.size === 0) this.end(id);
    }
  }
}
