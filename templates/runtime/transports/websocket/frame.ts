// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Frames of the WebSocket protocol (RFC 6455): opcodes, close codes, headers, and the frames that a server sends. */
import { isUtf8 } from 'node:buffer';
import type { Duplex } from 'node:stream';

import type { Message } from '../../core/call.ts';
import { type Hold, Unread } from '../conversation.ts';
import type { IncomingBytes } from './frame-reader.ts';

/** Opcodes (RFC 6455, section 5.2). The numbers between and after these are reserved. */
export const CONTINUATION = 0x0;
const TEXT = 0x1;
export const BINARY = 0x2;
export const CLOSE = 0x8;
export const PING = 0x9;
export const PONG = 0xa;

const OPCODES: ReadonlySet<number> = new Set([CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG]);

/** Close, Ping, Pong and those still to be defined (section 5.5). */
export function isControlOpcode(opcode: number): boolean {
  return (opcode & 0x8) !== 0;
}

/** Close codes (RFC 6455, section 7.4, and the IANA registry that continues it). */
export const NORMAL_CLOSURE = 1000;
export const GOING_AWAY = 1001;
export const PROTOCOL_ERROR = 1002;
export const UNSUPPORTED_DATA = 1003;
/** The code of a Close frame that has none. Never sent. */
const NO_STATUS_RECEIVED = 1005;
/** The code if there was no Close frame. Never sent. */
export const ABNORMAL_CLOSURE = 1006;
export const INVALID_PAYLOAD_DATA = 1007;
export const POLICY_VIOLATION = 1008;
export const MESSAGE_TOO_BIG = 1009;
export const INTERNAL_ERROR = 1011;
export const TRY_AGAIN_LATER = 1013;

/** Codes of the protocol, of libraries and of applications. 1004 is reserved; 1005, 1006 and 1015 are never sent. */
function isCloseCode(code: number): boolean {
  if (!Number.isInteger(code)) return false;
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
}

/** RFC 6455, section 5.5.1. */
export interface CloseStatus {
  code: number;
  reason: string;
}

const MOST_REASON_BYTES = 123;

export function parseCloseBody(body: Buffer): CloseStatus {
  if (body.length === 0) return { code: NO_STATUS_RECEIVED, reason: '' };
  const code = body.length === 1 ? 0 : body.readUInt16BE(0);
  if (!isCloseCode(code)) throw new ProtocolFault(PROTOCOL_ERROR, 'The close code must not be sent.');
  const reason = body.subarray(2);
  if (!isUtf8(reason)) throw new ProtocolFault(INVALID_PAYLOAD_DATA, 'The close reason is not UTF-8.');
  return { code, reason: reason.toString('utf8') };
}

/**
 * A reason that is too long for a control frame is cut between two characters.
 * @throws {RangeError} on a code that must not be sent
 */
export function writeCloseBody({ code, reason }: CloseStatus): Buffer {
  if (code === NO_STATUS_RECEIVED) return Buffer.alloc(0);
  if (!isCloseCode(code)) throw new RangeError(`The close code ${code} must not be sent.`);
  const body = Buffer.alloc(2 + MOST_REASON_BYTES);
  body.writeUInt16BE(code, 0);
  return body.subarray(0, 2 + body.write(reason, 2, 'utf8'));
}

/** The peer broke the protocol: the connection ends with this code and reason (RFC 6455, section 7.1.7). */
export class ProtocolFault extends Error {
  override readonly name = 'ProtocolFault';
  readonly code: number;

  constructor(code: number, reason: string) {
    super(reason);
    this.code = code;
  }
}

export interface FrameHeader {
  isFinal: boolean;
  opcode: number;
  length: number;
  maskingKey: number;
}

const MASKING_KEY_BYTES = 4;
const LENGTH_16 = 126;

/**
 * RFC 6455, section 5.2. Undefined while bytes of the header are missing. Checks all that can be checked of a frame alone.
 * @throws {ProtocolFault}
 */
export function readFrameHeader(incoming: IncomingBytes): FrameHeader | undefined {
  if (incoming.length < 2) return undefined;
  const size = checkedHeaderSize(incoming.peekBytes(2));
  if (incoming.length < size) return undefined;
  const bytes = Buffer.from(incoming.take(size));
  const first = bytes.readUInt8(0);
  return {
    isFinal: (first & 0x80) !== 0,
    opcode: first & 0x0f,
    length: readPayloadLength(bytes),
    maskingKey: bytes.readUInt32BE(size - MASKING_KEY_BYTES),
  };
}

/** Checks the first two bytes before more is read of a bad frame. */
function checkedHeaderSize([first = 0, second = 0]: Uint8Array): number {
  const opcode = first & 0x0f;
  const length = second & 0x7f;
  assertFrame((first & 0x70) === 0, 'A reserved bit is set, and no extension was agreed.');
  assertFrame(OPCODES.has(opcode), 'The opcode is reserved.');
  assertFrame((second & 0x80) !== 0, 'A client must mask its frames.');
  if (isControlOpcode(opcode)) {
    assertFrame((first & 0x80) !== 0, 'A control frame must not be fragmented.');
    assertFrame(length < LENGTH_16, 'A control frame must not be longer than 125 bytes.');
  }
  const extended = length < LENGTH_16 ? 0 : length === LENGTH_16 ? 2 : 8;
  return 2 + extended + MASKING_KEY_BYTES;
}

/** "The minimal number of bytes MUST be used to encode the length", and the 64 bits have no sign. */
function readPayloadLength(bytes: Buffer): number {
  const short = bytes.readUInt8(1) & 0x7f;
  if (short < LENGTH_16) return short;
  if (short === LENGTH_16) {
    const length = bytes.readUInt16BE(2);
    assertFrame(length >= LENGTH_16, 'The length is not in its shortest form.');
    return length;
  }
  const high = bytes.readUInt32BE(2);
  assertFrame(high < 0x8000_0000, 'The top bit of the length is set.');
  // Not exact beyond 2^53, which is over every limit.
  const length = high * 0x1_0000_0000 + bytes.readUInt32BE(6);
  assertFrame(length > 0xffff, 'The length is not in its shortest form.');
  return length;
}

function assertFrame(isMet: boolean, reason: string): void {
  if (!isMet) throw new ProtocolFault(PROTOCOL_ERROR, reason);
}

/** Sends the frames of a server: whole messages, never masked (RFC 6455, section 5.1). */
export class FrameSender {
  readonly #socket: Duplex;
  readonly #unread: Unread;
  #pong: Uint8Array | undefined;
  #room: Promise<void> | undefined;
  #makeRoom: () => void = () => undefined;

  constructor(socket: Duplex, hold?: Hold) {
    this.#socket = socket;
    this.#unread = new Unread(socket, { socket, hold, cut: () => void socket.destroy() });
    socket.on('drain', () => this.#onDrain());
    for (const event of ['finish', 'close', 'error']) socket.on(event, () => this.#resolveRoom());
  }

  /** Whether the client has left so much unread that nothing more should be sent. */
  get isFull(): boolean {
    return this.#socket.writableNeedDrain;
  }

  /** Undefined when there is room for more, else what resolves when there is. Never throws, never rejects. */
  send(...parts: Parameters<Unread['writeParts']>): Promise<void> | undefined {
    if (!this.#socket.writable || this.#unread.writeParts(...parts)) return undefined;
    return (this.#room ??= new Promise((resolve) => (this.#makeRoom = resolve)));
  }

  sendText(message: Message): Promise<void> | undefined {
    if (typeof message === 'string') return this.send(writeTextFrame(message));
    const lengths = message.map((part) =>
      typeof part === 'string' ? Buffer.byteLength(part) : part.bytes.length,
    );
    return this.send(writeTextHeader(lengths.reduce((sum, length) => sum + length)), ...message);
  }

  /**
   * While there is no room only the latest pong is kept (section 5.5.3): a client that reads nothing could make us keep one for
   * each of its pings.
   */
  sendPong(payload: Uint8Array): void {
    if (this.isFull) this.#pong = payload;
    else void this.send(writeFrame(PONG, payload));
  }

  #onDrain(): void {
    const pong = this.#pong;
    this.#pong = undefined;
    if (pong !== undefined) this.sendPong(pong);
    if (!this.isFull) this.#resolveRoom();
  }

  #resolveRoom(): void {
    this.#makeRoom();
    this.#room = undefined;
  }
}

/** `payload` is up to 125 bytes long where `opcode` is that of a control frame. */
export function writeFrame(opcode: number, payload: Uint8Array): Buffer {
  const { frame, start } = allocateFrame(opcode, payload.length);
  frame.set(payload, start);
  return frame;
}

function writeTextFrame(text: string): Buffer {
  const { frame, start } = allocateFrame(TEXT, Buffer.byteLength(text, 'utf8'));
  frame.write(text, start, 'utf8');
  return frame;
}

function writeTextHeader(length: number): Buffer {
  const frame = Buffer.allocUnsafe(headerLength(length));
  writeHeader(frame, TEXT, length);
  return frame;
}

function allocateFrame(opcode: number, length: number): { frame: Buffer; start: number } {
  const start = headerLength(length);
  const frame = Buffer.allocUnsafe(start + length);
  writeHeader(frame, opcode, length);
  return { frame, start };
}

function headerLength(length: number): number {
  return length < 126 ? 2 : length < 0x1_0000 ? 4 : 10;
}

function writeHeader(frame: Buffer, opcode: number, length: number): void {
  const start = headerLength(length);
  frame.writeUInt8(0x80 | opcode, 0);
  if (start === 2) {
    frame.writeUInt8(length, 1);
  } else if (start === 4) {
    frame.writeUInt8(126, 1);
    frame.writeUInt16BE(length, 2);
  } else {
    frame.writeUInt8(127, 1);
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
}
