/** Cuts a stream of bytes into lines. Characters may come in two chunks, so bytes are decoded by whole lines. */
import type { RequestId } from '../protocol/json-rpc.ts';

const NEWLINE = 0x0a;

/** Of a line that is too long its beginning and its end. */
export type Line = { kind: 'line'; text: string } | { kind: 'too-long'; head: string; tail: string };

/** A line over the limit is skipped up to its end, and reported then. */
export class LineSplitter {
  readonly #limit: number;
  /** The beginning of a line. */
  readonly #pending: Pieces;
  /** Of a line that is over the limit. */
  #skipped: { head: Buffer; tail: Buffer } | undefined;

  /** `limit` is in bytes, without the line break. */
  constructor(limit: number) {
    this.#limit = limit;
    this.#pending = new Pieces(limit);
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
    if (this.#pending.length + part.length <= this.#limit) return this.#pending.add(part);
    const pieces = [this.#pending.bytes, part];
    this.#skipped = { head: startOf(pieces), tail: endOf(pieces) };
    this.#pending.clear();
  }

  #finish(lines: Line[]): void {
    if (this.#skipped !== undefined) {
      const { head, tail } = this.#skipped;
      lines.push({ kind: 'too-long', head: head.toString('utf8'), tail: tail.toString('utf8') });
    } else if (this.#pending.length > 0) addLines(this.#pending.bytes, lines);
    this.#pending.clear();
    this.#skipped = undefined;
  }
}

/** In `lib.es2024`, and in Node since 20. */
interface GrowingBuffer extends ArrayBuffer {
  resize(bytes: number): void;
}

const Growing = ArrayBuffer as unknown as new (
  bytes: number,
  options: { maxByteLength: number },
) => GrowingBuffer;

/**
 * The bytes of a line as they come. One piece stays where it is. More are one buffer that grows without a copy, and
 * gives its memory back at once: a long line's would else stay until the collector comes, beside its text.
 */
class Pieces {
  length = 0;
  readonly #limit: number;
  #only: Uint8Array | undefined;
  #all: GrowingBuffer | undefined;

  /** `limit` is in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Up to `clear`. */
  get bytes(): Uint8Array {
    return this.#all === undefined
      ? (this.#only ?? new Uint8Array())
      : new Uint8Array(this.#all, 0, this.length);
  }

  add(piece: Uint8Array): void {
    const before = this.bytes;
    this.length += piece.length;
    if (before.length === 0) this.#only = piece;
    else this.#room(before).set(piece, before.length);
  }

  clear(): void {
    this.#all?.resize(0);
    this.#all = undefined;
    this.#only = undefined;
    this.length = 0;
  }

  /** For `length` bytes, of which those `before` are there. */
  #room(before: Uint8Array): Uint8Array {
    const all = (this.#all ??= new Growing(0, { maxByteLength: this.#limit }));
    if (all.byteLength < this.length) all.resize(Math.min(this.#limit, 2 * this.length));
    const bytes = new Uint8Array(all);
    if (this.#only !== undefined) bytes.set(before);
    this.#only = undefined;
    return bytes;
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

/** The answer to a message over its size limit, which was not kept. */

/** Bytes of its beginning and of its end that are kept: clients write the id of a request at one of the two. */
const KEPT_BYTES = 256;

const ID = String.raw`"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d{1,15})`;
const HEAD = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?(?:${ID}\s*,\s*)?"method"\s*:`);
const TAIL = new RegExp(String.raw`${ID}\s*\}\s*$`);

/** The id of a request, from its beginning and its end; `undefined` where neither says it, so that nobody is answered. */
export function idOfTooLong(head: string, tail: string): RequestId | undefined {
  const start = HEAD.exec(head);
  const id = start === null ? undefined : (start[1] ?? TAIL.exec(tail)?.[1]);
  return id === undefined ? undefined : (JSON.parse(id) as RequestId);
}

export function tooLongWords(limit: number): string {
  return (
    `The message is longer than ${limit} bytes, the most that this server takes. Give less at a time; ` +
    'a file can be given by its name, as file:<path>, where the server was started with --files <folder>.'
  );
}
