// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Streams that answer requests: what they send is in Redis too, so that a client that comes back gets the rest on any node. */
import type { Caller, MethodCall } from '../../feature.ts';
import { refusal } from '../../http-handler.ts';
import { type Id, INTERNAL_ERROR, parseJson, writeJson } from '../../json-rpc.ts';
import type { EventStream, Session } from '../../session.ts';
import { hasPlaces, type LoggedStream, type StreamLog } from '../logged-streams.ts';
import { type Entry, ignore, NO_ENTRY, readObject } from './feed.ts';
import type { SharedState } from './sessions.ts';

/** The node, its stream, and the event of that. */
const EVENT_ID = /^([\w-]{1,40}\.\d{1,15})\.(\d{1,15})$/;
const MAX_EVENTS = 1_000;
/** After the last event of a call that has not ended, and after the end. */
const [OPEN_MS, ENDED_MS] = [24 * 3_600_000, 5 * 60_000];
/** How often a follower looks whether the node that writes the stream lives. */
const LOOK_MS = 1_000;
const LOST = 'The node that ran this request has ended, so the outcome of its work is unknown.';

/** Without a text it is the begin of the stream, or its end. */
interface StreamEvent {
  index: number;
  node: string;
  /** Of the requests that the stream answers, and what their caller had to be allowed. */
  ids: Id[];
  needs: string[];
  text?: string | undefined;
  isLast?: boolean;
}

interface Place {
  name: string;
  /** Of the event that the client has. */
  index: number;
  last: StreamEvent;
}

interface Listening {
  session: Session;
  stream: LoggedStream;
  caller: Caller | undefined;
}

export class Streams {
  readonly #state: SharedState;
  readonly #notes = new WeakMap<EventStream, Pick<StreamEvent, 'ids' | 'needs'>>();
  /** By the keys of streams in Redis: ends the response that this node writes. */
  readonly #leaving = new Map<string, () => void>();
  readonly #following = new WeakSet<EventStream>();
  #count = 0;

  constructor(state: SharedState) {
    this.#state = state;
    const { feed, connection } = state;
    feed.on('follow', ({ key, node }) => node !== connection.node && this.#leaving.get(String(key))?.());
  }

  isFollowing(stream: EventStream): boolean {
    return this.#following.has(stream);
  }

  /** Notes which requests a stream answers. */
  note({ exchange: { stream }, id, needs = [] }: MethodCall): void {
    if (stream === undefined) return;
    const notes = this.#notes.get(stream);
    this.#notes.set(stream, { ids: [...(notes?.ids ?? []), id], needs: [...(notes?.needs ?? []), ...needs] });
  }

  begin(hash: string, session: Session, stream: LoggedStream): StreamLog {
    const { node } = this.#state.connection;
    const name = `${node}.${++this.#count}`;
    const key = this.#keyOf(hash, name);
    let index = 0;
    const append = (event: Pick<StreamEvent, 'text' | 'isLast'>): Promise<void> =>
      this.#append(key, { index, node, ids: [], needs: [], ...this.#notes.get(stream), ...event });
    const leave = (): void => stream.leave();
    // No client may come back before Redis knows the stream: its node may have ended.
    const { response } = stream;
    response.cork();
    void append({}).then(() => response.uncork());
    this.#leaving.set(key, leave);
    return {
      ...(hasPlaces(session) && { place: `${name}.0` }),
      append: (text) => {
        index++;
        void append({ text });
        return `${name}.${index}`;
      },
      end: () => {
        void append({ isLast: true });
        if (this.#leaving.get(key) === leave) this.#leaving.delete(key);
      },
    };
  }

  #keyOf(hash: string, name: string): string {
    return this.#state.connection.key('stream', `${hash} ${name}`);
  }

  #append(key: string, event: StreamEvent): Promise<void> {
    const ms = event.isLast === true ? ENDED_MS : OPEN_MS;
    return this.#state.feed.appendTo(key, writeJson(event), MAX_EVENTS, ms);
  }

  /** Sends what follows an event until the stream ends. The newest connection has it. @throws {RpcError} */
  async follow(hash: string, lastEventId: string, { session, stream, caller }: Listening): Promise<void> {
    const { feed } = this.#state;
    const [, name, number] = EVENT_ID.exec(lastEventId) ?? [];
    if (name === undefined) throw refusal(400, '`Last-Event-ID` names no event of this session.');
    const key = this.#keyOf(hash, name);
    this.#leaving.get(key)?.();
    await feed.order('follow', { key });
    const events = (await feed.read(NO_ENTRY, key)).entries.map(readEvent);
    const [first] = events;
    const next = events.find(({ index, text }) => text !== undefined && index > Number(number));
    if (first === undefined || (next !== undefined && next.index !== Number(number) + 1))
      throw refusal(410, 'The stream cannot be resumed: what follows `Last-Event-ID` is not kept any more.');
    caller?.require?.(events.flatMap(({ needs }) => needs));
    if (next === undefined && events.at(-1)?.isLast === true)
      return void stream.response.writeHead(204).end();
    this.#following.add(stream);
    stream.open();
    if (hasPlaces(session)) stream.writePlace(lastEventId);
    const leave = (): void => stream.leave();
    this.#leaving.set(key, leave);
    session.onEnd(leave);
    await this.#send(stream, key, { name, index: Number(number), last: first });
    if (this.#leaving.get(key) === leave) this.#leaving.delete(key);
  }

  /** Sends events behind an index until the stream ends, or its client has gone. */
  async #send(stream: LoggedStream, key: string, { name, index, last }: Place): Promise<void> {
    const { feed, connection, server } = this.#state;
    const answered = new Set<unknown>();
    let wake = ignore;
    const forget = await connection.subscribe(key, () => wake());
    for (let place = '-'; stream.isOpen;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, LOOK_MS).unref();
      });
      // The client waits for a Redis that is away. A node's events come before its end: their notice may have been missed.
      const isAlive = await connection.isAlive(last.node).catch(() => true);
      const { entries } = await feed.read(place, key).catch(() => ({ entries: [] }));
      for (const entry of entries) {
        last = readEvent(entry);
        place = `(${entry.id}`;
        const { text = '[]' } = last;
        for (const { id, method } of [parseJson(text)].flat() as { id?: Id; method?: string }[])
          if (method === undefined) answered.add(id);
        if (last.index <= index) continue;
        // If Redis has dropped some, the client gets an error when it comes back.
        if (last.index > index + 1 || !stream.isOpen) stream.leave();
        else await stream.sendAs(`${name}.${++index}`, text);
      }
      // A stream whose caller was admitted no longer goes on behind its end.
      if (server.isStopping || last.isLast === true) stream.leave();
      else if (!isAlive) this.#endLost(key, { ...last, index }, answered);
      await woken;
    }
    forget();
  }

  /** Answers what a node left open that has ended. */
  #endLost(key: string, last: StreamEvent, answered: ReadonlySet<unknown>): void {
    let { index } = last;
    const error = { code: INTERNAL_ERROR, message: LOST };
    for (const id of last.ids.filter((one) => !answered.has(one)))
      void this.#append(key, { ...last, index: ++index, text: writeJson({ jsonrpc: '2.0', id, error }) });
    void this.#append(key, { ...last, index, text: undefined, isLast: true });
  }
}

function readEvent({ text }: Entry): StreamEvent {
  return { index: 0, node: '', ids: [], needs: [], ...readObject(text) };
}
