// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** stdio: one message a line, in and out. */
import { isUtf8 } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';

import { type Answer, type Message, NOT_UTF8, invalidMessageAnswer, joinMessage } from '../core/call.ts';
import type { Core } from '../core/core.ts';
import type { Session } from '../core/session.ts';
import { DEFAULT_LIMITS, type Limits } from '../contract/feature.ts';
import { isRecord } from '../contract/json-value.ts';
import { INTERNAL_ERROR, findIdOfTooLongMessage } from '../protocol/json-rpc.ts';
import { withoutMembers } from '../protocol/revisions.ts';
import { Conversation, waitForRoom } from './conversation.ts';

interface StdioOptions {
  core: Core;
  session: Session;
  input: Readable;
  writer: LineWriter;
  limits: Pick<Limits, 'lineBytes' | 'stdioDrainMs' | 'inFlightRequests'>;
  /** Resolves to stop early, as at SIGTERM: no more requests begin, and those in flight are finished. */
  stop: Promise<void>;
  /** Called before waiting for requests in flight: ends subscriptions and tasks. */
  finish: () => void;
}

/** Serves until the input ends, then waits for requests in flight. Resolves when the last answer is out. */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { core, session, input, writer, limits, stop, finish } = options;
  const wire = { send: writer.write, pause: () => input.pause(), resume: () => input.resume() };
  const conversation = new Conversation({ core, session, wire, most: limits.inFlightRequests });
  const splitter = new LineSplitter(limits.lineBytes);
  const receiveChunk = (chunk?: Buffer): void => {
    for (const line of chunk === undefined ? splitter.end() : splitter.splitChunk(chunk)) {
      if (line.kind === 'line') conversation.receiveText(line.text);
      else if (line.kind === 'not-utf8') conversation.sendRefusal(NOT_UTF8);
      else conversation.sendRefusal(makeTooLongAnswer(line, limits.lineBytes));
    }
  };
  input.on('data', receiveChunk).once('end', () => receiveChunk());

  await Promise.race([waitForEndOfInput(input), writer.closed, stop]);
  finish();
  await conversation.drainRequests(limits.stdioDrainMs);
  input.off('data', receiveChunk).pause();
  writer.flush();
  session.end();
}

function makeTooLongAnswer({ head, tail }: Extract<Line, { kind: 'too-long' }>, limit: number): Answer {
  return invalidMessageAnswer(findIdOfTooLongMessage(head, tail), describeTooLong(limit));
}

async function waitForEndOfInput(input: Readable): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const event of ['end', 'error', 'close']) input.on(event, () => resolve());
  });
}

/** Characters of messages that wait for others; with more, the client would be idle meanwhile. */
const BATCH = 4096;

/**
 * Writes messages, one a line; those of one turn of the event loop leave together, since each write wakes the client. It keeps
 * the output's original `write`, so that other writes may be redirected.
 */
export class LineWriter {
  readonly #output: Writable;
  readonly #write: Writable['write'];
  readonly #most: number;
  #growFor: Promise<void> | undefined;
  #lines = '';

  constructor(output: Writable, most = DEFAULT_LIMITS.writtenLineBytes) {
    this.#output = output;
    this.#most = most;
    this.#write = output.write.bind(output);
    // The reader is gone: further output is lost, and `closed` settles.
    output.on('error', () => undefined);
  }

  /** Redirects other writes to the output: a stray `console.log` would break the stream of messages. */
  divertOtherWrites(elsewhere: Writable): void {
    this.#output.write = ((...chunk: Parameters<Writable['write']>) =>
      elsewhere.write(...chunk)) as Writable['write'];
  }

  get closed(): Promise<void> {
    return new Promise((resolve) => {
      this.#output.once('close', resolve);
      this.#output.once('error', () => resolve());
    });
  }

  /**
   * Undefined when there is room for more, else what resolves when there is. Never rejects.
   * @throws {Error} for a request to the client over the limit
   */
  readonly write = (message: Message): Promise<void> | undefined => {
    const { destroyed, writableLength, writableHighWaterMark } = this.#output;
    if (destroyed) return undefined;
    let line = typeof message === 'string' ? message : joinMessage(message);
    // A character is three bytes of UTF-8 at most.
    if (line.length * 3 > this.#most) line = replaceOversizedMessage(line, this.#most);
    if (this.#lines === '') setImmediate(this.flush);
    this.#lines += `${line}\n`;
    if (this.#lines.length + writableLength >= Math.min(writableHighWaterMark, BATCH)) this.flush();
    return this.#growFor;
  };

  readonly flush = (): void => {
    const lines = this.#lines;
    this.#lines = '';
    if (lines === '' || this.#write(lines)) return;
    this.#growFor ??= waitForRoom(this.#output).then(() => (this.#growFor = undefined));
  };
}

/** A message that is too long is replaced by words that say so: clients would close the connection. */
function replaceOversizedMessage(line: string, most: number): string {
  if (Buffer.byteLength(line) <= most) return line;
  const message: unknown = JSON.parse(line);
  const words =
    `What this server has to say here is longer than ${most.toLocaleString('en-US')} bytes, the most that clients take in one ` +
    'message, and was left out. Ask for less at a time.';
  if (!Array.isArray(message)) return JSON.stringify(replaceMessageContent(message, words));
  const share = most / message.length;
  const isLong = (each: unknown): boolean => Buffer.byteLength(JSON.stringify(each)) > share;
  return JSON.stringify(message.map((each) => (isLong(each) ? replaceMessageContent(each, words) : each)));
}

function replaceMessageContent(message: unknown, words: string): object {
  if (!isRecord(message)) throw new Error(words);
  const { id, method, result, params } = message;
  if (isRecord(result) && Array.isArray(result['content'])) {
    const rest = withoutMembers(result, ['structuredContent']);
    return { ...message, result: { ...rest, content: [{ type: 'text', text: words }], isError: true } };
  }
  if (method === undefined) return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: words } };
  if (id !== undefined || !isRecord(params)) throw new Error(`${String(method)} was not asked. ${words}`);
  // A notification loses its longest member: the data of a log line, the message of a progress.
  const sized = Object.entries(params).map(([name, value]) => ({ name, size: JSON.stringify(value).length }));
  const longest = sized.reduce((one, other) => (other.size > one.size ? other : one));
  return { ...message, params: { ...params, [longest.name]: words } };
}

const NEWLINE = 0x0a;

type Line =
  { kind: 'line'; text: string } | { kind: 'not-utf8' } | { kind: 'too-long'; head: string; tail: string };

/**
 * Characters may come in two chunks, so bytes are decoded by whole lines. A line over the limit (bytes without the line break)
 * is skipped up to its end, and reported then.
 */
export class LineSplitter {
  readonly #limit: number;
  readonly #pending: GrowingBytes;
  #skipped: { head: Buffer; tail: Buffer } | undefined;

  constructor(limit: number) {
    this.#limit = limit;
    this.#pending = new GrowingBytes(limit);
  }

  /** A carriage return at a line's end is left to the JSON parser. */
  splitChunk(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = this.#splitText(bytes, lines);
    for (let end = bytes.indexOf(NEWLINE, start); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      this.#finishLine(bytes.subarray(start, end), lines);
      start = end + 1;
    }
    if (start < chunk.length) this.#appendToLine(chunk.subarray(start));
    return lines;
  }

  /**
   * Decodes whole lines at once, which is faster, unless one may be too long or broken.
   * @returns where the rest begins
   */
  #splitText(bytes: Buffer, lines: Line[]): number {
    const end = bytes.lastIndexOf(NEWLINE);
    if (end === -1 || end > this.#limit || this.#pending.length > 0 || this.#skipped !== undefined) return 0;
    const text = bytes.toString('utf8', 0, end);
    if (text.includes('\uFFFD')) return 0;
    for (const line of text.split('\n')) if (line.trim() !== '') lines.push({ kind: 'line', text: line });
    return end + 1;
  }

  end(): Line[] {
    const lines: Line[] = [];
    this.#finishLine(new Uint8Array(), lines);
    return lines;
  }

  #finishLine(part: Uint8Array, lines: Line[]): void {
    this.#appendToLine(part);
    const { text, bytes } = this.#pending;
    if (this.#skipped !== undefined) {
      const { head, tail } = this.#skipped;
      lines.push({ kind: 'too-long', head: head.toString('utf8'), tail: tail.toString('utf8') });
    } else if (text.includes('\uFFFD') && !isUtf8(bytes)) lines.push({ kind: 'not-utf8' });
    else if (text.trim() !== '') lines.push({ kind: 'line', text });
    this.#pending.clear();
    this.#skipped = undefined;
  }

  #appendToLine(part: Uint8Array): void {
    if (part.length === 0) return;
    if (this.#skipped === undefined && this.#pending.length + part.length <= this.#limit)
      return this.#pending.appendPiece(part);
    const { head, tail } = this.#skipped ?? { head: this.#pending.bytes, tail: this.#pending.bytes };
    // Copies: the chunks themselves would stay in memory as long as a few of their bytes.
    const [first, last] = [part.subarray(0, KEPT_BYTES), part.subarray(-KEPT_BYTES)];
    this.#skipped = {
      head: Buffer.concat([head.subarray(0, KEPT_BYTES), first]).subarray(0, KEPT_BYTES),
      tail: Buffer.concat([tail.subarray(-KEPT_BYTES), last]).subarray(-KEPT_BYTES),
    };
    this.#pending.clear();
  }
}

interface GrowingBuffer extends ArrayBuffer {
  resize(bytes: number): void;
}

const Growing = ArrayBuffer as unknown as new (
  bytes: number,
  options: { maxByteLength: number },
) => GrowingBuffer;

/**
 * Gathers bytes that come in pieces. One piece stays where it is. More are put into one buffer that grows without a copy, and
 * gives its memory back when cleared: that of a long text would else stay until the collector comes, beside the text.
 */
export class GrowingBytes {
  length = 0;
  readonly #limit: number;
  #only: Uint8Array | undefined;
  #all: GrowingBuffer | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get bytes(): Uint8Array {
    return this.#all === undefined
      ? (this.#only ?? new Uint8Array())
      : new Uint8Array(this.#all, 0, this.length);
  }

  get text(): string {
    const { bytes } = this;
    const { buffer, byteOffset, byteLength } = bytes;
    return (bytes instanceof Buffer ? bytes : Buffer.from(buffer, byteOffset, byteLength)).toString('utf8');
  }

  appendPiece(piece: Uint8Array): void {
    const before = this.length;
    this.length += piece.length;
    if (before === 0) this.#only = piece;
    else this.#growForPiece().set(piece, before);
  }

  clear(): void {
    this.#all?.resize(0);
    this.#all = undefined;
    this.#only = undefined;
    this.length = 0;
  }

  #growForPiece(): Uint8Array {
    const all = (this.#all ??= new Growing(0, { maxByteLength: this.#limit }));
    if (all.byteLength < this.length) all.resize(Math.min(this.#limit, 2 * this.length));
    const bytes = new Uint8Array(all);
    if (this.#only !== undefined) bytes.set(this.#only);
    this.#only = undefined;
    return bytes;
  }
}

/** Bytes kept of each end of a line over the limit. */
const KEPT_BYTES = 256;

export function describeTooLong(limit: number): string {
  return (
    `The message is longer than ${limit} bytes, the most that this server takes. Give less at a time; ` +
    'a file can be given by its name, as file:<path>, where the server was started with --files <folder>.'
  );
}
