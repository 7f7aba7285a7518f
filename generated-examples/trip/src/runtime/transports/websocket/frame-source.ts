import type { Duplex } from 'node:stream';
import type { Hold, Holding } from '../byte-bound.ts';
import { type FrameEvent, FrameReader, type FrameLimits } from './frame-reader.ts';

export interface FrameSourceOptions {
  limits: FrameLimits;
  take: (event: FrameEvent) => void;
  /** The client ended, and everything it sent was taken. */
  end: () => void;
  /** Counts what is kept of a message until it is complete. Absent: nothing does. */
  hold?: Hold | undefined;
  /** It was not to be kept any longer. Nothing is taken after it. */
  gaveUp?: () => void;
}

/** Reads frames from a socket, and can stop between any two of them. */
export class FrameSource {
  readonly #socket: Duplex;
  readonly #reader: FrameReader;
  readonly #options: FrameSourceOptions;
  #holding: Holding | undefined;
  #isPaused = false;
  #isReading = false;
  #hasEnded = false;

  /** `head` is what has arrived already. Nothing is taken before the constructor has returned. */
  constructor(socket: Duplex, head: Uint8Array, options: FrameSourceOptions) {
    this.#socket = socket;
    this.#reader = new FrameReader(options.limits);
    this.#options = options;
    if (head.length > 0) socket.unshift(head);
    socket.on('data', (chunk: Uint8Array) => {
      this.#reader.push(chunk);
      this.#read();
    });
    socket.on('end', () => {
      this.#hasEnded = true;
      this.#read();
    });
    socket.once('close', () => this.#holding?.end());
    socket.resume();
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#socket.resume();
    this.#read();
  }

  #read(): void {
    // Not again when `take` pauses and resumes: the frames keep their order.
    if (this.#isReading) return;
    this.#isReading = true;
    while (!this.#isPaused) {
      const event = this.#reader.read();
      if (event === undefined) break;
      this.#options.take(event);
    }
    this.#isReading = false;
    this.#count();
    // A stream whose last chunk made us pause has ended all the same.
    if (this.#hasEnded && !this.#isPaused) this.#options.end();
  }

  #count(): void {
    const { heldBytes } = this.#reader;
    const { hold, gaveUp } = this.#options;
    // Most messages are complete when they come.
    if (hold === undefined || (heldBytes === 0 && this.#holding === undefined)) return;
    this.#holding ??= hold(() => {
      this.#reader.stop();
      gaveUp?.();
    });
    this.#holding.set(heldBytes);
  }
}
