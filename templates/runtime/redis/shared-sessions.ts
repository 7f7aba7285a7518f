// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Sessions that all nodes serve: streams that resume anywhere, answers for the node that asked, levels and subscriptions, and the
 * end of a session. The node with the newest GET tells the client of changes, others don't.
 */
import { definedMembers, isRecord, writeJson } from '../contract/json-value.ts';
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
import { type Known, applyChange, hasMissed, readKnown, writeKnown } from './known-session.ts';
import { mayHaveChanged, readObject } from './shared-bus.ts';
import { Appender, CallFollower, type Entry, Follower, StreamCopy, writeEvent } from './shared-streams.ts';

const CHANNEL = 'sessions';

/** The stream of messages that belong to no request. */
const LISTENING = 'listening';

/** Messages that wait for a GET. */
const WAITING_MS = 30 * 60_000;

export async function openSharedSessions(server: ServerInstance, limits: Limits): Promise<SharedSessions> {
  const nodes = new Nodes(server, limits);
  await nodes.hear();
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
    this.shared = shared;
    this.limits = limits;
    this.#report = report;
    shared.onReturn(() => void this.#goOn().catch(this.#report));
  }

  async hear(): Promise<void> {
    if (this.#isHearing) return;
    this.#isHearing = true;
    try {
      await this.shared.subscribe(CHANNEL, (text) => this.#obey(readObject(text)));
    } catch {
      // Redis is away: `onReturn` tries again.
      this.#isHearing = false;
    }
  }

  join(session: LegacySession, { expiresAt, isNew, drop }: Parameters<SharedSessions['join']>[1]): void {
    const { hash } = session.session;
    if (!(session instanceof HttpSession) || hash === undefined) return;
    const leave = (): void => void (this.#sessions.get(hash) === joined && this.#sessions.delete(hash));
    const joined = new JoinedSession(this, session, { hash, expiresAt, isNew, drop, leave });
    this.#sessions.set(hash, joined);
    session.shared = joined;
  }

  async tellEnd(hash: string): Promise<void> {
    // Without the notice, other nodes find out by `isRevoked`.
    await this.tell({ kind: 'end', session: hash }).catch(() => undefined);
  }

  async tell(order: Order): Promise<void> {
    await this.shared.publish(CHANNEL, writeJson({ ...order, node: this.shared.node }));
  }

  /** Resolves when other nodes know of the stream, or can't. Never rejects. */
  async copy(copy: StreamCopy): Promise<void> {
    this.#copies.add(copy);
    await Heartbeat.of(this.shared)
      .begin(() => this.#isWaitedFor())
      .catch(() => undefined);
    await copy.wake();
  }

  #isWaitedFor(): boolean {
    for (const copy of this.#copies) if (copy.isDone) this.#copies.delete(copy);
    return this.#copies.size > 0;
  }

  async #goOn(): Promise<void> {
    await this.hear();
    if (this.#isWaitedFor()) await Heartbeat.of(this.shared).begin(() => this.#isWaitedFor());
    for (const copy of this.#copies) void copy.wake();
    for (const session of this.#sessions.values()) await session.goOn();
  }

  #obey(order: Order): void {
    const { session: hash, node } = order;
    if (typeof hash !== 'string') return;
    this.#sessions.get(hash)?.obey(order, node === this.shared.node);
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
  readonly #pushes: Appender;

  constructor(nodes: Nodes, http: HttpSession, options: JoinOptions) {
    this.#nodes = nodes;
    this.#http = http;
    this.#options = options;
    const { session, streams } = http;
    this.#ownLevel = session.logLevel;
    this.#pushes = new Appender(nodes.shared, this.#nameOf(LISTENING), () => this.#nextPush());
    session.isDeaf = !options.isNew;
    session.save = (change) => this.#save(change);
    session.needs = (scopes) => scopes.forEach((scope) => this.#scopes.add(scope));
    session.push = (message) => this.#push(writeJson(message));
    session.clientRequests.forward = (id, outcome) => void this.answer(id, outcome).catch(() => undefined);
    streams.copies = {
      open: async (stream, ids) => this.#copy(stream, ids),
      changed: (stream) => void this.#copies.get(stream)?.wake(),
    };
    this.joined = options.isNew ? Promise.resolve() : this.#load().catch(() => undefined);
  }

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  async answer(id: RequestId, outcome: Outcome): Promise<void> {
    await this.#tell({ kind: 'answer', id, outcome });
  }

  cancel(id: RequestId, reason: string | undefined): void {
    void this.#tell({ kind: 'cancel', id, ...definedMembers({ reason }) }).catch(() => undefined);
  }

  take({ number }: EventStream): void {
    this.#tellTaken(`${this.#http.streams.mark} ${number}`).catch(() => undefined);
  }

  async follow(
    eventId: string | undefined,
    carry: Carry,
  ): Promise<'carried' | 'nothing' | 'forgotten' | 'unknown'> {
    const [, after] = /^0-(\d{1,15}-\d{1,15})-all$/.exec(eventId ?? '') ?? [];
    if (eventId === undefined || after !== undefined) return this.#listen(after, carry);
    const [, number, index, mark] = /^(\d{1,15})-(\d{1,15})-([\da-f]{12})$/.exec(eventId) ?? [];
    if (mark === undefined || number === '0') return 'unknown';
    if (mark === this.#http.streams.mark) return 'unknown';
    const stream = `${mark} ${number}`;
    await this.#tellTaken(stream);
    const toId = (at: number): string => `${number}-${at}-${mark}`;
    const place = { index: Number(index), toId };
    const follower = new CallFollower(this.#nodes.shared, this.#nameOf(stream), carry, place);
    this.#add(follower, stream);
    return follower.follow(carry);
  }

  /** Clients come back to another node. */
  stopListening(): void {
    for (const follower of [...this.#followers.keys()]) follower.leave();
  }

  end(): void {
    this.#options.leave();
    this.stopListening();
    if (this.#isListener) void this.#changeOwn((known) => ({ ...known, listener: undefined }));
  }

  /** Orders may have been missed while Redis was away. */
  async goOn(): Promise<void> {
    void this.#pushes.wake();
    for (const follower of this.#followers.keys()) void follower.wake();
    await this.#load();
  }

  obey({ kind, id, outcome, stream, reason }: Order, isOwn: boolean): void {
    const { session, streams } = this.#http;
    if (isOwn) return;
    switch (kind) {
      case 'end':
        return this.#options.drop();
      case 'known':
        return void this.#load().catch(() => undefined);
      case 'answer':
        if (isRequestId(id) && isOutcome(outcome) && !session.clientRequests.isElsewhere(id))
          session.clientRequests.answer(id, outcome);
        return;
      case 'cancel': {
        const inFlight = isRequestId(id) ? session.inFlightRequests.get(id) : undefined;
        if (inFlight?.cancellable !== true) return;
        return inFlight.cancel(typeof reason === 'string' ? reason : 'The client cancelled the request.');
      }
      case 'take': {
        if (typeof stream !== 'string') return;
        if (stream === LISTENING) {
          session.isDeaf = true;
          this.#isListener = false;
        }
        this.#leave(stream);
        const [mark, number] = stream.split(' ');
        if (mark === streams.mark) streams.leave(Number(number));
      }
    }
  }

  async #copy(stream: EventStream, ids: readonly RequestId[]): Promise<void> {
    const { shared } = this.#nodes;
    const name = this.#nameOf(`${this.#http.streams.mark} ${stream.number}`);
    const copy = new StreamCopy(shared, name, stream, ids);
    this.#copies.set(stream, copy);
    await this.#nodes.copy(copy);
  }

  async #listen(after: string | undefined, carry: Carry): Promise<'carried'> {
    const { shared } = this.#nodes;
    await this.#tellTaken(LISTENING);
    let before = readKnown();
    const { uris } = await this.#change((known) => {
      before = known;
      return { ...known, listener: shared.node, left: false };
    });
    this.#isListener = true;
    this.#http.session.isDeaf = false;
    const missed = hasMissed(before, shared.node) ? await mayHaveChanged(shared, uris) : [];
    for (const message of missed) this.#http.session.push(message);
    const follower = new ListeningFollower(shared, this.#nameOf(LISTENING), carry);
    carry.demand([...this.#scopes]);
    const from = after ?? before.given ?? '0-0';
    await follower.begin(from);
    this.#add(follower, LISTENING);
    follower.onLeave = () =>
      void this.#changeOwn((own) => ({ ...own, given: follower.last ?? from, left: true }));
    follower.carryBy(carry.open(), `0-${from}-all`, carry.retryMs);
    return 'carried';
  }

  /** Unless another node has become the listener. */
  async #changeOwn(change: (known: Known) => Known): Promise<void> {
    const { node } = this.#nodes.shared;
    await this.#change((known) => (known.listener === node ? change(known) : known)).catch(() => undefined);
  }

  #add(follower: Follower, stream: string): void {
    this.#followers.set(follower, stream);
    follower.onEnd = () => void this.#followers.delete(follower);
  }

  #leave(stream: string): void {
    for (const [follower, name] of [...this.#followers]) if (name === stream) follower.leave();
  }

  async #tellTaken(stream: string): Promise<void> {
    this.#leave(stream);
    await this.#tell({ kind: 'take', stream });
  }

  async #tell(order: Order): Promise<void> {
    await this.#nodes.tell({ ...order, session: this.#options.hash });
  }

  #nameOf(stream: string): string {
    return `session ${this.#options.hash} ${stream}`;
  }

  #push(message: string): void {
    this.#pushed.push(message);
    if (this.#pushed.length > this.#nodes.limits.replayEvents) this.#pushed.shift();
    void this.#pushes.wake();
  }

  #nextPush(): { entry: Entry; done: () => void } | undefined {
    const [message] = this.#pushed;
    if (message === undefined) return undefined;
    const { shared, limits } = this.#nodes;
    const own = { index: 0, node: shared.node, ids: [], scopes: [...this.#scopes], message, isLast: false };
    const entry = { text: writeEvent(own), most: limits.replayEvents, ttlMs: WAITING_MS };
    return { entry, done: () => void (this.#pushed[0] === message && this.#pushed.shift()) };
  }

  async #save(change: SessionChange): Promise<void> {
    await this.#change((known) => applyChange(known, change));
    await this.#tell({ kind: 'known' });
  }

  async #load(): Promise<void> {
    this.#apply(readKnown(await this.#nodes.shared.get(this.#nameOf('known'))));
  }

  #apply({ level, uris, scopes, listener }: Known): void {
    const { session } = this.#http;
    session.logLevel = level ?? this.#ownLevel;
    session.subscriptions.clear();
    for (const uri of uris) session.subscriptions.add(uri);
    session.needs(scopes);
    if (listener !== undefined) session.isDeaf = listener !== this.#nodes.shared.node;
  }

  async #change(change: (known: Known) => Known): Promise<Known> {
    const { shared } = this.#nodes;
    const name = this.#nameOf('known');
    for (;;) {
      const before = await shared.get(name);
      const after = change(readKnown(before));
      const text = writeKnown(after);
      const leftMs = Math.max(1, this.#options.expiresAt - Date.now());
      if (text !== before && !(await shared.replace(name, before, text, leftMs))) continue;
      this.#apply(after);
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

  protected override take(id: string): { eventId: string } {
    return { eventId: `0-${id}-all` };
  }
}

function isOutcome(value: unknown): value is Outcome {
  if (!isRecord(value)) return false;
  const { result, error } = value;
  if (isRecord(result)) return true;
  return isRecord(error) && typeof error['code'] === 'number' && typeof error['message'] === 'string';
}
