// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Writes and sends the frames of a server: whole messages, never masked (RFC 6455, section 5.1). */
import type { Duplex } from 'node:stream';
import type { Message } from '../../core/answer.ts';
import type { Hold } from '../byte-bound.ts';
import { Unread } from '../conversation.ts';
import { PONG, TEXT } from './frame.ts';

/** Sends frames, and knows when there is room for more. */
export class FrameSender {
  readonly #socket: Duplex;
  readonly #unread: Unread;
  /** The payload of a ping that came while there was no room. */
  #pong: Uint8Array | undefined;
  #room: Promise<void> | undefined;
  #makeRoom: () => void = () => undefined;

  /** @param hold counts the bytes that the client has not read */
  constructor(socket: Duplex, hold?: Hold) {
    this.#socket = socket;
    this.#unread = new Unread(socket, { socket, hold, cut: () => void socket.destroy() });
    socket.on('drain', () => this.#drained());
    // Frames sent now are lost, so nothing need wait for room.
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

  /** Sends a text message, like `send`. */
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

/** `payload` is up to 125 bytes long where `opcode` is that of a control frame. */
export function writeFrame(opcode: number, payload: Uint8Array): Buffer {
  const { frame, start } = newFrame(opcode, payload.length);
  frame.set(payload, start);
  return frame;
}

/** A text message. Lone surrogates in `text` are replaced, so the frame is always UTF-8. */
function writeTextFrame(text: string): Buffer {
  const { frame, start } = newFrame(TEXT, Buffer.byteLength(text, 'utf8'));
  frame.write(text, start, 'utf8');
  return frame;
}

/** The header of a text message whose payload of `length` bytes is sent behind it. */
function writeTextHeader(length: number): Buffer {
  const frame = Buffer.allocUnsafe(headerLength(length));
  writeHeader(frame, TEXT, length);
  return frame;
}

/** A frame with its header written. */
function newFrame(opcode: number, length: number): { frame: Buffer; start: number } {
  const start = headerLength(length);
  const frame = Buffer.allocUnsafe(start + length);
  writeHeader(frame, opcode, length);
  return { frame, start };
}

/** Where the payload begins. */
function headerLength(length: number): number {
  return length < 126 ? 2 : length < 0x1_0000 ? 4 : 10;
}

function writeHeader(frame: Buffer, opcode: number, length: number): void {
  const start = headerLength(length);
  frame.writeUInt8(0x80 | opcode, 0);
  if (start === 2) {
    frame.writeUInt8(length, 1);
  } else if (start === 4) {
    frame.writeUInt8(126, 1);
    frame.writeUInt16BE(length, 2);
  } else {
    frame.writeUInt8(127, 1);
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
}
