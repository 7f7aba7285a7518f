import type { Duplex } from 'node:stream';
import { ABNORMAL_CLOSURE } from './close-code.ts';
import { type CloseStatus, writeCloseBody } from './close-body.ts';
import type { FrameSender } from './frame-sender.ts';
import { writeFrame } from './frame-writer.ts';
import { CLOSE } from './opcode.ts';

/** How a connection ended: code and reason of the first Close frame, of either side; 1006 when there was none. */
export interface Closure extends CloseStatus {
  /** Whether both sides sent a Close frame (RFC 6455, section 7.1.4). */
  isClean: boolean;
}

/**
 * The end of a connection (RFC 6455, section 7): a Close frame each way, then the server ends the socket first. From
 * the first step on the client has `timeoutMs`; then the socket is destroyed.
 */
export class ClosingHandshake {
  readonly #socket: Duplex;
  readonly #sender: FrameSender;
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout | undefined;
  #first: CloseStatus | undefined;
  #hasSent = false;
  #hasReceived = false;
  #hasBegun = false;

  constructor(socket: Duplex, sender: FrameSender, timeoutMs: number) {
    this.#socket = socket;
    this.#sender = sender;
    this.#timeoutMs = timeoutMs;
  }

  /** Whether any step was made: no message is sent or received any more. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** @throws {RangeError} on a code that must not be sent */
  send(status: CloseStatus): void {
    if (this.#hasSent) return;
    const frame = writeFrame(CLOSE, writeCloseBody(status));
    this.#begin(status);
    this.#hasSent = true;
    void this.#sender.send(frame);
  }

  /** Answers the client's Close frame with its own code, and ends. */
  receive(status: CloseStatus): void {
    this.#begin(status);
    this.#hasReceived = true;
    this.send({ code: status.code, reason: '' });
    this.end();
  }

  /** Section 7.1.7: what the client sends from now on is not read. */
  fail(status: CloseStatus): void {
    this.send(status);
    this.end();
  }

  /** Lets out what was sent, and waits for the client to end too: a socket cut off earlier could lose our last words. */
  end(): void {
    this.#begin();
    this.#socket.end();
  }

  /** The socket is gone. */
  finish(): Closure {
    this.#hasBegun = true;
    clearTimeout(this.#timer);
    const { code, reason } = this.#first ?? { code: ABNORMAL_CLOSURE, reason: '' };
    return { code, reason, isClean: this.#hasSent && this.#hasReceived };
  }

  #begin(status?: CloseStatus): void {
    this.#first ??= status;
    this.#hasBegun = true;
    if (!this.#socket.destroyed)
      this.#timer ??= setTimeout(() => this.#socket.destroy(), this.#timeoutMs).unref();
  }
}
