/** Cuts a stream of bytes into lines. Characters may come in two chunks, so bytes are decoded by whole lines. */

const NEWLINE = 0x0a;

export type Line = { kind: 'line'; text: string } | { kind: 'too-long' };

/** A line over the limit is reported once, and skipped up to its end. */
export class LineSplitter {
  readonly #limit: number;
  /** The beginning of a line. */
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
    const first = chunk.indexOf(NEWLINE);
    if (first === -1) {
      this.#append(chunk, lines);
      return lines;
    }
    this.#append(chunk.subarray(0, first), lines);
    this.#finish(lines);
    const last = chunk.lastIndexOf(NEWLINE);
    if (last - first <= this.#limit) addLines(chunk.subarray(first + 1, last), lines);
    else this.#cut(chunk.subarray(first + 1, last + 1), lines);
    this.#append(chunk.subarray(last + 1), lines);
    return lines;
  }

  /** What came after the last line break. */
  end(): Line[] {
    const lines: Line[] = [];
    this.#finish(lines);
    return lines;
  }

  /** Line by line, for whole lines of which one may be too long. */
  #cut(bytes: Uint8Array, lines: Line[]): void {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      this.#append(bytes.subarray(start, end), lines);
      this.#finish(lines);
      start = end + 1;
    }
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
    if (first !== undefined)
      addLines(this.#pending.length === 1 ? first : Buffer.concat(this.#pending), lines);
    this.#pending = [];
    this.#length = 0;
    this.#skipping = false;
  }
}

/** Adds all lines of `bytes` that are not blank; the last one has no break. */
function addLines({ buffer, byteOffset, byteLength }: Uint8Array, lines: Line[]): void {
  for (const text of Buffer.from(buffer, byteOffset, byteLength).toString('utf8').split('\n'))
    if (text.trim() !== '') lines.push({ kind: 'line', text });
}
