/** Lines on their way to where the audit log stands. They wait in memory, so that no call waits for a disk. */
import type { Writable } from 'node:stream';

export interface AuditLogOptions {
  /** Characters that may wait. What comes when it is full is left out and counted. */
  bufferCharacters: number;
  /** Milliseconds that a line waits for others. */
  flushMs: number;
  /** Told once, when nothing can be written any more. */
  report: (thrown: unknown) => void;
  /** The line that says how many were left out, without its end. */
  droppedLine: (count: number) => string;
}

export class AuditLog {
  readonly #to: Writable;
  readonly #options: AuditLogOptions;
  #waiting: string[] = [];
  #characters = 0;
  #dropped = 0;
  #isWriting = false;
  #hasFailed = false;
  #timer: NodeJS.Timeout | undefined;
  #flushed: (() => void)[] = [];

  constructor(to: Writable, options: AuditLogOptions) {
    this.#to = to;
    this.#options = options;
    to.on('error', (thrown) => {
      if (!this.#hasFailed) options.report(thrown);
      this.#hasFailed = true;
      this.#settle();
    });
  }

  /** @param line without its end */
  add(line: string): void {
    if (this.#characters + line.length > this.#options.bufferCharacters || this.#hasFailed) {
      this.#dropped++;
      return;
    }
    this.#push(line);
    this.#timer ??= setTimeout(() => this.#flush(), this.#options.flushMs).unref();
  }

  /** Resolves when all there is has been written, or can't be. */
  async flush(): Promise<void> {
    this.#flush();
    if (!this.#isWriting) return;
    await new Promise<void>((resolve) => this.#flushed.push(resolve));
  }

  #push(line: string): void {
    this.#waiting.push(`${line}\n`);
    this.#characters += line.length + 1;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isWriting || this.#hasFailed) return;
    if (this.#dropped > 0) this.#push(this.#options.droppedLine(this.#dropped));
    this.#dropped = 0;
    if (this.#waiting.length === 0) return this.#settle();
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#isWriting = true;
    this.#to.write(text, () => {
      this.#characters -= text.length;
      this.#isWriting = false;
      this.#flush();
    });
  }

  #settle(): void {
    this.#isWriting = false;
    for (const resolve of this.#flushed.splice(0)) resolve();
  }
}
