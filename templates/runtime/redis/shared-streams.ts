// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Events of streams in Redis: those that this node writes, and those that a client gets here. What is read is checked as text of a stranger. */
import { isRecord, writeJson } from '../contract/json-value.ts';
import { joinMessage } from '../core/call.ts';
import type { SharedState, StreamEntry } from '../feature-loaders.ts';
import { INTERNAL_ERROR, type RequestId, isRequestId } from '../protocol/json-rpc.ts';
import {
  type EventStream,
  type SseResponse,
  printMessageEvent,
  printPrimingEvent,
} from '../transports/http/http-answer.ts';
import type { Carry } from '../transports/http/session-store.ts';
import { Heartbeat } from './heartbeat.ts';
import { readObject } from './shared-bus.ts';

/** After the end of a stream its client may still come back. */
const ENDED_MS = 5 * 60_000;

/** A call may say nothing for long. */
const OPEN_MS = 24 * 60 * 60_000;

/** How often a follower looks whether the node that writes a stream lives. */
const LOOK_MS = 250;

const LOST = 'The node that ran this request has ended, and the outcome of the request is unknown.';

export interface StoredEvent {
  index: number;
  node: string;
  ids: readonly RequestId[];
  /** Scopes that a caller needs in order to get the event. */
  scopes: readonly string[];
  /** JSON text of the message; empty if the event only updates the other members. */
  message: string;
  isLast: boolean;
}

/** Writes an event: a line of JSON with its other members, then the message as it is. */
export function printStoredEvent({ message, ...rest }: StoredEvent): string {
  return `${writeJson(rest)}\n${message}`;
}

/** Reads a stored event; undefined if the text is none. */
export function parseStoredEvent(text: string): StoredEvent | undefined {
  const at = text.indexOf('\n');
  const { index, node, ids, scopes, isLast } = readObject(text.slice(0, Math.max(0, at)));
  const message = text.slice(at + 1);
  if (typeof index !== 'number' || !Number.isSafeInteger(index) || index < 0) return undefined;
  if (typeof node !== 'string' || typeof isLast !== 'boolean') return undefined;
  if (!Array.isArray(ids) || !ids.every(isRequestId)) return undefined;
  if (!isStringList(scopes)) return undefined;
  // A line break would begin another field of the event.
  if (message !== '' && (/[\r\n]/.test(message) || readMessages(message) === undefined)) return undefined;
  return { index, node, ids, scopes, message, isLast };
}

function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function readMessages(text: string): Record<string, unknown>[] | undefined {
  try {
    const messages = [JSON.parse(text) as unknown].flat();
    return messages.every(isRecord) ? messages : undefined;
  } catch {
    return undefined;
  }
}

export interface Entry {
  text: string;
  most: number;
  ttlMs: number;
}

/** Writes entries to one stream, in order. While Redis is away they wait, and others have to call `wake`. */
export class Appender {
  readonly #shared: SharedState;
  readonly #name: string;
  /** The next entry that is to be written, and what is called when it was. */
  readonly #nextEntry: () => { entry: Entry; done: () => void } | undefined;
  #writing: Promise<void> | undefined;

  constructor(shared: SharedState, name: string, next: () => { entry: Entry; done: () => void } | undefined) {
    this.#shared = shared;
    this.#name = name;
    this.#nextEntry = next;
  }

  /** Resolves when everything was written, or can't be. Never rejects. */
  async catchUp(): Promise<void> {
    return (this.#writing ??= this.#writeEntries());
  }

  async #writeEntries(): Promise<void> {
    // Events that are added in this turn may be written as one.
    await Promise.resolve();
    try {
      for (let next = this.#nextEntry(); next !== undefined; next = this.#nextEntry()) {
        const { text, most, ttlMs } = next.entry;
        await this.#shared.appendEntry(this.#name, text, { most, ttlMs });
        next.done();
      }
    } catch {
      // Events that could not be written are tried again first.
    } finally {
      this.#writing = undefined;
    }
  }
}

/** The copy of a stream that answers requests on this node. */
export class StreamCopy {
  readonly #stream: EventStream;
  readonly #appender: Appender;
  readonly #own: Pick<StoredEvent, 'node' | 'ids'>;
  #index = 0;
  #saidEnd = false;

  constructor(shared: SharedState, name: string, stream: EventStream, ids: readonly RequestId[]) {
    this.#stream = stream;
    this.#own = { node: shared.node, ids };
    this.#appender = new Appender(shared, name, () => this.#nextEntry());
  }

  /** Whether other nodes know the whole stream. */
  get isDone(): boolean {
    return this.#saidEnd;
  }

  async catchUp(): Promise<void> {
    return this.#appender.catchUp();
  }

  #nextEntry(): { entry: Entry; done: () => void } | undefined {
    const { count, hasEnded, kept, scopes } = this.#stream;
    // Older ones that are not kept any more leave a gap, which is seen.
    const index = this.#index === 0 ? 0 : Math.max(this.#index, count - kept + 1);
    const isEnd = hasEnded && index >= count;
    if (index > count && (!isEnd || this.#saidEnd)) return undefined;
    const message = joinMessage(this.#stream.messageAt(index) ?? '');
    const own = { ...this.#own, index: Math.min(index, count), scopes, message, isLast: isEnd };
    const text = printStoredEvent(own);
    const done = (): void => {
      this.#index = index + 1;
      this.#saidEnd ||= isEnd;
    };
    return { entry: { text, most: Math.max(1, kept) + 1, ttlMs: isEnd ? ENDED_MS : OPEN_MS }, done };
  }
}

/** A stream of events that a client gets here, whichever node writes it. */
export abstract class Follower {
  readonly shared: SharedState;
  readonly name: string;
  readonly #covers: Carry['covers'];
  #carrier: SseResponse | undefined;
  #last: string | undefined;
  #forget: (() => void) | undefined;
  #reading: Promise<void> | undefined;
  #isStale = false;
  /** Called once, when the connection is over. */
  onConnectionEnd: () => void = () => undefined;

  constructor(shared: SharedState, name: string, { covers }: Pick<Carry, 'covers'>) {
    this.shared = shared;
    this.name = name;
    this.#covers = covers;
  }

  /** The id of the last entry that was read. */
  get last(): string | undefined {
    return this.#last;
  }

  /** Returns the events so far; later ones are heard from now on. */
  async subscribeAndRead(after?: string): Promise<StreamEntry[]> {
    this.#last = after;
    this.#forget = await this.shared.onAppend(this.name, () => void this.catchUp());
    try {
      return await this.shared.readEntries(this.name, after);
    } catch (thrown) {
      this.leave();
      throw thrown;
    }
  }

  attachResponse(carrier: SseResponse, place: string, retryMs: number | undefined): void {
    this.#carrier = carrier;
    carrier.on('close', () => this.leave());
    if (retryMs !== undefined) carrier.write(printPrimingEvent(place, retryMs));
    void this.catchUp();
  }

  /** Reads on. While Redis is away, the connection waits for it. */
  async catchUp(): Promise<void> {
    this.#isStale = true;
    if (this.#carrier !== undefined) await (this.#reading ??= this.#readEntries());
  }

  get isOver(): boolean {
    return this.#carrier === undefined;
  }

  leave(): void {
    this.#forget?.();
    this.#forget = undefined;
    const carrier = this.#carrier;
    this.#carrier = undefined;
    this.onConnectionEnd();
    this.onConnectionEnd = () => undefined;
    carrier?.end();
  }

  /** @returns its event and id, undefined if the client has it; or that nothing follows */
  protected abstract decideEventId(id: string, event: StoredEvent): { eventId: string } | 'end' | undefined;

  async #readEntries(): Promise<void> {
    await Promise.resolve();
    try {
      while (this.#isStale) {
        this.#isStale = false;
        for (const { id, text } of await this.shared.readEntries(this.name, this.#last)) {
          if (!(await this.#sendEvent(id, text))) return;
          this.#last = id;
        }
      }
    } catch {
      // `wake` is called when Redis is back.
    } finally {
      this.#reading = undefined;
    }
  }

  async #sendEvent(id: string, text: string): Promise<boolean> {
    const carrier = this.#carrier;
    if (carrier?.isOpen !== true) return false;
    const event = parseStoredEvent(text);
    if (event === undefined) return true;
    const taken = this.decideEventId(id, event);
    if (taken !== undefined && taken !== 'end') {
      if (!this.#covers(event.scopes)) return this.#stopFollowing();
      if (event.message !== '') carrier.write(printMessageEvent(event.message, taken.eventId));
    }
    if (taken === 'end' || event.isLast) return this.#stopFollowing();
    await carrier.waitUntilRoom();
    return true;
  }

  #stopFollowing(): false {
    this.leave();
    return false;
  }
}

/** The rest of a stream that answers requests. If its node has ended, its requests are answered with an error. */
export class CallFollower extends Follower {
  readonly #toId: (index: number) => string;
  readonly #unanswered = new Map<string, RequestId>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #node: string | undefined;
  /** The index of the last event that the client has. */
  #given: number;
  /** The index of the last event that was read. */
  #seen = 0;

  constructor(
    shared: SharedState,
    name: string,
    carry: Carry,
    { index, toId }: { index: number; toId: (index: number) => string },
  ) {
    super(shared, name, carry);
    this.#given = index;
    this.#toId = toId;
  }

  async followCall(carry: Carry): Promise<'carried' | 'nothing' | 'forgotten'> {
    const events = (await this.subscribeAndRead()).flatMap(({ text }) => parseStoredEvent(text) ?? []);
    const isAlreadyGiven = ({ index }: StoredEvent): boolean => index <= this.#given;
    const [first] = events;
    const [next] = events.filter((event) => event.node === first?.node && !isAlreadyGiven(event));
    const isOver = events.some((event) => event.isLast) && events.every(isAlreadyGiven);
    const isGone = first === undefined || (next ?? first).index > this.#given + 1;
    if (isGone || isOver) {
      this.leave();
      return isGone ? 'forgotten' : 'nothing';
    }
    carry.demand(events.flatMap(({ scopes }) => scopes));
    for (const id of first.ids) this.#unanswered.set(writeJson(id), id);
    this.#node = first.node;
    this.attachResponse(carry.open(), this.#toId(this.#given), carry.retryMs);
    this.#timer = setInterval(() => void this.#endIfNodeDied().catch(() => undefined), LOOK_MS).unref();
    return 'carried';
  }

  override leave(): void {
    clearInterval(this.#timer);
    super.leave();
  }

  protected override decideEventId(
    _: string,
    { index, message, node }: StoredEvent,
  ): { eventId: string } | 'end' | undefined {
    for (const { id, method } of readMessages(message) ?? [])
      if (method === undefined) this.#unanswered.delete(writeJson(id));
    this.#seen = Math.max(this.#seen, index);
    if (index <= this.#given) return undefined;
    // Redis has dropped events: the client gets an error when it comes back.
    if (node === this.#node && index > this.#given + 1) return 'end';
    this.#given = index;
    return { eventId: this.#toId(index) };
  }

  async #endIfNodeDied(): Promise<void> {
    if (this.#isLooking || this.#node === undefined) return;
    this.#isLooking = true;
    try {
      const isAlive = await Heartbeat.heartbeatOf(this.shared).isAlive(this.#node);
      // Events that are in Redis already come first: their notice may have been missed.
      await this.catchUp();
      if (!isAlive && !this.isOver) await this.#writeLostErrors();
    } finally {
      this.#isLooking = false;
    }
  }

  /** Answers by errors what a dead node left open, and ends its stream. Several nodes may do so: a client is given each event once. */
  async #writeLostErrors(): Promise<void> {
    const { node } = this.shared;
    const error = { code: INTERNAL_ERROR, message: LOST };
    const messages = [...this.#unanswered.values()].map((id) => writeJson({ jsonrpc: '2.0', id, error }));
    const own = { node, ids: [], scopes: [] };
    let index = Math.max(this.#given, this.#seen);
    for (const message of messages) {
      const text = printStoredEvent({ ...own, index: ++index, message, isLast: message === messages.at(-1) });
      await this.shared.appendEntry(this.name, text, { most: 1_000, ttlMs: ENDED_MS });
    }
    if (messages.length > 0) return;
    const text = printStoredEvent({ ...own, index, message: '', isLast: true });
    await this.shared.appendEntry(this.name, text, { most: 1_000, ttlMs: ENDED_MS });
  }
}
