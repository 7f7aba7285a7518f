/** What is written to a client, and not read by it yet. */
import type { Writable } from 'node:stream';
import { type Message, SharedText } from '../core/answer.ts';
import type { Hold, Holding } from './byte-bound.ts';

export interface UnreadOptions {
  /** That it is written to in the end: one of TLS copies at once what is written, so nothing is shared there. */
  socket: object | null;
  /** Counts what is not read. Absent: nothing does. */
  hold: Hold | undefined;
  /** Closes the connection. */
  cut: () => void;
}

export class Unread {
  readonly #stream: Writable;
  readonly #options: UnreadOptions;
  #holding: Holding | undefined;
  /** Bytes that wait, and are shared with other clients. */
  #shared = 0;

  constructor(stream: Writable, options: UnreadOptions) {
    this.#stream = stream;
    this.#options = options;
  }

  /** Bytes that wait for this client alone. */
  get bytes(): number {
    return Math.max(0, this.#stream.writableLength - this.#shared);
  }

  /** Returns what `write` of the stream does: whether there is room for more. */
  write(...parts: (string | Uint8Array | SharedText)[]): boolean {
    const [part, ...more] = parts;
    const hasRoom = more.length === 0 ? this.#writePart(part ?? '') : this.#writeAll(parts);
    if (this.#holding !== undefined || this.#stream.writableLength > 0) this.#count();
    return hasRoom;
  }

  #writeAll(parts: readonly (string | Uint8Array | SharedText)[]): boolean {
    this.#stream.cork();
    const rooms = parts.map((part) => this.#writePart(part));
    this.#stream.uncork();
    return rooms.every(Boolean);
  }

  #writePart(part: string | Uint8Array | SharedText): boolean {
    if (!(part instanceof SharedText)) return this.#stream.write(part);
    const { bytes } = part;
    const { socket } = this.#options;
    if (socket !== null && 'encrypted' in socket) return this.#stream.write(bytes);
    this.#shared += bytes.length;
    return this.#stream.write(bytes, () => (this.#shared -= bytes.length));
  }

  #count(): void {
    const { hold, cut } = this.#options;
    if (hold === undefined) return;
    if (this.#holding === undefined) {
      const holding = (this.#holding = hold(cut, () => this.bytes));
      this.#stream.on('drain', () => holding.set(this.bytes));
      this.#stream.once('close', () => holding.end());
    }
    this.#holding.set(this.bytes);
  }
}

/** A message as what `write` takes. */
export function partsOf(message: Message): readonly (string | SharedText)[] {
  return typeof message === 'string' ? [message] : message;
}
