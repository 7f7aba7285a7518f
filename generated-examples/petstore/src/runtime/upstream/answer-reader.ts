/** Finds one answer in the bytes of a connection (RFC 9112); no IO. */
import { maxHeaderSize } from 'node:http';
import { InterimAnswers } from '../contract/interim-answers.ts';
import { type AnswerHead, readHead } from './answer-head.ts';
import { ChunkedBody } from './chunked-body.ts';
import { invalidHttp, switchedProtocols } from './invalid-http.ts';

export class AnswerReader {
  /** Absent until it has come. */
  head: AnswerHead | undefined;
  /** All of it has come. */
  isWhole = false;
  /** Bytes came that belong to no answer. */
  hasMore = false;
  readonly #hasBody: boolean;
  /** The beginning of the head. */
  #pending: Buffer | undefined;
  #left = 0;
  #chunked: ChunkedBody | undefined;
  /** Absent while there was none. */
  #interim: InterimAnswers | undefined;

  /** `hasBody` is false for the answer to HEAD. */
  constructor(hasBody: boolean) {
    this.#hasBody = hasBody;
  }

  /**
   * Takes the bytes that came, and returns what of the body is in them.
   *
   * @throws {Error} `HPE_…`: it is no HTTP; or the server switched protocols, or sent too many interim answers
   */
  push(chunk: Buffer): Buffer[] {
    const rest = this.head === undefined ? this.#takeHeads(chunk) : chunk;
    if (this.head === undefined || rest.length === 0) return [];
    const pieces: Buffer[] = [];
    const taken = this.#takeBody(this.head, rest, pieces);
    this.hasMore = taken < rest.length;
    return pieces;
  }

  /** The connection has ended. Returns whether the body ended with it, as it should. */
  end(): boolean {
    if (this.head?.framing.kind === 'connection') this.isWhole = true;
    return this.isWhole;
  }

  /** Interim answers (1xx) come before the one that counts. Returns the bytes behind it. */
  #takeHeads(chunk: Buffer): Buffer {
    let bytes = this.#pending === undefined ? chunk : Buffer.concat([this.#pending, chunk]);
    while (this.head === undefined) {
      const end = bytes.indexOf('\r\n\r\n', 0, 'latin1');
      if (end > maxHeaderSize || (end === -1 && bytes.length > maxHeaderSize))
        throw invalidHttp('HPE_HEADER_OVERFLOW');
      if (end === -1) {
        // It may never end, so it is not waited for.
        if (!START.startsWith(bytes.toString('latin1', 0, START.length)))
          throw invalidHttp('HPE_INVALID_CONSTANT');
        this.#pending = bytes;
        return NOTHING;
      }
      this.#begin(readHead(bytes.toString('latin1', 0, end), this.#hasBody), end);
      bytes = bytes.subarray(end + 4);
    }
    return bytes;
  }

  #begin(head: AnswerHead, bytes: number): void {
    if (head.status === 101) throw switchedProtocols();
    if (head.status < 200) return (this.#interim ??= new InterimAnswers()).add(bytes);
    this.head = head;
    const { framing } = head;
    if (framing.kind === 'length') this.#left = framing.bytes;
    else if (framing.kind === 'chunked') this.#chunked = new ChunkedBody();
    this.isWhole = framing.kind === 'length' && framing.bytes === 0;
  }

  /** How many bytes are the body's. */
  #takeBody({ framing }: AnswerHead, bytes: Buffer, pieces: Buffer[]): number {
    if (this.#chunked !== undefined) {
      const taken = this.#chunked.push(bytes, pieces);
      this.isWhole = this.#chunked.isWhole;
      return taken;
    }
    const piece = framing.kind === 'length' ? bytes.subarray(0, this.#left) : bytes;
    if (piece.length > 0) pieces.push(piece);
    this.#left -= piece.length;
    this.isWhole = framing.kind === 'length' && this.#left === 0;
    return piece.length;
  }
}

const START = 'HTTP/';

const NOTHING = Buffer.alloc(0);
