/** Cuts a stream of bytes into lines. Characters may come in two chunks, so bytes are decoded by whole lines. */
import { KEPT_BYTES } from './too-long.ts';

const NEWLINE = 0x0a;

/** Of a line that is too long its beginning and its end. */
export type Line = { kind: 'line'; text: string } | { kind: 'too-long'; head: string; tail: string };

/** A line over the limit is skipped up to its end, and reported then. */
export class LineSplitter {
  readonly #limit: number;
  /** The beginning of a line. */
  #pending: Uint8Array[] = [];
  #length = 0;
  /** Of a line that is over the limit. */
  #skipped: { head: Buffer; tail: Buffer } | undefined;

  /** `limit` is in bytes, without the line break. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines that `chunk` completes. A carriage return at a line's end is left to the JSON parser. */
  push(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    const first = chunk.indexOf(NEWLINE);
    if (first === -1) {
      this.#append(chunk);
      return lines;
    }
    this.#append(chunk.subarray(0, first));
    this.#finish(lines);
    const last = chunk.lastIndexOf(NEWLINE);
    if (last - first <= this.#limit) addLines(chunk.subarray(first + 1, last), lines);
    else this.#cut(chunk.subarray(first + 1, last + 1), lines);
    this.#append(chunk.subarray(last + 1));
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
      this.#append(bytes.subarray(start, end));
      this.#finish(lines);
      start = end + 1;
    }
  }

  #append(part: Uint8Array): void {
    if (part.length === 0) return;
    if (this.#skipped !== undefined) {
      const { head, tail } = this.#skipped;
      this.#skipped = { head: startOf([head, part]), tail: endOf([tail, part]) };
      return;
    }
    this.#length += part.length;
    this.#pending.push(part);
    if (this.#length <= this.#limit) return;
    this.#skipped = { head: startOf(this.#pending), tail: endOf(this.#pending) };
    this.#pending = [];
  }

  #finish(lines: Line[]): void {
    const [first] = this.#pending;
    if (this.#skipped !== undefined) {
      const { head, tail } = this.#skipped;
      lines.push({ kind: 'too-long', head: head.toString('utf8'), tail: tail.toString('utf8') });
    } else if (first !== undefined)
      addLines(this.#pending.length === 1 ? first : Buffer.concat(this.#pending), lines);
    this.#pending = [];
    this.#length = 0;
    this.#skipped = undefined;
  }
}

function startOf(chunks: readonly Uint8Array[]): Buffer {
  const starts = chunks.slice(0, KEPT_BYTES).map((chunk) => chunk.subarray(0, KEPT_BYTES));
  return Buffer.from(Buffer.concat(starts).subarray(0, KEPT_BYTES));
}

/** A copy: the chunks themselves would stay in memory as long as a few of their bytes. */
function endOf(chunks: readonly Uint8Array[]): Buffer {
  const ends = chunks.slice(-KEPT_BYTES).map((chunk) => chunk.subarray(-KEPT_BYTES));
  return Buffer.from(Buffer.concat(ends).subarray(-KEPT_BYTES));
}

/** Adds all lines of `bytes` that are not blank; the last one has no break. */
function addLines({ buffer, byteOffset, byteLength }: Uint8Array, lines: Line[]): void {
  for (const text of Buffer.from(buffer, byteOffset, byteLength).toString('utf8').split('\n'))
    if (text.trim() !== '') lines.push({ kind: 'line', text });
}
