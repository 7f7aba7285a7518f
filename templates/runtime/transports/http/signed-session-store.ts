// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * The sessions of legacy clients over HTTP, with signed ids. This process may drop any session that is not in use, and continues it, or
 * another node's, when its client comes back.
 */
import { randomBytes } from 'node:crypto';

import type { LiveServer, ServerInstance } from '../../core/server-instance.ts';
import { type LegacySession, makeReady } from '../../core/session.ts';
import { type Signing, openSessionSigning } from '../../core/signed-sessions.ts';
import type { Limits } from '../../contract/feature.ts';
import type { FeatureLoaders } from '../../feature-loaders.ts';
import {
  type BeginSession,
  type SessionLimits,
  SessionStore,
  type SharedSessions,
  hashId,
} from './session-store.ts';

interface SessionFeatures extends FeatureLoaders {
  sharedSessions?: () => Promise<{
    openSharedSessions(server: ServerInstance, limits: Limits): Promise<SharedSessions>;
  }>;
}

/** Undefined without MCP_STATE_SECRET. */
export async function openSignedSessions(
  live: LiveServer,
  sessionMs: number,
  limits: Limits,
): Promise<SessionStore | undefined> {
  const signing = openSessionSigning(live, sessionMs, limits);
  if (signing === undefined) return undefined;
  const server = live.current;
  const { sharedSessions } = server.features as SessionFeatures;
  const shared = server.shared.isShared ? await sharedSessions?.() : undefined;
  const nodes = await shared?.openSharedSessions(server, limits);
  return new SignedSessionStore(limits, Date.now, signing, nodes);
}

export class SignedSessionStore extends SessionStore {
  readonly #limits: SessionLimits;
  readonly #now: () => number;
  readonly #signing: Signing;
  readonly #nodes: SharedSessions | undefined;
  protected override readonly isOrdered = true;

  constructor(limits: SessionLimits, now: () => number, signing: Signing, nodes?: SharedSessions) {
    super(limits, now);
    this.#limits = limits;
    this.#now = now;
    this.#signing = signing;
    this.#nodes = nodes;
  }

  /** Only sessions in use count, since any other may be dropped. */
  override makeRoom(client: string): boolean {
    const { sessions, sessionsPerClient } = this.#limits;
    if (this.countOf(client) >= sessionsPerClient && !this.dropOldest(client)) return false;
    return this.size < sessions || this.dropOldest();
  }

  override open(session: LegacySession, client: string, subject?: string): string {
    const { agreement, surface } = session.session;
    if (agreement === undefined) return super.open(session, client, subject);
    const id = this.#signing.ids.issueId({ agreement, surface }, subject);
    this.#addSigned(id, session, client, subject, true);
    return id;
  }

  /** Undefined unless the id is signed for `subject`. Another request may have just continued the session. */
  override readonly reviveSession = async (
    id: string,
    subject: string | undefined,
    begin: BeginSession,
  ): Promise<LegacySession | undefined> => {
    const signed = this.findEntry(id) === undefined ? this.#signing.ids.verifyId(id, subject) : undefined;
    if (signed === undefined || (await this.#isRevoked(id))) return undefined;
    const { session, client } = begin(signed.surface);
    if (this.findEntry(id) === undefined) {
      session.session.agreement = signed.agreement;
      this.#addSigned(id, session, client, subject, false);
    }
    return this.findAndTouch(id, subject);
  };

  override readonly isEndedElsewhere = async (id: string): Promise<boolean> => {
    if (this.#nodes === undefined || !(await this.#isRevoked(id))) return false;
    this.dropEntry(id);
    return true;
  };

  override findAndTouch(id: string, subject?: string): LegacySession | undefined {
    const session = super.findAndTouch(id, subject);
    const entry = this.findEntry(id);
    if (session !== undefined && entry !== undefined) this.moveToEnd(id, entry);
    return session;
  }

  /** A signed id is remembered as ended until it expires. */
  override async end(id: string): Promise<void> {
    const { expiresAt = Infinity } = this.findEntry(id) ?? {};
    await super.end(id);
    if (expiresAt === Infinity) return;
    await this.#signing.revocations.revoke(hashId(id), expiresAt - this.#now());
    await this.#nodes?.publishEnd(hashId(id));
  }

  /** Whether the session was ended for good. Rejects if only other nodes know, and can't be asked. */
  #isRevoked(id: string): boolean | Promise<boolean> {
    return this.#signing.revocations.isRevoked(hashId(id));
  }

  #addSigned(
    id: string,
    session: LegacySession,
    client: string,
    subject: string | undefined,
    isNew: boolean,
  ): void {
    const own = session.session;
    own.hash = hashId(id);
    const expiresAt = this.#signing.ids.expiryOf(id);
    session.mark?.(randomBytes(6).toString('hex'));
    makeReady(own, this.#signing.announcer());
    this.#nodes?.joinSession(session, { expiresAt, isNew, drop: () => this.dropEntry(id) });
    this.addEntry(id, session, client, subject, expiresAt);
  }
}
