// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Reads a client's frames from bytes that may be cut anywhere. Holds at most one message, up to `messageBytes`. */
import { isUtf8 } from 'node:buffer';
import type { Duplex } from 'node:stream';
import type { Limits } from '../../contract/feature.ts';
import type { Hold, Holding } from '../conversation.ts';
import {
  BINARY,
  CONTINUATION,
  type FrameHeader,
  INVALID_PAYLOAD_DATA,
  isControlOpcode,
  MESSAGE_TOO_BIG,
  PING,
  POLICY_VIOLATION,
  PONG,
  PROTOCOL_ERROR,
  ProtocolFault,
  parseCloseBody,
  readFrameHeader,
  UNSUPPORTED_DATA,
} from './frame.ts';

export type FrameEvent =
  | { kind: 'text'; text: string }
  | { kind: 'ping' | 'pong'; payload: Buffer }
  /** 1005 means that there was no code. Nothing is read after it. */
  | { kind: 'close'; code: number; reason: string }
  /** The client broke a rule: the connection is to be failed with this code. Nothing is read after it. */
  | { kind: 'fault'; code: number; reason: string };

type FrameLimits = Pick<Limits, 'messageBytes' | 'messageFragments'>;

interface OpenFrame {
  header: FrameHeader;
  payload: Payload;
  received: number;
}

export class FrameReader {
  readonly #limits: FrameLimits;
  readonly #incoming = new IncomingBytes();
  #frame: OpenFrame | undefined;
  #message: { payload: Payload; fragments: number } | undefined;
  #isDone = false;

  constructor(limits: FrameLimits) {
    this.#limits = limits;
  }

  push(chunk: Uint8Array): void {
    if (!this.#isDone) this.#incoming.push(chunk);
  }

  readFrameEvent(): FrameEvent | undefined {
    if (this.#isDone) return undefined;
    try {
      const event = this.#nextEvent();
      if (event?.kind === 'close') this.stop();
      return event;
    } catch (thrown) {
      if (!(thrown instanceof ProtocolFault)) throw thrown;
      this.stop();
      return { kind: 'fault', code: thrown.code, reason: thrown.message };
    }
  }

  get heldBytes(): number {
    return this.#incoming.length + (this.#message?.payload.length ?? 0);
  }

  stop(): void {
    this.#isDone = true;
    this.#incoming.clear();
    this.#frame = undefined;
    this.#message = undefined;
  }

  #nextEvent(): FrameEvent | undefined {
    for (;;) {
      const frame = (this.#frame ??= this.#beginFrame());
      if (frame === undefined || !this.#fillPayload(frame)) return undefined;
      this.#frame = undefined;
      const event = this.#toFrameEvent(frame);
      if (event !== undefined) return event;
    }
  }

  #beginFrame(): OpenFrame | undefined {
    const header = readFrameHeader(this.#incoming);
    if (header === undefined) return undefined;
    const payload = isControlOpcode(header.opcode)
      ? new Payload(header.length)
      : this.#findMessagePayload(header);
    return { header, payload, received: 0 };
  }

  #fillPayload(frame: OpenFrame): boolean {
    const { header, payload, received } = frame;
    const part = this.#incoming.take(header.length - received);
    payload.append(part, header.maskingKey, received);
    frame.received += part.length;
    return frame.received === header.length;
  }

  #toFrameEvent({ header: { opcode, isFinal }, payload }: OpenFrame): FrameEvent | undefined {
    if (opcode === PING) return { kind: 'ping', payload: payload.bytes };
    if (opcode === PONG) return { kind: 'pong', payload: payload.bytes };
    if (isControlOpcode(opcode)) return { kind: 'close', ...parseCloseBody(payload.bytes) };
    if (!isFinal) return undefined;
    this.#message = undefined;
    return { kind: 'text', text: decodeUtf8(payload.bytes) };
  }

  /** The payload of the message that a data frame begins or continues (section 5.4). */
  #findMessagePayload({ opcode, length }: FrameHeader): Payload {
    if ((opcode === CONTINUATION) !== (this.#message !== undefined)) {
      const reason =
        this.#message === undefined ? 'There is no message to continue.' : 'A message is not complete.';
      throw new ProtocolFault(PROTOCOL_ERROR, reason);
    }
    if (opcode === BINARY) throw new ProtocolFault(UNSUPPORTED_DATA, 'Messages are text.');
    const message = (this.#message ??= { payload: new Payload(this.#limits.messageBytes), fragments: 0 });
    message.fragments += 1;
    if (message.fragments > this.#limits.messageFragments) {
      throw new ProtocolFault(POLICY_VIOLATION, 'The message has too many fragments.');
    }
    if (message.payload.length + length > this.#limits.messageBytes) {
      throw new ProtocolFault(MESSAGE_TOO_BIG, 'The message is too long.');
    }
    return message.payload;
  }
}

/** Section 8.1. A byte order mark stays, for the reader of the text to judge. */
function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new ProtocolFault(INVALID_PAYLOAD_DATA, 'The message is not UTF-8.');
  return bytes.toString('utf8');
}

interface FrameSourceOptions {
  limits: FrameLimits;
  take: (event: FrameEvent) => void;
  end: () => void;
  hold?: Hold | undefined;
  /** Called when an incomplete message had to be given up. Nothing is taken after it. */
  gaveUp?: () => void;
}

/** Reads frames from a socket, and can stop between any two of them. */
export class FrameSource {
  readonly #socket: Duplex;
  readonly #reader: FrameReader;
  readonly #options: FrameSourceOptions;
  #holding: Holding | undefined;
  isPaused = false;
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
      this.#readFrames();
    });
    socket.on('end', () => {
      this.#hasEnded = true;
      this.#readFrames();
    });
    socket.once('close', () => this.#holding?.end());
    socket.resume();
  }

  pause(): void {
    this.isPaused = true;
    this.#socket.pause();
  }

  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.#socket.resume();
    this.#readFrames();
  }

  #readFrames(): void {
    // `take` may pause and resume: a second run would change the order of frames.
    if (this.#isReading) return;
    this.#isReading = true;
    while (!this.isPaused) {
      const event = this.#reader.readFrameEvent();
      if (event === undefined) break;
      this.#options.take(event);
    }
    this.#isReading = false;
    this.#countHeldBytes();
    // A stream may have ended although its last chunk paused the reader.
    if (this.#hasEnded && !this.isPaused) this.#options.end();
  }

  #countHeldBytes(): void {
    const { heldBytes } = this.#reader;
    const { hold, gaveUp } = this.#options;
    // A message that arrives whole holds no memory, so nothing is counted.
    if (hold === undefined || (heldBytes === 0 && this.#holding === undefined)) return;
    this.#holding ??= hold(() => {
      this.#reader.stop();
      gaveUp?.();
    });
    this.#holding.set(heldBytes);
  }
}

/**
 * A payload, unmasked (RFC 6455, section 5.3). Grows by doubling with what has really arrived: a claimed length takes no
 * memory, and many small parts are copied no more than a few large ones.
 */
class Payload {
  readonly #most: number;
  #bytes = Buffer.alloc(0);
  #length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  append(masked: Uint8Array, maskingKey: number, offset: number): void {
    const start = this.#length;
    this.#reserveBytes(start + masked.length);
    this.#length += masked.length;
    this.#bytes.set(masked, start);
    unmaskPayload(this.#bytes.subarray(start, this.#length), maskingKey, offset);
  }

  #reserveBytes(length: number): void {
    if (length <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(length, Math.min(2 * this.#bytes.length, this.#most)));
    grown.set(this.bytes);
    this.#bytes = grown;
  }
}

/** Unmasks in place, by words of 32 bits, which takes a fifth of the time. */
function unmaskPayload(bytes: Uint8Array, maskingKey: number, offset: number): void {
  if (bytes.length < WORTH_WORDS) return unmaskBytes(bytes, maskingKey, offset);
  const lead = -bytes.byteOffset & 3;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + lead, (bytes.length - lead) >> 2);
  const key = new Int32Array(1);
  unmaskBytes(new Uint8Array(key.buffer), maskingKey, offset + lead);
  const [keyWord = 0] = key;
  for (let index = 0; index < words.length; index++) words[index] = (words[index] ?? 0) ^ keyWord;
  unmaskBytes(bytes.subarray(0, lead), maskingKey, offset);
  unmaskBytes(bytes.subarray(lead + words.byteLength), maskingKey, offset + lead);
}

const WORTH_WORDS = 256;

function unmaskBytes(bytes: Uint8Array, maskingKey: number, offset: number): void {
  for (let index = 0; index < bytes.length; index++) {
    const shift = 24 - 8 * ((offset + index) & 3);
    bytes[index] = (bytes[index] ?? 0) ^ (maskingKey >>> shift);
  }
}

export class IncomingBytes {
  #chunk: Uint8Array = NONE;
  #at = 0;

  get length(): number {
    return this.#chunk.length - this.#at;
  }

  push(chunk: Uint8Array): void {
    const rest = this.#chunk.subarray(this.#at);
    this.#chunk = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    this.#at = 0;
  }

  /** Up to `most` bytes, which are not to be written to. */
  take(most: number): Uint8Array {
    const part = this.#chunk.subarray(this.#at, this.#at + most);
    this.#at += part.length;
    // Nothing is kept for a connection that is silent.
    if (this.#at === this.#chunk.length) this.clear();
    return part;
  }

  peekBytes(count: number): Uint8Array {
    return this.#chunk.subarray(this.#at, this.#at + count);
  }

  clear(): void {
    this.#chunk = NONE;
    this.#at = 0;
  }
}

const NONE = new Uint8Array();
