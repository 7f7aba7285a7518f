// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The open sessions of legacy clients over HTTP. In memory: one process serves a session from its beginning to its end. */
import { createHash, randomBytes } from 'node:crypto';

import type { Limits } from '../../contract/feature.ts';
import { writeJson } from '../../contract/json-value.ts';
import type { Message } from '../../core/call.ts';
import type { LegacySession, Session } from '../../core/session.ts';
import type { Hold, Holding } from '../conversation.ts';
import { KeyCounter } from './client-limits.ts';
import { type SseResponse, messageEvent } from './http-answer.ts';

interface Entry {
  session: LegacySession;
  usedAt: number;
  subject: string | undefined;
  client: string;
}

type SessionLimits = Pick<Limits, 'sessions' | 'sessionsPerClient' | 'sessionIdleMs'>;

export class SessionStore {
  readonly #limits: SessionLimits;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #counts = new KeyCounter();
  #sweptAt: number;
  isStopping = false;

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
    if (this.#entries.size < sessions && this.#counts.get(client) < sessionsPerClient) return true;
    this.#sweep(this.#now());
    if (this.#counts.get(client) >= sessionsPerClient && !this.#giveUpOne(client)) return false;
    if (this.#entries.size < sessions) return true;
    const [largest, count] = this.#counts.largest();
    return count > this.#counts.get(client) + 1 && this.#giveUpOne(largest);
  }

  /** Opens `session` under a new id: 128 random bits in visible ASCII. */
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
    // Often enough that no expired session stays much too long, and rarely enough to cost nothing.
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
   * Ends the streams that wait for messages: a stopping server need not wait for them. Requests in flight go on, but don't wait
   * for answers of their clients, which no connection could bring.
   */
  endListening(): void {
    this.isStopping = true;
    for (const { session } of this.#entries.values()) {
      session.session.clientRequests.giveUp('The server is stopping.');
      session.stopListening();
    }
  }

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

  /** Undefined for revisions whose clients don't reconnect. */
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

interface Keeper {
  keep(stream: EventStream, index: number, message: Message): void;
  messageOf(stream: EventStream, index: number): Message | undefined;
}

type Covers = (scopes: readonly string[]) => boolean;

/** Events in order, which outlive the connection that carries them (Streamable HTTP, "Resumability and Redelivery"). */
export class EventStream {
  readonly number: number;
  readonly #keeper: Keeper;
  #carrier: SseResponse | undefined;
  #covers: Covers = () => true;
  readonly #scopes = new Set<string>();
  #count = 0;
  /** The index of the last event that a connection was given. */
  #given = 0;
  /** The index of the last event that is not kept any more. */
  #forgotten = 0;
  #hasEnded = false;

  constructor(number: number, keeper: Keeper) {
    this.number = number;
    this.#keeper = keeper;
  }

  get isCarried(): boolean {
    return this.#carrier !== undefined;
  }

  get scopes(): readonly string[] {
    return [...this.#scopes];
  }

  /** The connection of a caller that lacks the scopes ends, and another may take over. */
  needs(scopes: readonly string[]): void {
    for (const scope of scopes) this.#scopes.add(scope);
    if (this.isCarried && !this.#covers(this.scopes)) this.leave();
  }

  get isForgotten(): boolean {
    return this.#hasEnded && this.#forgotten >= this.#count;
  }

  after(index: number): 'more' | 'nothing' | 'forgotten' | 'unknown' {
    if (index > this.#count) return 'unknown';
    if (index < this.#forgotten) return 'forgotten';
    return this.#hasEnded && index === this.#count ? 'nothing' : 'more';
  }

  add(message: Message): void {
    this.#count++;
    this.#keeper.keep(this, this.#count, message);
    this.#give();
  }

  async room(): Promise<void> {
    await this.#carrier?.room();
  }

  /** A connection that lacks the oldest event is too slow, and is cut off. */
  forgetOldest(): void {
    this.#forgotten++;
    if (this.#forgotten > this.#given) this.#carrier?.cut();
  }

  /**
   * Sends its events over `carrier` from now on, and over no other: each message goes to one connection.
   *
   * @param after the index of the last event its client has; absent: the last one that was given to any
   * @param retryMs after which the client comes back. Sent with the place in the stream, so that it may come back before the
   * first message; absent for revisions that know neither
   * @param covers tests the scopes of the connection's caller, who has all scopes of the stream now
   */
  carryBy(
    carrier: SseResponse,
    after: number | undefined,
    retryMs: number | undefined,
    covers: Covers = () => true,
  ): void {
    this.leave();
    this.#carrier = carrier;
    this.#covers = covers;
    this.#given = after ?? Math.max(this.#given, this.#forgotten);
    carrier.on('drain', () => this.#give());
    carrier.on('close', () => {
      if (this.#carrier === carrier) this.#carrier = undefined;
    });
    if (retryMs !== undefined)
      carrier.write(`id: ${eventId(this, this.#given)}\nretry: ${retryMs}\ndata:\n\n`);
    this.#give();
  }

  leave(): void {
    const carrier = this.#carrier;
    this.#carrier = undefined;
    carrier?.end();
  }

  end(): void {
    this.#hasEnded = true;
    // Kept like an event, since a client may ask what follows the last one.
    if (this.#forgotten === this.#count) this.#keeper.keep(this, this.#count, '');
    this.#give();
  }

  #give(): void {
    const carrier = this.#carrier;
    if (carrier === undefined) return;
    while (carrier.isOpen && !carrier.isFull) {
      const message = this.#keeper.messageOf(this, this.#given + 1);
      if (message === undefined) break;
      this.#given++;
      carrier.write(messageEvent(message, eventId(this, this.#given)));
    }
    if (this.#hasEnded && this.#given === this.#count) this.leave();
  }
}

function eventId({ number }: EventStream, index: number): string {
  return `${number}-${index}`;
}

function readEventId(id: string): { number: number; index: number } | undefined {
  const [, number, index] = /^(\d{1,15})-(\d{1,15})$/.exec(id) ?? [];
  return number === undefined ? undefined : { number: Number(number), index: Number(index) };
}

type ReplayLimits = Pick<Limits, 'replayEvents' | 'replayBytes'>;

/** A place in a stream, and what follows there. `index` is that of the last event before it; undefined: the current place. */
export type Place =
  | { follows: 'more'; stream: EventStream; index: number | undefined }
  | { follows: 'nothing' | 'forgotten' | 'unknown' };

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
  /** Carries messages that belong to no request. It never ends: its events wait for a GET. */
  readonly listening = new EventStream(0, this);

  constructor(limits: ReplayLimits, hold?: Hold) {
    this.#limits = limits;
    this.#holding = hold?.(() => this.#forgetAll());
    this.#streams.set(0, this.listening);
  }

  open(): EventStream {
    const stream = new EventStream(++this.#opened, this);
    this.#streams.set(stream.number, stream);
    return stream;
  }

  find(id: string): Place {
    const place = readEventId(id);
    if (place === undefined || place.number > this.#opened) return { follows: 'unknown' };
    const stream = this.#streams.get(place.number);
    if (stream === undefined) return { follows: 'forgotten' };
    const { index } = place;
    const follows = stream.after(index);
    return follows === 'more' ? { follows, stream, index } : { follows };
  }

  keep(stream: EventStream, index: number, message: Message): void {
    const own =
      typeof message === 'string' ? message : message.filter((part) => typeof part === 'string').join('');
    const bytes = Buffer.byteLength(own);
    this.#kept.set(eventId(stream, index), { stream, message, bytes });
    this.#bytes += bytes;
    const { replayEvents, replayBytes } = this.#limits;
    // The newest event is kept, whatever its size, since it may not be sent yet.
    while (this.#kept.size > 1 && (this.#kept.size > replayEvents || this.#bytes > replayBytes))
      this.#forget();
    this.#holding?.set(this.#bytes);
  }

  messageOf(stream: EventStream, index: number): Message | undefined {
    return this.#kept.get(eventId(stream, index))?.message;
  }

  end(): void {
    for (const stream of this.#streams.values()) stream.leave();
    this.#holding?.end();
  }

  #forgetAll(): void {
    while (this.#kept.size > 0) this.#forget();
  }

  #forget(): void {
    for (const [id, { stream, bytes }] of this.#kept) {
      this.#kept.delete(id);
      this.#bytes -= bytes;
      stream.forgetOldest();
      if (stream.isForgotten) this.#streams.delete(stream.number);
      return;
    }
  }
}
