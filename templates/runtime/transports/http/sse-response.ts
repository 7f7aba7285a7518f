// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** One HTTP response that carries events (HTML Standard, "Server-sent events"). */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Message } from '../../core/answer.ts';
import type { Limits } from '../../limits.ts';
import type { Hold } from '../byte-bound.ts';
import { partsOf, Unread, untilRoom } from '../conversation.ts';

export type SseLimits = Pick<Limits, 'keepAliveMs' | 'streamBacklogBytes'>;

/** Headers of every answer: it is data, not a page. */
export const SECURITY_HEADERS: OutgoingHttpHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

const EVENT_STREAM: OutgoingHttpHeaders = {
  ...SECURITY_HEADERS,
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // Proxies of the nginx family hold streams back otherwise.
  'x-accel-buffering': 'no',
};

export class SseResponse {
  readonly #response: ServerResponse;
  readonly #limits: SseLimits;
  readonly #unread: Unread;

  /**
   * Sends the head, and comments that keep the connection alive until it closes.
   *
   * @param hold counts the bytes that its client has not read
   */
  constructor(response: ServerResponse, limits: SseLimits, hold?: Hold) {
    this.#response = response;
    this.#limits = limits;
    this.#unread = new Unread(response, { socket: response.socket, hold, cut: () => this.cut() });
    if (!this.isOpen) return;
    response.writeHead(200, EVENT_STREAM).flushHeaders();
    const timer = setInterval(() => this.#keepAlive(), limits.keepAliveMs).unref();
    response.once('close', () => clearInterval(timer));
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  get isFull(): boolean {
    return this.#response.writableNeedDrain;
  }

  on(event: 'drain' | 'close', listener: () => void): void {
    this.#response.on(event, listener);
  }

  /** Writes a whole event. A client with too large a backlog is cut off. */
  write(event: Message): void {
    if (!this.isOpen) return;
    if (this.#unread.bytes > this.#limits.streamBacklogBytes) this.cut();
    else this.#unread.write(...partsOf(event));
  }

  /** Settles when there is room for more, or the client is gone. Never rejects. */
  async room(): Promise<void> {
    if (this.isOpen && this.isFull) await untilRoom(this.#response);
  }

  end(): void {
    if (this.isOpen) this.#response.end();
  }

  /** Cuts the connection, so that the client notices that something is missing. */
  cut(): void {
    this.#response.destroy();
  }

  #keepAlive(): void {
    if (this.isOpen && !this.isFull) this.#response.write(':\n\n');
  }
}

/** A message as an event. JSON text has no line breaks, so one `data:` line holds it. */
export function messageEvent(message: Message, id?: string): Message {
  const head = `event: message\n${id === undefined ? '' : `id: ${id}\n`}data: `;
  return typeof message === 'string' ? `${head}${message}\n\n` : [head, ...message, '\n\n'];
}

let ending: Promise<void> | undefined;

/**
 * Resolves when this turn of the event loop has read its input. Answers then leave together and wake their reader once; waking
 * it for each costs more than the rest of a quick call.
 */
export function endOfTurn(): Promise<void> {
  return (ending ??= new Promise((resolve) => {
    setImmediate(() => {
      ending = undefined;
      resolve();
    });
  }));
}
