// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Sessions that all nodes continue. The node with the newest GET sends a session the messages that belong to no request. */
import type { Caller, Feature, MethodCall, Sessions } from '../../feature.ts';
import { type ClientReply, type Id, LOG_LEVELS, type Message, type Notification } from '../../json-rpc.ts';
import { writeJson } from '../../json-rpc.ts';
import type { Server } from '../../server.ts';
import { askedOf } from '../asking.ts';
import { changeNotification, subscriptionsOf } from '../changes.ts';
import { type EventLog, hasPlaces, type LoggedStream } from '../logged-streams.ts';
import type { Exchange, Session } from '../../session.ts';
import { hashId, LocalRevocations, type Revocations } from '../signed-sessions.ts';
import type { Connection } from './connection.ts';
import { type Feed, ignore, isAfter, type LogEntry, type Order, readEntry, readObject } from './feed.ts';
import { Streams } from './streams.ts';

/** Streams of calls have other events. */
const EVENT_ID = /^all\.(\d{1,15}-\d{1,15})$/;
const eventId = (id: string): string => `all.${id}`;

export interface SharedState {
  server: Server;
  connection: Connection;
  feed: Feed;
  /** Without Redis nobody knows which sessions have ended: their requests are refused. */
  isStrict: boolean;
  sessionMs: number;
}

export class SharedSessions {
  readonly #state: SharedState;
  /** Those that this node holds, by the hashes of their ids. */
  readonly #held = new Map<string, SharedSession>();
  readonly #hashes = new WeakMap<Session, string>();
  readonly #streams: Streams;
  readonly revocations: Revocations;

  constructor(state: SharedState) {
    const { connection, feed } = state;
    this.#state = state;
    this.#streams = new Streams(state);
    this.revocations = shareRevocations(state);
    const take = (kind: string, run: (shared: SharedSession, order: Order) => void): void =>
      feed.on(kind, (order) => {
        const shared = this.#held.get(String(order['to']));
        if (shared !== undefined) run(shared, order);
      });
    take('end', ({ session }) => session.end());
    take('state', (shared) => void shared.reload().catch(ignore));
    take('message', (shared, { id, message }) => shared.deliver(id as string, message as Notification));
    take('listen', (shared, { node }) => node !== connection.node && shared.stream?.leave());
    take('reply', ({ session }, { id, reply }) => session.replies.get(id as Id)?.(reply as ClientReply));
    take('cancel', ({ session }, { id, reason }) => session.inFlight.get(id as Id)?.cancel(String(reason)));
    connection.onReturn(() => void this.#catchUp().catch(ignore));
  }

  hashOf(session: Session): string | undefined {
    return this.#hashes.get(session);
  }

  holdBy(sessions: Sessions): Sessions {
    const hold = (session: Session): void => {
      sessions.hold?.(session);
      const hash = hashId(session);
      this.#hashes.set(session, hash);
      this.#held.set(hash, new SharedSession(hash, session, this.#state));
      session.onEnd(() => this.#held.delete(hash));
    };
    return { ...sessions, hold };
  }

  /** @param log of sessions that are not shared */
  logBeside(log: EventLog | undefined): EventLog {
    return {
      begin: (session, stream) => {
        const shared = this.#sharedOf(session);
        if (shared === undefined) return log?.begin(session, stream);
        if (stream.response.req.method !== 'GET') return this.#streams.begin(shared.hash, session, stream);
        return this.#streams.isFollowing(stream) ? undefined : shared.begin(stream);
      },
      resume: async (session, lastEventId, stream, caller) => {
        const shared = this.#sharedOf(session);
        if (shared === undefined) return (await log?.resume(session, lastEventId, stream, caller)) === true;
        const [, place] = EVENT_ID.exec(lastEventId ?? '') ?? [];
        if (lastEventId !== undefined && place === undefined)
          await this.#streams.follow(shared.hash, lastEventId, { session, stream, caller });
        else await shared.listen(place, stream, caller);
        return true;
      },
    };
  }

  #sharedOf(session: Session): SharedSession | undefined {
    return this.#held.get(this.#hashes.get(session) ?? '');
  }

  /** @throws {RpcError} with status 503 while Redis is away */
  async forward(message: Message, { session }: Exchange): Promise<void> {
    const to = this.#hashes.get(session);
    if (to === undefined) return;
    const { feed } = this.#state;
    if (message.kind === 'response') await feed.order('reply', { to, id: message.id, reply: message.reply });
    if (message.kind !== 'notification') return;
    const { requestId: id, reason = 'The client cancelled the request.' } = message.params;
    await feed.order('cancel', { to, id, reason });
  }

  readonly aroundRequest: NonNullable<Feature['aroundRequest']> = async (call, next) => {
    const shared = this.#sharedOf(call.exchange.session);
    if (shared === undefined) return next(call);
    if (this.#state.isStrict) this.#state.connection.requireUp();
    this.#streams.note(call);
    // `notifications/initialized` may have come to another node.
    if (call.method !== 'ping') this.#state.server.makeReady(shared.session);
    await shared.ready;
    return shared.keep(call, next);
  };

  /** While Redis was away, orders were lost. One after the other: many sessions must not delay calls. */
  async #catchUp(): Promise<void> {
    for (const shared of [...this.#held.values()])
      if (await this.revocations.isRevoked(shared.hash)) shared.session.end();
      else await shared.reload();
  }
}

const KEEPING = /^(?:logging\/setLevel|resources\/(?:un)?subscribe)$/;

/** A session that this node holds. In Redis it has the fields `level` and, with the scopes of each subscription, `uri <uri>`. */
class SharedSession {
  readonly hash: string;
  readonly session: Session;
  readonly ready: Promise<void>;
  readonly #state: SharedState;
  readonly #key: string;
  #fields = new Map<string, string>();
  /** The entry of the log that the client was sent last here, or from which on it is sent some. */
  #place: string;
  #listener: Caller | undefined;
  stream: LoggedStream | undefined;

  constructor(hash: string, session: Session, state: SharedState) {
    const { connection, feed } = state;
    this.hash = hash;
    this.session = session;
    this.#state = state;
    this.#key = connection.key('session', hash);
    this.#place = feed.last;
    askedOf(session).last = Math.floor(Math.random() * 2 ** 40);
    session.push = (message) => {
      // All nodes hear a change, and the one with the stream tells the client.
      if (feed.current === undefined) feed.append({ to: hash, message });
      else this.deliver(feed.current, message);
    };
    this.ready = this.reload().catch(ignore);
  }

  async reload(): Promise<void> {
    const { connection, feed } = this.#state;
    const pairs = (await connection.send('HGETALL', this.#key)) as string[];
    // A Redis that was restarted has forgotten it, and a node that met the session since has read nothing.
    if (pairs.length === 0 && this.#fields.size > 0) {
      await this.#write(...[...this.#fields].flat());
      return feed.order('state', { to: this.hash });
    }
    const { session } = this;
    this.#fields = new Map(pairs.flatMap((name, at) => (at % 2 === 0 ? [[name, pairs[at + 1] ?? '']] : [])));
    session.logLevel = LOG_LEVELS.find((level) => level === this.#fields.get('level')) ?? session.logLevel;
    const subscriptions = subscriptionsOf(session);
    subscriptions.clear();
    for (const name of this.#fields.keys()) if (name !== 'level') subscriptions.add(name.slice(4));
    try {
      this.#listener?.require?.(this.#needs());
    } catch {
      // What was subscribed to elsewhere needs more than the token of the stream allows.
      this.stream?.end();
    }
  }

  #needs(): string[] {
    return [...this.#fields.values()].flatMap((text) => (readObject(text)['needs'] ?? []) as string[]);
  }

  /** Keeps what a request changes of the session. @throws {RpcError} with status 503 while Redis is away */
  async keep(call: MethodCall, next: (call: MethodCall) => Promise<object>): Promise<object> {
    const { method, params, needs = [] } = call;
    if (!KEEPING.test(method)) return next(call);
    const { connection, feed } = this.#state;
    connection.requireUp();
    const result = await next(call);
    const field = `uri ${String(params['uri'])}`;
    if (method === 'logging/setLevel') await this.#write('level', String(params['level']));
    else if (method === 'resources/subscribe') await this.#write(field, writeJson({ needs }));
    else {
      await connection.send('HDEL', this.#key, field);
      this.#fields.delete(field);
    }
    await feed.order('state', { to: this.hash });
    return result;
  }

  /** Noted here too: a Redis that ends at once has forgotten it before any node reads it. */
  async #write(...fields: string[]): Promise<void> {
    const { connection, sessionMs } = this.#state;
    await connection.send('HSET', this.#key, ...fields);
    for (let at = 0; at < fields.length; at += 2) this.#fields.set(fields[at] ?? '', fields[at + 1] ?? '');
    await connection.send('PEXPIRE', this.#key, sessionMs);
  }

  /** Goes on behind an entry of the log. @throws {RpcError} */
  async listen(after: string | undefined, stream: LoggedStream, caller: Caller | undefined): Promise<void> {
    const { feed } = this.#state;
    await feed.order('listen', { to: this.hash });
    await this.reload();
    caller?.require?.(this.#needs());
    const place = after ?? this.#place;
    let [heard, log] = [feed.last, await feed.read(place)];
    // What is heard from now on goes to the stream before.
    for (; heard !== feed.last; log = await feed.read(place)) heard = feed.last;
    if (stream.response.destroyed) return;
    this.#state.server.makeReady(this.session);
    this.session.listen(stream);
    this.#listener = caller;
    this.#place = place;
    if (hasPlaces(this.session)) this.stream?.writePlace(eventId(place));
    if (log.hasGap) this.#tellAll(log.entries.at(-1)?.id ?? place);
    for (const { id, text } of log.entries) this.#replay(id, readEntry(text));
  }

  begin(stream: LoggedStream) {
    this.stream = stream;
    return { append: () => eventId(this.#place), end: () => undefined };
  }

  #replay(id: string, entry: LogEntry | undefined): void {
    const { change } = entry ?? {};
    if (entry !== undefined && 'message' in entry && entry.to === this.hash)
      this.deliver(id, entry.message as Notification);
    if (change?.kind === 'list' || (change !== undefined && subscriptionsOf(this.session).has(change.uri)))
      this.deliver(id, changeNotification(change));
  }

  /** Some changes are not in the log any more. */
  #tellAll(id: string): void {
    const uris = [...subscriptionsOf(this.session)].map((uri) => ({ kind: 'resource' as const, uri }));
    for (const change of [...this.#state.feed.listChanges(), ...uris])
      void this.stream?.sendAs(eventId(id), writeJson(changeNotification(change)));
  }

  /** Without a stream here, the client gets it from the log when it comes back. */
  deliver(id: string, message: Notification): void {
    if (this.stream?.isOpen !== true || !isAfter(id, this.#place)) return;
    this.#place = id;
    void this.stream.sendAs(eventId(id), writeJson(message));
  }
}

/** While Redis is away, other nodes do not hear of it: the session may live there until it expires. */
function shareRevocations({ connection, feed, isStrict }: SharedState): Revocations {
  const local = new LocalRevocations();
  const unlessStrict = (thrown: unknown): void => {
    if (isStrict) throw thrown;
  };
  return {
    revoke: async (hash, ms) => {
      const saved = connection.send('SET', connection.key('ended', hash), '', 'PX', Math.max(1, ms));
      await saved.then(() => feed.order('end', { to: hash })).catch(unlessStrict);
      local.revoke(hash, ms);
    },
    isRevoked: async (hash) => {
      if (local.isRevoked(hash)) return true;
      return (await connection.send('EXISTS', connection.key('ended', hash)).catch(unlessStrict)) === 1;
    },
  };
}
