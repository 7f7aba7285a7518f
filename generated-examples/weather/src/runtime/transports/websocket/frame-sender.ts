import type { Duplex } from 'node:stream';
import type { Message } from '../../core/answer.ts';
import type { Hold } from '../byte-bound.ts';
import { Unread } from '../unread.ts';
import { PONG } from './opcode.ts';
import { writeFrame, writeTextFrame, writeTextHeader } from './frame-writer.ts';

/** Sends frames, and knows when there is room for more. */
export class FrameSender {
  readonly #socket: Duplex;
  readonly #unread: Unread;
  /** Of a ping that came while there was no room. */
  #pong: Uint8Array | undefined;
  #room: Promise<void> | undefined;
  #makeRoom: () => void = () => undefined;

  /** @param hold counts what the client has not read. Default: nothing does */
  constructor(socket: Duplex, hold?: Hold) {
    this.#socket = socket;
    this.#unread = new Unread(socket, { socket, hold, cut: () => void socket.destroy() });
    socket.on('drain', () => this.#drained());
    // Whoever waits for room need not wait any more: what is sent now is lost.
    for (const event of ['finish', 'close', 'error']) socket.on(event, () => this.#settle());
  }

  /** Whether the client has left so much unread that nothing more should be sent. */
  get isFull(): boolean {
    return this.#socket.writableNeedDrain;
  }

  /** Undefined when there is room for more, else what resolves when there is. Never throws, never rejects. */
  send(...parts: Parameters<Unread['write']>): Promise<void> | undefined {
    if (!this.#socket.writable || this.#unread.write(...parts)) return undefined;
    return (this.#room ??= new Promise((resolve) => (this.#makeRoom = resolve)));
  }

  /** The same, of a text message. */
  sendText(message: Message): Promise<void> | undefined {
    if (typeof message === 'string') return this.send(writeTextFrame(message));
    const lengths = message.map((part) =>
      typeof part === 'string' ? Buffer.byteLength(part) : part.bytes.length,
    );
    return this.send(writeTextHeader(lengths.reduce((sum, length) => sum + length)), ...message);
  }

  /**
   * Answers a ping. While there is no room only the latest is kept, as section 5.5.3 allows: else a client that reads
   * nothing could have us keep a pong for each of its pings.
   */
  sendPong(payload: Uint8Array): void {
    if (this.isFull) this.#pong = payload;
    else void this.send(writeFrame(PONG, payload));
  }

  #drained(): void {
    const pong = this.#pong;
    this.#pong = undefined;
    if (pong !== undefined) this.sendPong(pong);
    if (!this.isFull) this.#settle();
  }

  #settle(): void {
    this.#makeRoom();
    this.#room = undefined;
  }
}
