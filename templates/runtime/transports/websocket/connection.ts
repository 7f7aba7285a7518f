// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** A WebSocket after its opening handshake: messages, pings and closing, over any duplex stream of bytes. */
import type { Duplex } from 'node:stream';
import type { Message } from '../../core/call.ts';
import type { Limits } from '../../contract/feature.ts';
import type { Hold } from '../conversation.ts';
import { type FrameEvent, FrameSource } from './frame-reader.ts';
import {
  ABNORMAL_CLOSURE,
  CLOSE,
  type CloseStatus,
  FrameSender,
  INTERNAL_ERROR,
  NORMAL_CLOSURE,
  PING,
  TRY_AGAIN_LATER,
  writeCloseBody,
  writeFrame,
} from './frame.ts';

type WebSocketLimits = Pick<
  Limits,
  'messageBytes' | 'messageFragments' | 'pingIntervalMs' | 'unansweredPings' | 'closeTimeoutMs'
>;

export interface WebSocketOptions {
  limits: WebSocketLimits;
  /** Called for the first time after the constructor has returned. If it throws, the connection closes with 1011. */
  receive: (text: string) => void;
  holds?: { unfinished: Hold; unread: Hold };
}

export class WebSocketConnection {
  /** Resolves when the socket is gone. Never rejects. */
  readonly closed: Promise<Closure>;

  readonly #receive: (text: string) => void;
  readonly #sender: FrameSender;
  readonly #closing: ClosingHandshake;
  readonly #source: FrameSource;
  readonly #pings: NodeJS.Timeout;
  #unansweredPings = 0;

  constructor(socket: Duplex, head: Uint8Array, { limits, receive, holds }: WebSocketOptions) {
    this.#receive = receive;
    this.#sender = new FrameSender(socket, holds?.unread);
    this.#closing = new ClosingHandshake(socket, this.#sender, limits.closeTimeoutMs);
    this.#pings = setInterval(() => this.#startPinging(socket, limits), limits.pingIntervalMs).unref();
    this.closed = this.#waitUntilGone(socket);
    this.#source = new FrameSource(socket, head, {
      limits,
      take: (event) => this.#handleEvent(event),
      end: () => this.#closing.end(),
      hold: holds?.unfinished,
      gaveUp: () => this.#closing.sendCloseAndEnd({ code: TRY_AGAIN_LATER, reason: NO_ROOM }),
    });
    // Any sign of life counts, not a pong alone: one can't come amid a long message.
    for (const event of ['data', 'drain']) socket.on(event, () => (this.#unansweredPings = 0));
  }

  /**
   * Undefined when there is room for more, else a promise for it. Never throws, never rejects: a message after the closing has
   * begun is lost.
   */
  send(message: Message): Promise<void> | undefined {
    return this.#closing.hasBegun ? undefined : this.#sender.sendText(message);
  }

  /** Reads nothing until `resume`: a client that goes on sending is slowed by its own full output. */
  pause(): void {
    if (!this.#closing.hasBegun) this.#source.pause();
  }

  /** Messages that have arrived are received before this returns. */
  resume(): void {
    this.#source.resume();
  }

  /**
   * The socket is gone after `closeTimeoutMs` at the latest. 1005 closes without a code; a reason of more than 123 bytes is
   * cut.
   * @throws {RangeError} on a code that must not be sent
   */
  close(code = NORMAL_CLOSURE, reason = ''): void {
    if (this.#closing.hasBegun) return;
    this.#closing.send({ code, reason });
    this.#source.resume();
  }

  async #waitUntilGone(socket: Duplex): Promise<Closure> {
    if (!socket.destroyed) {
      await new Promise<void>((resolve) => {
        for (const event of ['close', 'error']) socket.on(event, () => resolve());
      });
    }
    clearInterval(this.#pings);
    socket.destroy();
    return this.#closing.finishClosing();
  }

  #handleEvent(event: FrameEvent): void {
    switch (event.kind) {
      case 'text':
        return this.#deliverText(event.text);
      case 'ping':
        if (!this.#closing.hasBegun) this.#sender.sendPong(event.payload);
        return;
      case 'pong':
        return;
      case 'close':
        return this.#closing.receive(event);
      case 'fault':
        return this.#closing.sendCloseAndEnd(event);
    }
  }

  #deliverText(text: string): void {
    if (this.#closing.hasBegun) return;
    try {
      this.#receive(text);
    } catch {
      this.close(INTERNAL_ERROR, 'The server failed.');
    }
  }

  /** Finds out that a client has gone without a word (RFC 6455, section 5.5.2). */
  #startPinging(socket: Duplex, { unansweredPings }: WebSocketLimits): void {
    // A paused connection receives no pong, so silence counts only if it is paused because the client doesn't read.
    if (this.#source.isPaused && !this.#sender.isFull) this.#unansweredPings = 0;
    if (this.#unansweredPings >= unansweredPings) return void socket.destroy();
    this.#unansweredPings += 1;
    if (!this.#closing.hasBegun && !this.#sender.isFull) void this.#sender.send(writeFrame(PING, NO_PAYLOAD));
  }
}

const NO_ROOM = 'Too many messages that are not complete wait here. Send it again later.';

const NO_PAYLOAD = new Uint8Array();

/** Code and reason of the first Close frame, of either side; 1006 when there was none. */
interface Closure extends CloseStatus {
  /** Whether both sides sent a Close frame (RFC 6455, section 7.1.4). */
  isClean: boolean;
}

/**
 * The end of a connection (RFC 6455, section 7): a Close frame each way, then the server ends the socket first. From the first
 * step on the client has `timeoutMs`; then the socket is destroyed.
 */
class ClosingHandshake {
  readonly #socket: Duplex;
  readonly #sender: FrameSender;
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout | undefined;
  #first: CloseStatus | undefined;
  #hasSent = false;
  #hasReceived = false;
  hasBegun = false;

  constructor(socket: Duplex, sender: FrameSender, timeoutMs: number) {
    this.#socket = socket;
    this.#sender = sender;
    this.#timeoutMs = timeoutMs;
  }

  send(status: CloseStatus): void {
    if (this.#hasSent) return;
    const frame = writeFrame(CLOSE, writeCloseBody(status));
    this.#beginClosing(status);
    this.#hasSent = true;
    void this.#sender.send(frame);
  }

  receive(status: CloseStatus): void {
    this.#beginClosing(status);
    this.#hasReceived = true;
    this.send({ code: status.code, reason: '' });
    this.end();
  }

  /** Section 7.1.7: what the client sends from now on is not read. */
  sendCloseAndEnd(status: CloseStatus): void {
    this.send(status);
    this.end();
  }

  /** Flushes sent frames, and waits for the client to end too: destroying the socket earlier could lose the last frame. */
  end(): void {
    this.#beginClosing();
    this.#socket.end();
  }

  finishClosing(): Closure {
    this.hasBegun = true;
    clearTimeout(this.#timer);
    const { code, reason } = this.#first ?? { code: ABNORMAL_CLOSURE, reason: '' };
    return { code, reason, isClean: this.#hasSent && this.#hasReceived };
  }

  #beginClosing(status?: CloseStatus): void {
    this.#first ??= status;
    this.hasBegun = true;
    if (!this.#socket.destroyed)
      this.#timer ??= setTimeout(() => this.#socket.destroy(), this.#timeoutMs).unref();
  }
}
