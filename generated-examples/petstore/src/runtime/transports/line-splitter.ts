/** Cuts a stream of bytes into lines. Works on bytes, so a character may come in two chunks. */

const NEWLINE = 0x0a;

export type Line = { kind: 'line'; text: string } | { kind: 'too-long' };

/** A line over the limit is reported once, and skipped up to its end. */
export class LineSplitter {
  readonly #limit: number;
  #pending: Uint8Array[] = [];
  #length = 0;
  #skipping = false;

  /** `limit` is in bytes, without the line break. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines that `chunk` completes. A carriage return at a line's end is left to the JSON parser. */
  push(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#append(chunk.subarray(start, end), lines);
      this.#finish(lines);
      start = end + 1;
    }
    this.#append(chunk.subarray(start), lines);
    return lines;
  }

  /** What came after the last line break. */
  end(): Line[] {
    const lines: Line[] = [];
    this.#finish(lines);
    return lines;
  }

  #append(part: Uint8Array, lines: Line[]): void {
    if (this.#skipping || part.length === 0) return;
    this.#length += part.length;
    if (this.#length <= this.#limit) {
      this.#pending.push(part);
      return;
    }
    this.#skipping = true;
    this.#pending = [];
    lines.push({ kind: 'too-long' });
  }

  #finish(lines: Line[]): void {
    const [first] = this.#pending;
    if (first !== undefined) {
      const bytes = this.#pending.length === 1 ? first : Buffer.concat(this.#pending);
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
      if (text.trim() !== '') lines.push({ kind: 'line', text });
    }
    this.#pending = [];
    this.#length = 0;
    this.#skipping = false;
  }
}
