/** A WebSocket after its opening handshake: messages, pings and closing, over any duplex stream of bytes. */
import type { Duplex } from 'node:stream';
import type { Message } from '../../core/answer.ts';
import type { Limits } from '../../limits.ts';
import type { Hold } from '../byte-bound.ts';
import { INTERNAL_ERROR, NORMAL_CLOSURE, TRY_AGAIN_LATER } from './close-code.ts';
import { type Closure, ClosingHandshake } from './closing-handshake.ts';
import type { FrameEvent } from './frame-reader.ts';
import { FrameSender } from './frame-sender.ts';
import { FrameSource } from './frame-source.ts';
import { writeFrame } from './frame-writer.ts';
import { KeepAlive } from './keep-alive.ts';
import { PING } from './opcode.ts';

export type WebSocketLimits = Pick<
  Limits,
  'messageBytes' | 'messageFragments' | 'pingIntervalMs' | 'unansweredPings' | 'closeTimeoutMs'
>;

export interface WebSocketOptions {
  limits: WebSocketLimits;
  /**
   * Takes a text message. Called for the first time after the constructor has returned. If it throws, the connection
   * closes with 1011.
   */
  receive: (text: string) => void;
  /** Count what has come of a message that is not complete, and what the client has not read. Default: nothing does. */
  holds?: { unfinished: Hold; unread: Hold };
}

export class WebSocketConnection {
  /** Resolves when the socket is gone. Never rejects. */
  readonly closed: Promise<Closure>;

  readonly #receive: (text: string) => void;
  readonly #sender: FrameSender;
  readonly #closing: ClosingHandshake;
  readonly #source: FrameSource;
  readonly #keepAlive: KeepAlive;

  /** `head` is what has arrived behind the opening handshake. */
  constructor(socket: Duplex, head: Uint8Array, { limits, receive, holds }: WebSocketOptions) {
    this.#receive = receive;
    this.#sender = new FrameSender(socket, holds?.unread);
    this.#closing = new ClosingHandshake(socket, this.#sender, limits.closeTimeoutMs);
    this.#keepAlive = new KeepAlive({
      limits,
      sendPing: () => this.#sendPing(),
      // While we don't read, silence is our doing; but a client that reads nothing either holds what we sent it.
      isListening: () => !this.#source.isPaused || this.#sender.isFull,
      lose: () => socket.destroy(),
    });
    this.closed = this.#untilGone(socket);
    this.#source = new FrameSource(socket, head, {
      limits,
      take: (event) => this.#take(event),
      end: () => this.#closing.end(),
      hold: holds?.unfinished,
      gaveUp: () => this.#closing.fail({ code: TRY_AGAIN_LATER, reason: NO_ROOM }),
    });
    for (const event of ['data', 'drain']) socket.on(event, () => this.#keepAlive.heard());
  }

  /**
   * Sends a text message. Undefined when there is room for more, else what resolves when there is. Never throws, never
   * rejects: what is sent after closing has begun is lost, and `closed` tells of it.
   */
  send(message: Message): Promise<void> | undefined {
    return this.#closing.hasBegun ? undefined : this.#sender.sendText(message);
  }

  /** Nothing is read until `resume`: a client that goes on sending is slowed by its own full output. */
  pause(): void {
    if (!this.#closing.hasBegun) this.#source.pause();
  }

  /** Messages that have arrived are received before this returns. */
  resume(): void {
    this.#source.resume();
  }

  /**
   * Closes: no message is sent or received any more, and the socket is gone after `closeTimeoutMs` at the latest. Does
   * nothing when closing has begun. 1005 closes without a code; a reason of more than 123 bytes is cut.
   *
   * @throws {RangeError} on a code that must not be sent
   */
  close(code = NORMAL_CLOSURE, reason = ''): void {
    if (this.#closing.hasBegun) return;
    this.#closing.send({ code, reason });
    // The client's Close frame is to be read.
    this.#source.resume();
  }

  async #untilGone(socket: Duplex): Promise<Closure> {
    if (!socket.destroyed) {
      await new Promise<void>((resolve) => {
        for (const event of ['close', 'error']) socket.on(event, () => resolve());
      });
    }
    this.#keepAlive.stop();
    socket.destroy();
    return this.#closing.finish();
  }

  #take(event: FrameEvent): void {
    switch (event.kind) {
      case 'text':
        return this.#deliver(event.text);
      case 'ping':
        if (!this.#closing.hasBegun) this.#sender.sendPong(event.payload);
        return;
      case 'pong':
        return;
      case 'close':
        return this.#closing.receive(event);
      case 'fault':
        return this.#closing.fail(event);
    }
  }

  #deliver(text: string): void {
    if (this.#closing.hasBegun) return;
    try {
      this.#receive(text);
    } catch {
      this.close(INTERNAL_ERROR, 'The server failed.');
    }
  }

  #sendPing(): void {
    if (!this.#closing.hasBegun && !this.#sender.isFull) void this.#sender.send(writeFrame(PING, NO_PAYLOAD));
  }
}

const NO_ROOM = 'Too many messages that are not complete wait here. Send it again later.';

const NO_PAYLOAD = new Uint8Array();
