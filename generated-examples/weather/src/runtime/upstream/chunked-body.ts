/** The chunked transfer coding (RFC 9112, section 7.1), undone as it comes. */
import { invalidHttp } from './invalid-http.ts';

/** Characters of a chunk's size line, and of all trailers: more is nobody's. */
const MOST_LINE = 16_384;

export class ChunkedBody {
  /** The last chunk and its trailers have come. */
  isWhole = false;
  #state: 'size' | 'data' | 'data-end' | 'trailers' = 'size';
  /** Of the chunk at hand. */
  #left = 0;
  /** The beginning of a line. */
  #line = '';
  #trailers = 0;

  /** Adds the data in `bytes` to `pieces`, and returns how many bytes belong to this body. */
  push(bytes: Buffer, pieces: Buffer[]): number {
    let at = 0;
    while (at < bytes.length && !this.isWhole)
      at = this.#state === 'data' ? this.#takeData(bytes, at, pieces) : this.#takeLine(bytes, at);
    return at;
  }

  #takeData(bytes: Buffer, at: number, pieces: Buffer[]): number {
    const piece = bytes.subarray(at, at + this.#left);
    pieces.push(piece);
    this.#left -= piece.length;
    if (this.#left === 0) this.#state = 'data-end';
    return at + piece.length;
  }

  #takeLine(bytes: Buffer, at: number): number {
    const newline = bytes.indexOf(0x0a, at);
    const end = newline === -1 ? bytes.length : newline;
    this.#line += bytes.toString('latin1', at, end);
    if (this.#line.length > MOST_LINE) throw invalidHttp('HPE_CHUNK_EXTENSIONS_OVERFLOW');
    if (newline === -1) return end;
    if (!this.#line.endsWith('\r')) throw invalidHttp('HPE_STRICT');
    const line = this.#line.slice(0, -1);
    this.#line = '';
    this.#endLine(line);
    return newline + 1;
  }

  #endLine(line: string): void {
    switch (this.#state) {
      case 'size':
        this.#left = sizeOf(line);
        this.#state = this.#left === 0 ? 'trailers' : 'data';
        break;
      case 'data-end':
        if (line !== '') throw invalidHttp('HPE_STRICT');
        this.#state = 'size';
        break;
      case 'trailers':
        // They tell nothing that an answer of a tool has a place for.
        this.#trailers += line.length;
        if (this.#trailers > MOST_LINE) throw invalidHttp('HPE_HEADER_OVERFLOW');
        this.isWhole = line === '';
        break;
      case 'data':
        break;
    }
  }
}

/** What stands behind the size is an extension, and unknown ones are ignored (section 7.1.1). */
function sizeOf(line: string): number {
  const digits = /^([\da-f]{1,12})(?:[\t ]*;.*)?$/i.exec(line)?.[1];
  if (digits === undefined) throw invalidHttp('HPE_INVALID_CHUNK_SIZE');
  return Number.parseInt(digits, 16);
}
