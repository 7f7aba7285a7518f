// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Streams whose messages are kept, for clients that come back. */
import type { Caller, Streams } from '../feature.ts';
import { EventStream, type Session } from '../session.ts';

export interface EventLog {
  begin(session: Session, stream: LoggedStream): StreamLog | undefined;
  /** Goes on with the stream of an event on another response. False: the session has that stream no more, or none is named. @throws {RpcError} */
  resume(
    session: Session,
    lastEventId: string | undefined,
    stream: LoggedStream,
    caller: Caller | undefined,
  ): boolean | Promise<boolean>;
}

export interface StreamLog {
  /** The event that a stream begins with: the place where nothing has been sent. */
  readonly place?: string;
  /** Keeps a message. Returns the id of its event. */
  append(text: string): string;
  end(): void;
}

/** What `services.streams` is with a log. */
export class LoggedStreams implements Streams {
  readonly log: EventLog;

  constructor(log: EventLog) {
    this.log = log;
  }

  make(session: Session, ...stream: ConstructorParameters<typeof EventStream>): EventStream {
    return session.id === undefined
      ? new EventStream(...stream)
      : new LoggedStream(this.log, session, ...stream);
  }

  resume(...[session, lastEventId, stream, caller]: Parameters<Streams['resume']>) {
    return this.log.resume(session, lastEventId, stream as LoggedStream, caller);
  }
}

export class LoggedStream extends EventStream {
  readonly #events: EventLog;
  readonly #session: Session;
  #log: StreamLog | undefined;
  #hasEnded = false;

  constructor(events: EventLog, session: Session, ...stream: ConstructorParameters<typeof EventStream>) {
    super(...stream);
    this.#events = events;
    this.#session = session;
  }

  override open(): void {
    if (this.response.destroyed || this.hasBegun) return;
    super.open();
    this.#log = this.#events.begin(this.#session, this);
    if (this.#log?.place !== undefined) this.writePlace(this.#log.place);
  }

  /** Goes on with the response of another stream, whose client has come back. @throws {RpcError} if the caller may not hear it */
  attach(next: LoggedStream): void {
    next.#openUnlogged();
    this.leave();
    this.response = next.response;
    this.hasBegun = true;
  }

  #openUnlogged(): void {
    super.open();
  }

  /** Where a client that comes back has read to. */
  writePlace(id: string): void {
    this.response.write(`id: ${id}\nretry: 1000\ndata: \n\n`);
  }

  override async send(text: string): Promise<void> {
    if (this.#hasEnded) return;
    this.open();
    await this.sendAs(this.#log?.append(text), text);
  }

  /** Sends an event that is kept already. */
  sendAs(id: string | undefined, text: string): Promise<void> {
    const place = id === undefined ? '' : `id: ${id}\n`;
    return this.write(`event: message\n${place}data: ${text}\n\n`);
  }

  /** Ends the response alone: the client comes back for what follows. */
  leave(): void {
    super.end();
  }

  override end(): void {
    this.#hasEnded = true;
    this.#log?.end();
    this.leave();
  }
}

/** Older clients would take an event without a message for one that is broken. */
export function hasPlaces({ agreement }: Session): boolean {
  return (agreement?.revision ?? '') >= '2025-11-25';
}
