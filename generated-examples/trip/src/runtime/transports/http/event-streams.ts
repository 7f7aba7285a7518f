/** The streams of one legacy session, and the events that a client which lost its connection can still have. */
import type { Limits } from '../../limits.ts';
import { eventId, EventStream, type Keeper, readEventId } from './event-stream.ts';

export type ReplayLimits = Pick<Limits, 'replayEvents' | 'replayBytes'>;

/** A place in a stream, and what follows there. The index is of the last event before it; absent: where it stands. */
export type Place =
  | { follows: 'more'; stream: EventStream; index: number | undefined }
  | { follows: 'nothing' | 'forgotten' | 'unknown' };

interface KeptEvent {
  stream: EventStream;
  text: string;
  bytes: number;
}

export class EventStreams implements Keeper {
  readonly #limits: ReplayLimits;
  /** By number; those of which nothing is kept are gone. */
  readonly #streams = new Map<number, EventStream>();
  /** By event id, the oldest first. */
  readonly #kept = new Map<string, KeptEvent>();
  #bytes = 0;
  #opened = 0;
  /** What belongs to no request. It never ends: its events wait until a GET carries them. */
  readonly listening = new EventStream(0, this);

  constructor(limits: ReplayLimits) {
    this.#limits = limits;
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

  keep(stream: EventStream, index: number, text: string): void {
    const bytes = Buffer.byteLength(text);
    this.#kept.set(eventId(stream, index), { stream, text, bytes });
    this.#bytes += bytes;
    const { replayEvents, replayBytes } = this.#limits;
    // The newest stays, whatever its size: it may be on its way.
    while (this.#kept.size > 1 && (this.#kept.size > replayEvents || this.#bytes > replayBytes))
      this.#forget();
  }

  textOf(stream: EventStream, index: number): string | undefined {
    return this.#kept.get(eventId(stream, index))?.text;
  }

  /** Ends every connection: the session is over. */
  end(): void {
    for (const stream of this.#streams.values()) stream.leave();
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
