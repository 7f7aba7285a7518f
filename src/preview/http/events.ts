import type { ServerResponse } from 'node:http';
import type { EventName } from '../protocol.ts';

const KEEP_ALIVE_MS = 15_000;

/** Pages that are open at a time. */
const MOST_STREAMS = 32;

/** The open streams of `GET /api/events`. */
export class Events {
  readonly #streams = new Set<ServerResponse>();
  readonly #timer = setInterval(() => this.#writeToAll(': open\n\n'), KEEP_ALIVE_MS).unref();

  /** Opens a stream; false if there are too many. */
  openStream(response: ServerResponse): boolean {
    if (this.#streams.size >= MOST_STREAMS) return false;
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.flushHeaders();
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
    return true;
  }

  sendToAll(name: EventName, generation: number): void {
    this.#writeToAll(`event: ${name}\ndata: ${String(generation)}\n\n`);
  }

  closeStreams(): void {
    clearInterval(this.#timer);
    for (const stream of this.#streams) stream.end();
  }

  #writeToAll(text: string): void {
    for (const stream of this.#streams) stream.write(text);
  }
}
