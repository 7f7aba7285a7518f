/** The streams of one legacy session, and the events that a client which lost its connection can still have. */
import type { Message } from '../../core/answer.ts';
import type { Limits } from '../../limits.ts';
import type { Hold, Holding } from '../byte-bound.ts';
import { eventId, EventStream, type Keeper, readEventId } from './event-stream.ts';

export type ReplayLimits = Pick<Limits, 'replayEvents' | 'replayBytes'>;

/** A place in a stream, and what follows there. The index is of the last event before it; absent: where it stands. */
export type Place =
  | { follows: 'more'; stream: EventStream; index: number | undefined }
  | { follows: 'nothing' | 'forgotten' | 'unknown' };

interface KeptEvent {
  stream: EventStream;
  message: Message;
  /** Without what it shares with others. */
  bytes: number;
}

export class EventStreams implements Keeper {
  readonly #limits: ReplayLimits;
  /** By number; those of which nothing is kept are gone. */
  readonly #streams = new Map<number, EventStream>();
  /** By event id, the oldest first. */
  readonly #kept = new Map<string, KeptEvent>();
  readonly #holding: Holding | undefined;
  #bytes = 0;
  #opened = 0;
  /** What belongs to no request. It never ends: its events wait until a GET carries them. */
  readonly listening = new EventStream(0, this);

  /** @param hold counts the events that are kept. Default: nothing does */
  constructor(limits: ReplayLimits, hold?: Hold) {
    this.#limits = limits;
    this.#holding = hold?.(() => this.#forgetAll());
    this.#streams.set(0, this.listening);
  }

  /** For what belongs to one POST. */
  open(): EventStream {
    const stream = new EventStream(++this.#opened, this);
    this.#streams.set(stream.number, stream);
    return stream;
  }

  /** @param id what a client sent as `Last-Event-ID` */
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
    // The newest stays, whatever its size: it may be on its way.
    while (this.#kept.size > 1 && (this.#kept.size > replayEvents || this.#bytes > replayBytes))
      this.#forget();
    this.#holding?.set(this.#bytes);
  }

  messageOf(stream: EventStream, index: number): Message | undefined {
    return this.#kept.get(eventId(stream, index))?.message;
  }

  /** Ends every connection: the session is over. */
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
