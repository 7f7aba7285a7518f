/**
 * One stream of a legacy session: events in order, which outlive the connection that carries them (Streamable HTTP,
 * "Resumability and Redelivery").
 */
import type { Message } from '../../core/answer.ts';
import { messageEvent, type SseResponse } from './sse-response.ts';

/** Where events are kept: bounded, so the oldest may be gone. */
export interface Keeper {
  keep(stream: EventStream, index: number, message: Message): void;
  /** Undefined for what has not been yet, or is not kept any more. */
  messageOf(stream: EventStream, index: number): Message | undefined;
}

/** Whether a caller has these scopes. */
export type Covers = (scopes: readonly string[]) => boolean;

export class EventStream {
  readonly number: number;
  readonly #keeper: Keeper;
  #carrier: SseResponse | undefined;
  /** Whether the caller whom the connection is of has scopes. */
  #covers: Covers = () => true;
  readonly #scopes = new Set<string>();
  /** The events there have been: the oldest has the index 1, the newest this one. */
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

  /** A connection carries it now. */
  get isCarried(): boolean {
    return this.#carrier !== undefined;
  }

  /** Those of the calls that it tells of: who lacks some must not be given it. */
  get scopes(): readonly string[] {
    return [...this.#scopes];
  }

  /** Its events tell of what needs `scopes`. A connection of a caller who lacks them ends, and another takes it on. */
  needs(scopes: readonly string[]): void {
    for (const scope of scopes) this.#scopes.add(scope);
    if (this.isCarried && !this.#covers(this.scopes)) this.leave();
  }

  /** Nothing follows, and nothing of it is kept. */
  get isForgotten(): boolean {
    return this.#hasEnded && this.#forgotten >= this.#count;
  }

  /** What a client can have that has the event `index`. */
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

  /** Settles when the connection has room, or there is none. */
  async room(): Promise<void> {
    await this.#carrier?.room();
  }

  /** The oldest event is not kept any more. A connection that has not been given it is too slow, and cut off. */
  forgetOldest(): void {
    this.#forgotten++;
    if (this.#forgotten > this.#given) this.#carrier?.cut();
  }

  /**
   * Lets `carrier` carry it from here on, and no other: each message goes to one connection.
   *
   * @param after the index of the last event its client has; absent: the last one that was given to any
   * @param retryMs after which the client comes back when the connection ends. Sent with the place in the stream,
   *   so that it may come back before the first message; absent for revisions that know neither
   * @param covers of the caller whom the connection is of: it has all scopes of the stream now
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

  /** Ends the connection, and not the stream. */
  leave(): void {
    const carrier = this.#carrier;
    this.#carrier = undefined;
    carrier?.end();
  }

  /** Nothing follows. */
  end(): void {
    this.#hasEnded = true;
    // A place to be remembered by, as long as others are: a client may ask what follows.
    if (this.#forgotten === this.#count) this.#keeper.keep(this, this.#count, '');
    this.#give();
  }

  /** Gives the connection what it has room for. */
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

/** Names its stream, and is unique in the session. */
export function eventId({ number }: EventStream, index: number): string {
  return `${number}-${index}`;
}

/** Undefined for what no event of ours is called. */
export function readEventId(id: string): { number: number; index: number } | undefined {
  const [, number, index] = /^(\d{1,15})-(\d{1,15})$/.exec(id) ?? [];
  return number === undefined ? undefined : { number: Number(number), index: Number(index) };
}
