// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Sessions that all nodes serve: streams that resume anywhere, answers for the node that asked, levels and subscriptions, and the
 * end of a session. The node with the newest GET tells the client of changes, others don't.
 */
import { omitUndefined, isRecord, writeJson } from '../contract/json-value.ts';
import type { Limits } from '../contract/feature.ts';
import type { ServerInstance } from '../core/server-instance.ts';
import type { LegacySession, SessionChange } from '../core/session.ts';
import type { LogLevel } from '../definition.ts';
import type { SharedState } from '../feature-loaders.ts';
import { type Outcome, type RequestId, isRequestId } from '../protocol/json-rpc.ts';
import { HttpSession } from '../transports/http/endpoint.ts';
import type { EventStream } from '../transports/http/http-answer.ts';
import type { Carry, SharedSession, SharedSessions } from '../transports/http/session-store.ts';
import { Heartbeat } from './heartbeat.ts';
import {
  type Known,
  applyChange,
  mayHaveMissedChanges,
  parseKnownSession,
  printKnownSession,
} from './known-session.ts';
import { listPossibleChanges, readObject } from './shared-bus.ts';
import {
  Appender,
  CallFollower,
  type Entry,
  Follower,
  StreamCopy,
  printStoredEvent,
} from './shared-streams.ts';

const CHANNEL = 'sessions';

/** The stream of messages that belong to no request. */
const LISTENING = 'listening';

/** Messages that wait for a GET. */
const WAITING_MS = 30 * 60_000;

export async function openSharedSessions(server: ServerInstance, limits: Limits): Promise<SharedSessions> {
  const nodes = new Nodes(server, limits);
  await nodes.subscribeToOrders();
  return nodes;
}

type Order = Record<string, unknown>;

class Nodes implements SharedSessions {
  readonly shared: SharedState;
  readonly limits: Limits;
  readonly #report: ServerInstance['report'];
  /** Open on this node, by hashes of their ids. */
  readonly #sessions = new Map<string, JoinedSession>();
  readonly #copies = new Set<StreamCopy>();
  #isHearing = false;

  constructor({ shared, report }: ServerInstance, limits: Limits) {
    this.shared = shared as SharedState;

    this.limits = limits;
    this.#report = report;
    this.shared.onReconnect(() => void this.#resumeSessions().catch(this.#report));
  }

  async subscribeToOrders(): Promise<void> {
    if (this.#isHearing) return;
    this.#isHearing = true;
    try {
      await this.shared.subscribe(CHANNEL, (text) => this.#dispatchOrder(readObject(text)));
    } catch {
      // Redis is away: `onReturn` tries again.
      this.#isHearing = false;
    }
  }

  joinSession(
    session: LegacySession,
    { expiresAt, isNew, drop }: Parameters<SharedSessions['joinSession']>[1],
  ): void {
    const { hash } = session.session;
    if (!(session instanceof HttpSession) || hash === undefined) return;
    const leave = (): void => void (this.#sessions.get(hash) === joined && this.#sessions.delete(hash));
    const joined = new JoinedSession(this, session, { hash, expiresAt, isNew, drop, leave });
    this.#sessions.set(hash, joined);
    session.shared = joined;
  }

  async publishEnd(hash: string): Promise<void> {
    // Without the notice, other nodes find out by `isRevoked`.
    await this.publishOrder({ kind: 'end', session: hash }).catch(() => undefined);
  }

  async publishOrder(order: Order): Promise<void> {
    await this.shared.publish(CHANNEL, writeJson({ ...order, node: this.shared.node }));
  }

  /** Resolves when other nodes know of the stream, or can't. Never rejects. */
  async copy(copy: StreamCopy): Promise<void> {
    this.#copies.add(copy);
    await Heartbeat.heartbeatOf(this.shared)
      .keepBeating(() => this.#hasCopies())
      .catch(() => undefined);
    await copy.catchUp();
  }

  #hasCopies(): boolean {
    for (const copy of this.#copies) if (copy.isDone) this.#copies.delete(copy);
    return this.#copies.size > 0;
  }

  async #resumeSessions(): Promise<void> {
    await this.subscribeToOrders();
    if (this.#hasCopies()) await Heartbeat.heartbeatOf(this.shared).keepBeating(() => this.#hasCopies());
    for (const copy of this.#copies) void copy.catchUp();
    for (const session of this.#sessions.values()) await session.resumeAfterOutage();
  }

  #dispatchOrder(order: Order): void {
    const { session: hash, node } = order;
    if (typeof hash !== 'string') return;
    this.#sessions.get(hash)?.obeyOrder(order, node === this.shared.node);
  }
}

interface JoinOptions {
  hash: string;
  expiresAt: number;
  isNew: boolean;
  drop: () => void;
  leave: () => void;
}

class JoinedSession implements SharedSession {
  readonly joined: Promise<void>;
  readonly #nodes: Nodes;
  readonly #http: HttpSession;
  readonly #options: JoinOptions;
  readonly #copies = new WeakMap<EventStream, StreamCopy>();
  readonly #followers = new Map<Follower, string>();
  readonly #ownLevel: LogLevel;
  /** Scopes of what is said on the listening stream. */
  readonly #scopes = new Set<string>();
  readonly #pushed: string[] = [];
  #isListener = false;
  /** As it was last in Redis. Undefined: it never was there. */
  #known: Known | undefined;
  readonly #pushes: Appender;

  constructor(nodes: Nodes, http: HttpSession, options: JoinOptions) {
    this.#nodes = nodes;
    this.#http = http;
    this.#options = options;
    const { session, streams } = http;
    this.#ownLevel = session.logLevel;
    this.#pushes = new Appender(nodes.shared, this.#streamKey(LISTENING), () => this.#takeNextPush());
    session.isDeaf = !options.isNew;
    session.save = (change) => this.#saveChange(change);
    session.needs = (scopes) => scopes.forEach((scope) => this.#scopes.add(scope));
    session.push = (message) => this.#queuePush(writeJson(message));
    session.forward = (id, outcome) => void this.publishAnswer(id, outcome).catch(() => undefined);
    streams.copies = {
      open: async (stream, ids) => this.#copyStreamToRedis(stream, ids),
      streamChanged: (stream) => void this.#copies.get(stream)?.catchUp(),
    };
    this.joined = options.isNew ? Promise.resolve() : this.#loadKnownSession().catch(() => undefined);
  }

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  async publishAnswer(id: RequestId, outcome: Outcome): Promise<void> {
    await this.#publishOrder({ kind: 'answer', id, outcome });
  }

  cancel(id: RequestId, reason: string | undefined): void {
    void this.#publishOrder({ kind: 'cancel', id, ...omitUndefined({ reason }) }).catch(() => undefined);
  }

  takeOverStream({ number }: EventStream): void {
    this.#publishTakeover(`${this.#http.streams.mark} ${number}`).catch(() => undefined);
  }

  async followStream(
    eventId: string | undefined,
    carry: Carry,
  ): Promise<'carried' | 'nothing' | 'forgotten' | 'unknown'> {
    const [, after] = /^0-(\d{1,15}-\d{1,15})-all$/.exec(eventId ?? '') ?? [];
    if (eventId === undefined || after !== undefined) return this.#listenForPushes(after, carry);
    const [, number, index, mark] = /^(\d{1,15})-(\d{1,15})-([\da-f]{12})$/.exec(eventId) ?? [];
    if (mark === undefined || number === '0') return 'unknown';
    if (mark === this.#http.streams.mark) return 'unknown';
    const stream = `${mark} ${number}`;
    await this.#publishTakeover(stream);
    const toId = (at: number): string => `${number}-${at}-${mark}`;
    const place = { index: Number(index), toId };
    const follower = new CallFollower(this.#nodes.shared, this.#streamKey(stream), carry, place);
    this.#addFollower(follower, stream);
    return follower.followCall(carry);
  }

  /** Clients come back to another node. */
  stopListening(): void {
    for (const follower of [...this.#followers.keys()]) follower.leave();
  }

  end(): void {
    this.#options.leave();
    this.stopListening();
    if (this.#isListener) void this.#updateIfListener((known) => ({ ...known, listener: undefined }));
  }

  /** Orders may have been missed while Redis was away. */
  async resumeAfterOutage(): Promise<void> {
    void this.#pushes.catchUp();
    for (const follower of this.#followers.keys()) void follower.catchUp();
    await this.#loadKnownSession();
  }

  obeyOrder({ kind, id, outcome, stream, reason }: Order, isOwn: boolean): void {
    const { session, streams } = this.#http;
    if (isOwn) return;
    switch (kind) {
      case 'end':
        return this.#options.drop();
      case 'known':
        return void this.#loadKnownSession().catch(() => undefined);
      case 'answer':
        if (isRequestId(id) && isOutcome(outcome) && !session.isAskedElsewhere(id))
          session.receiveAnswer(id, outcome);
        return;
      case 'cancel': {
        const inFlight = session.inFlightRequests.find((each) => isRequestId(id) && each.id === id);
        if (inFlight?.cancellable !== true) return;
        return inFlight.cancel(typeof reason === 'string' ? reason : 'The client cancelled the request.');
      }
      case 'take': {
        if (typeof stream !== 'string') return;
        if (stream === LISTENING) {
          session.isDeaf = true;
          this.#isListener = false;
        }
        this.#dropFollowers(stream);
        const [mark, number] = stream.split(' ');
        if (mark === streams.mark) streams.detachTakenOverStream(Number(number));
      }
    }
  }

  async #copyStreamToRedis(stream: EventStream, ids: readonly RequestId[]): Promise<void> {
    const { shared } = this.#nodes;
    const name = this.#streamKey(`${this.#http.streams.mark} ${stream.number}`);
    const copy = new StreamCopy(shared, name, stream, ids);
    this.#copies.set(stream, copy);
    await this.#nodes.copy(copy);
  }

  async #listenForPushes(after: string | undefined, carry: Carry): Promise<'carried'> {
    const { shared } = this.#nodes;
    await this.#publishTakeover(LISTENING);
    let before = parseKnownSession();
    const { uris } = await this.#updateKnownSession((known) => {
      before = known;
      return { ...known, listener: shared.node, left: false };
    });
    this.#isListener = true;
    this.#http.session.isDeaf = false;
    const missed = mayHaveMissedChanges(before, shared.node) ? await listPossibleChanges(shared, uris) : [];
    for (const message of missed) this.#http.session.push(message);
    const follower = new ListeningFollower(shared, this.#streamKey(LISTENING), carry);
    carry.demand([...this.#scopes]);
    const from = after ?? before.given ?? '0-0';
    await follower.subscribeAndRead(from);
    this.#addFollower(follower, LISTENING);
    follower.onLeave = () =>
      void this.#updateIfListener((own) => ({ ...own, given: follower.last ?? from, left: true }));
    follower.attachResponse(carry.open(), `0-${from}-all`, carry.retryMs);
    return 'carried';
  }

  /** Unless another node has become the listener. */
  async #updateIfListener(change: (known: Known) => Known): Promise<void> {
    const { node } = this.#nodes.shared;
    await this.#updateKnownSession((known) => (known.listener === node ? change(known) : known)).catch(
      () => undefined,
    );
  }

  #addFollower(follower: Follower, stream: string): void {
    this.#followers.set(follower, stream);
    follower.onConnectionEnd = () => void this.#followers.delete(follower);
  }

  #dropFollowers(stream: string): void {
    for (const [follower, name] of [...this.#followers]) if (name === stream) follower.leave();
  }

  async #publishTakeover(stream: string): Promise<void> {
    this.#dropFollowers(stream);
    await this.#publishOrder({ kind: 'take', stream });
  }

  async #publishOrder(order: Order): Promise<void> {
    await this.#nodes.publishOrder({ ...order, session: this.#options.hash });
  }

  #streamKey(stream: string): string {
    return `session ${this.#options.hash} ${stream}`;
  }

  #queuePush(message: string): void {
    this.#pushed.push(message);
    if (this.#pushed.length > this.#nodes.limits.replayEvents) this.#pushed.shift();
    void this.#pushes.catchUp();
  }

  #takeNextPush(): { entry: Entry; done: () => void } | undefined {
    const [message] = this.#pushed;
    if (message === undefined) return undefined;
    const { shared, limits } = this.#nodes;
    const own = { index: 0, node: shared.node, ids: [], scopes: [...this.#scopes], message, isLast: false };
    const entry = { text: printStoredEvent(own), most: limits.replayEvents, ttlMs: WAITING_MS };
    return { entry, done: () => void (this.#pushed[0] === message && this.#pushed.shift()) };
  }

  async #saveChange(change: SessionChange): Promise<void> {
    await this.#updateKnownSession((known) => applyChange(known, change));
    await this.#publishOrder({ kind: 'known' });
  }

  async #loadKnownSession(): Promise<void> {
    const { shared } = this.#nodes;
    const [name, lost] = [this.#streamKey('known'), this.#known];
    const text = await shared.get(name);
    if (text === undefined && lost !== undefined) {
      // A Redis that was restarted has forgotten it. Another node may be first to write it again.
      if (await shared.compareAndSet(name, undefined, printKnownSession(lost), this.#leftMs)) return;
      return this.#loadKnownSession();
    }
    const known = parseKnownSession(text);
    if (text !== undefined) this.#known = known;
    this.#applyKnownSession(known);
  }

  get #leftMs(): number {
    return Math.max(1, this.#options.expiresAt - Date.now());
  }

  #applyKnownSession({ level, uris, scopes, listener }: Known): void {
    const { session } = this.#http;
    session.logLevel = level ?? this.#ownLevel;
    session.subscriptions.clear();
    for (const uri of uris) session.subscriptions.add(uri);
    session.needs(scopes);
    if (listener !== undefined) session.isDeaf = listener !== this.#nodes.shared.node;
  }

  async #updateKnownSession(change: (known: Known) => Known): Promise<Known> {
    const { shared } = this.#nodes;
    const name = this.#streamKey('known');
    for (;;) {
      const before = await shared.get(name);
      const after = change(parseKnownSession(before));
      const text = printKnownSession(after);
      if (text !== before && !(await shared.compareAndSet(name, before, text, this.#leftMs))) continue;
      this.#known = after;
      this.#applyKnownSession(after);
      return after;
    }
  }
}

class ListeningFollower extends Follower {
  onLeave: () => void = () => undefined;

  override leave(): void {
    if (!this.isOver) this.onLeave();
    super.leave();
  }

  protected override decideEventId(id: string): { eventId: string } {
    return { eventId: `0-${id}-all` };
  }
}

function isOutcome(value: unknown): value is Outcome {
  if (!isRecord(value)) return false;
  const { result, error } = value;
  if (isRecord(result)) return true;
  return isRecord(error) && typeof error['code'] === 'number' && typeof error['message'] === 'string';
}
