// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The sessions of legacy clients over HTTP. This process serves a session from its beginning to its end. */
import { createHash, randomBytes } from 'node:crypto';

import type { Limits } from '../../contract/feature.ts';
import type { SurfaceName } from '../../contract/json-schema.ts';
import type { Message } from '../../core/call.ts';
import type { LegacySession } from '../../core/session.ts';
import type { Hold, Holding } from '../conversation.ts';
import { KeyCounter } from './client-limits.ts';
import type { Outcome, RequestId } from '../../protocol/json-rpc.ts';
import { EventStream, type Keeper, type SseResponse, eventId } from './http-answer.ts';

export interface SessionEntry {
  session: LegacySession;
  usedAt: number;
  subject: string | undefined;
  client: string;
  /** Milliseconds since the epoch; infinite without signed ids. */
  expiresAt: number;
}

/** Makes the session that continues one with this surface. */
export type BeginSession = (surface: SurfaceName | undefined) => { session: LegacySession; client: string };

/** Sessions that other nodes serve too: `redis/shared-sessions.ts`. */
export interface SharedSessions {
  /** A session begins on this node, or is continued here. `drop` ends it here. */
  joinSession(session: LegacySession, place: { expiresAt: number; isNew: boolean; drop: () => void }): void;
  publishEnd(hash: string): Promise<void>;
}

/** Shares a session with other nodes. Members reject while the shared state is away. */
export interface SharedSession {
  /** Whether a client gets events here that other nodes keep. */
  readonly isFollowed: boolean;
  /** Settles when what other nodes know of the session is known here. */
  readonly joined: Promise<void>;
  publishAnswer(id: RequestId, outcome: Outcome): Promise<void>;
  cancel(id: RequestId, reason: string | undefined): void;
  /** Makes other nodes close their connections to the stream. */
  takeOverStream(stream: EventStream): void;
  followStream(
    eventId: string | undefined,
    carry: Carry,
  ): Promise<'carried' | 'nothing' | 'forgotten' | 'unknown'>;
  stopListening(): void;
  end(): void;
}

/** How a caller gets the events of a stream. */
export interface Carry {
  demand(scopes: readonly string[]): void;
  covers(scopes: readonly string[]): boolean;
  open(): SseResponse;
  retryMs: number | undefined;
}

export type SessionLimits = Pick<Limits, 'sessions' | 'sessionsPerClient' | 'sessionIdleMs'>;

export class SessionStore {
  readonly #limits: SessionLimits;
  readonly #now: () => number;
  readonly #entries = new Map<string, SessionEntry>();
  readonly #counts = new KeyCounter();
  #sweptAt: number;
  /** Whether the least recently used session comes first. */
  protected readonly isOrdered: boolean = false;
  isStopping = false;
  /** Continues a session that another node opened, or that this one dropped. `begin` makes it. */
  readonly reviveSession:
    | ((id: string, subject: string | undefined, begin: BeginSession) => Promise<LegacySession | undefined>)
    | undefined;
  /** Other nodes may end a session that is open here. */
  readonly isEndedElsewhere: ((id: string) => Promise<boolean>) | undefined;

  constructor(limits: SessionLimits, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
    this.#sweptAt = now();
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
    if (this.#entries.size < sessions && this.#counts.getCount(client) < sessionsPerClient) return true;
    this.endExpired();
    if (this.#counts.getCount(client) >= sessionsPerClient && !this.dropOldest(client)) return false;
    if (this.#entries.size < sessions) return true;
    const [largest, count] = this.#counts.findLargestCount();
    return count > this.#counts.getCount(client) + 1 && this.dropOldest(largest);
  }

  /** Opens `session` under a new id: 128 random bits in visible ASCII. */
  open(session: LegacySession, client: string, subject?: string): string {
    const id = randomBytes(16).toString('base64url');
    this.addEntry(id, session, client, subject);
    return id;
  }

  /** Undefined if it is not open here, has ended or expired, or is another subject's. */
  findAndTouch(id: string, subject?: string): LegacySession | undefined {
    const now = this.#now();
    // Often enough that no expired session stays much too long, and rarely enough to cost nothing.
    if (now - this.#sweptAt > this.#limits.sessionIdleMs / 10) this.endExpired(now);
    const entry = this.#entries.get(id);
    if (entry === undefined || this.#dropIfExpired(id, entry, now) || entry.subject !== subject)
      return undefined;
    entry.usedAt = now;
    return entry.session;
  }

  async end(id: string): Promise<void> {
    this.dropEntry(id);
  }

  endAllSessions(): void {
    for (const id of [...this.#entries.keys()]) this.dropEntry(id);
  }

  /**
   * Ends the streams that wait for messages: a stopping server need not wait for them. Requests in flight go on, but don't wait
   * for answers of their clients, which no connection could bring.
   */
  endListening(): void {
    this.isStopping = true;
    for (const { session } of this.#entries.values()) {
      session.session.giveUpAsks('The server is stopping.');
      session.stopListening();
    }
  }

  protected addEntry(
    id: string,
    session: LegacySession,
    client: string,
    subject: string | undefined,
    expiresAt = Infinity,
  ): void {
    session.session.hash = hashId(id);
    this.#entries.set(id, { session, usedAt: this.#now(), subject, client, expiresAt });
    this.#counts.countUp(client);
  }

  protected findEntry(id: string): SessionEntry | undefined {
    return this.#entries.get(id);
  }

  /** Puts a session behind all others in the order in which they are dropped. */
  protected moveToEnd(id: string, entry: SessionEntry): void {
    this.#entries.delete(id);
    this.#entries.set(id, entry);
  }

  protected countOf(client: string): number {
    return this.#counts.getCount(client);
  }

  protected dropEntry(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#counts.countDown(entry.client);
    entry.session.end();
  }

  /** Drops the least recently used session, of `client` or of anyone. */
  protected dropOldest(client?: string): boolean {
    let oldest: [id: string, usedAt: number] | undefined;
    for (const [id, entry] of this.#entries) {
      if ((client ?? entry.client) !== entry.client || entry.session.isInUse) continue;
      if (oldest === undefined || entry.usedAt < oldest[1]) oldest = [id, entry.usedAt];
      if (this.isOrdered) break;
    }
    if (oldest === undefined) return false;
    this.dropEntry(oldest[0]);
    return true;
  }

  endExpired(now = this.#now()): void {
    this.#sweptAt = now;
    for (const [id, entry] of this.#entries) this.#dropIfExpired(id, entry, now);
  }

  #dropIfExpired(id: string, entry: SessionEntry, now: number): boolean {
    const isOver = now >= entry.expiresAt;
    if (!isOver && now - entry.usedAt < this.#limits.sessionIdleMs) return false;
    if (isOver) entry.session.stopListening();
    if (entry.session.isInUse) {
      entry.usedAt = now;
      return isOver;
    }
    this.dropEntry(id);
    return true;
  }
}

export function hashId(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 16);
}

function parseEventId(id: string): { number: number; index: number; mark: string | undefined } | undefined {
  const [, number, index, mark] = /^(\d{1,15})-(\d{1,15})(?:-([\da-f]{12}))?$/.exec(id) ?? [];
  return number === undefined ? undefined : { number: Number(number), index: Number(index), mark };
}

export type ReplayLimits = Pick<Limits, 'replayEvents' | 'replayBytes'>;

/** Copies of streams for other nodes. */
interface StreamCopies {
  /** Settles when other nodes know of the stream, or can't. */
  open(stream: EventStream, ids: readonly RequestId[]): Promise<void>;
  streamChanged(stream: EventStream): void;
}

/** A place in a stream, and what follows there. `index` is that of the last event before it; undefined: the current place. */
export type Place =
  | { follows: 'more'; stream: EventStream; index: number | undefined }
  | { follows: 'nothing' | 'forgotten' | 'elsewhere' | 'unknown' };

interface KeptEvent {
  stream: EventStream;
  message: Message;
  bytes: number;
}

/** The streams of a session, and the events that a client can still get after it lost its connection. */
export class EventStreams implements Keeper {
  readonly #limits: ReplayLimits;
  readonly #streams = new Map<number, EventStream>();
  readonly #kept = new Map<string, KeptEvent>();
  readonly #holding: Holding | undefined;
  #bytes = 0;
  #opened = 0;
  mark: string | undefined;
  /** Copies the events to where other nodes read them. Undefined without such nodes. */
  copies: StreamCopies | undefined;
  /** Carries messages that belong to no request. It never ends: its events wait for a GET. */
  readonly listening = new EventStream(0, this);

  constructor(limits: ReplayLimits, hold?: Hold) {
    this.#limits = limits;
    this.#holding = hold?.(() => this.#forgetAllEvents());
    this.#streams.set(0, this.listening);
  }

  open(ids: readonly RequestId[] = []): EventStream {
    const stream = new EventStream(++this.#opened, this);
    this.#streams.set(stream.number, stream);
    if (this.copies !== undefined) stream.holdUntilStored(this.copies.open(stream, ids));
    return stream;
  }

  findStreamPosition(id: string): Place {
    const place = parseEventId(id);
    // Messages of no request that another node kept are lost; those that follow here are not.
    if (place !== undefined && place.mark !== this.mark)
      return place.number === 0 ? this.getListeningPosition : { follows: 'elsewhere' };
    if (place === undefined || place.number > this.#opened) return { follows: 'unknown' };
    const stream = this.#streams.get(place.number);
    if (stream === undefined) return { follows: 'forgotten' };
    const { index } = place;
    const follows = stream.whatFollows(index);
    return follows === 'more' ? { follows, stream, index } : { follows };
  }

  get getListeningPosition(): Place {
    return { follows: 'more', stream: this.listening, index: undefined };
  }

  keepEvent(stream: EventStream, index: number, message: Message): void {
    const own =
      typeof message === 'string' ? message : message.filter((part) => typeof part === 'string').join('');
    const bytes = Buffer.byteLength(own);
    this.#kept.set(eventId(stream, index), { stream, message, bytes });
    this.#bytes += bytes;
    const { replayEvents, replayBytes } = this.#limits;
    // The newest event is kept, whatever its size, since it may not be sent yet.
    while (this.#kept.size > 1 && (this.#kept.size > replayEvents || this.#bytes > replayBytes))
      this.#forgetOldest();
    this.#holding?.set(this.#bytes);
  }

  streamChanged(stream: EventStream): void {
    this.copies?.streamChanged(stream);
  }

  keptMessage(stream: EventStream, index: number): Message | undefined {
    return this.#kept.get(eventId(stream, index))?.message;
  }

  /** Ends the connection of a stream that another connection has taken over. */
  detachTakenOverStream(number: number): void {
    this.#streams.get(number)?.detachConnection();
  }

  end(): void {
    for (const stream of this.#streams.values()) stream.detachConnection();
    this.#holding?.end();
  }

  #forgetAllEvents(): void {
    while (this.#kept.size > 0) this.#forgetOldest();
  }

  #forgetOldest(): void {
    for (const [id, { stream, bytes }] of this.#kept) {
      this.#kept.delete(id);
      this.#bytes -= bytes;
      stream.forgetOldest();
      if (stream.areAllEventsForgotten) this.#streams.delete(stream.number);
      return;
    }
  }
}
