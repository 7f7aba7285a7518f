// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Streams that go on: a client that comes back with `Last-Event-ID` gets what it missed ("Resumability and Redelivery"). */
import type { Feature } from '../feature.ts';
import { refusal } from '../http-handler.ts';
import type { EventStream, Session } from '../session.ts';
import { type EventLog, hasPlaces, LoggedStream, LoggedStreams, type StreamLog } from './logged-streams.ts';

declare module '../types.ts' {
  interface Context {
    /** Ends the HTTP stream of a long call. Its client comes back for the rest, if it knows how (since 2025-11-25). */
    closeStream(): void;
  }
}

/** What a session keeps: the oldest events are dropped first, the newest never. */
const MAX_EVENTS = 1_000;
const MAX_BYTES = 1024 * 1024;
/** How many streams a session remembers that have ended. */
const MAX_STREAMS = 1_000;

interface KeptEvent {
  stream: KeptStream;
  number: number;
  text: string;
}

interface KeptStream {
  stream: LoggedStream;
  last: number;
  hasEnded: boolean;
}

/** 0 is the stream of GET, and calls have the others. */
const EVENT_ID = /^(\d{1,15})-(\d{1,15})$/;

class SessionLog {
  readonly streams = new Map<number, KeptStream>();
  #events: KeptEvent[] = [];
  #bytes = 0;
  #lastStream = 0;

  begin(stream: LoggedStream, session: Session): StreamLog {
    const isListening = stream.response.req.method === 'GET';
    const number = isListening ? 0 : ++this.#lastStream;
    // That of GET goes on.
    const keptStream: KeptStream = this.streams.get(number) ?? { stream, last: 0, hasEnded: false };
    keptStream.stream = stream;
    this.streams.set(number, keptStream);
    for (const [ended, { hasEnded }] of this.streams)
      if (hasEnded && this.streams.size > MAX_STREAMS) this.streams.delete(ended);
    return {
      ...(hasPlaces(session) && { place: `${number}-${keptStream.last}` }),
      append: (text) => {
        this.#events.push({ stream: keptStream, number: ++keptStream.last, text });
        this.#bytes += text.length;
        while (this.#events.length > 1 && (this.#events.length > MAX_EVENTS || this.#bytes > MAX_BYTES))
          this.#bytes -= this.#events.shift()?.text.length ?? 0;
        return `${number}-${keptStream.last}`;
      },
      end: () => void (keptStream.hasEnded = !isListening),
    };
  }

  /** Undefined if some of them are not kept any more. */
  findAfter(stream: KeptStream, number: number): KeptEvent[] | undefined {
    const missed = this.#events.filter((event) => event.stream === stream && event.number > number);
    return missed.length === stream.last - number ? missed : undefined;
  }
}

export function resumption(): Feature {
  const logs = new WeakMap<Session, SessionLog>();
  const needs = new WeakMap<EventStream, readonly string[]>();

  const resume: EventLog['resume'] = (session, id, next, caller) => {
    if (id === undefined) return false;
    const [, streamText = '', numberText = ''] = EVENT_ID.exec(id) ?? [];
    const [streamNumber, number] = [Number(streamText), Number(numberText)];
    const log = logs.get(session);
    const kept = log?.streams.get(streamNumber);
    // Nothing is kept of GET's stream yet, or another node kept it.
    if (streamText !== '' && streamNumber === 0 && kept === undefined) return false;
    if (streamText === '' || kept === undefined || log === undefined || number > kept.last)
      throw refusal(400, '`Last-Event-ID` names no event of this session on this node.');
    const missed = log.findAfter(kept, number);
    if (missed === undefined)
      throw refusal(410, 'The stream cannot be resumed: what follows `Last-Event-ID` is not kept any more.');
    if (missed.length === 0 && kept.hasEnded) {
      next.response.writeHead(204).end();
      return true;
    }
    const { stream } = kept;
    // Another token of the caller may be good for less than the request that the stream answers.
    caller?.require?.(needs.get(stream) ?? []);
    stream.attach(next);
    if (hasPlaces(session)) stream.writePlace(id);
    for (const event of missed) void stream.sendAs(`${streamNumber}-${event.number}`, event.text);
    if (kept.hasEnded) stream.leave();
    return true;
  };

  return {
    name: 'resumption',
    aroundRequest: (call, next) => {
      if (call.exchange.stream !== undefined && call.needs !== undefined)
        needs.set(call.exchange.stream, call.needs);
      return next(call);
    },
    services: {
      streams: new LoggedStreams({
        begin: (session, stream) => {
          const log = logs.get(session) ?? new SessionLog();
          logs.set(session, log);
          return log.begin(stream, session);
        },
        resume,
      }),
    },
    context: ({ request: { exchange, session, agreement } }) => ({
      closeStream: () => {
        const { stream } = exchange;
        // Without a session nobody could come back.
        if (!(stream instanceof LoggedStream) || agreement.era === 'modern' || !hasPlaces(session)) return;
        stream.open();
        stream.leave();
      },
    }),
  };
}
