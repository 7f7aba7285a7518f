import type { Writable } from 'node:stream';

/**
 * Writes messages, one a line; those of one turn of the event loop leave together. Keeps the output's `write` as it
 * finds it, so that others may be turned away.
 */
export class LineWriter {
  readonly #output: Writable;
  readonly #write: Writable['write'];
  #room: Promise<void> | undefined;
  /** Lines that leave at the end of this turn. */
  #lines = '';

  constructor(output: Writable) {
    this.#output = output;
    this.#write = output.write.bind(output);
    // Its reader is gone: what is written is lost, and `closed` says so.
    output.on('error', () => undefined);
  }

  /** Sends to `elsewhere` what others write to the output: a stray `console.log` would break the client's reading. */
  divert(elsewhere: Writable): void {
    this.#output.write = elsewhere.write.bind(elsewhere);
  }

  /** Settles when nobody reads any more. */
  get closed(): Promise<void> {
    return new Promise((resolve) => {
      this.#output.once('close', resolve);
      this.#output.once('error', () => resolve());
    });
  }

  /** Undefined when there is room for more, else what resolves when there is. Never throws, never rejects. */
  write(text: string): Promise<void> | undefined {
    const { destroyed, writableLength, writableHighWaterMark } = this.#output;
    if (destroyed) return undefined;
    if (this.#lines === '') setImmediate(() => this.flush());
    this.#lines += `${text}\n`;
    if (this.#lines.length + writableLength >= writableHighWaterMark) this.flush();
    return this.#room;
  }

  /** Sends what waits for the end of the turn. */
  flush(): void {
    const lines = this.#lines;
    this.#lines = '';
    if (lines === '' || this.#write(lines)) return;
    this.#room ??= this.#awaitRoom();
  }

  async #awaitRoom(): Promise<void> {
    const output = this.#output;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        for (const event of EVENTS) output.off(event, done);
        resolve();
      };
      for (const event of EVENTS) output.on(event, done);
    });
    this.#room = undefined;
  }
}

const EVENTS = ['drain', 'close', 'error'] as const;
