/**
 * Reads a client's frames from bytes that may be cut anywhere. Holds at most one message: what it keeps grows with what
 * has arrived, up to `messageBytes`.
 */
import { isUtf8 } from 'node:buffer';
import type { Limits } from '../../limits.ts';
import {
  INVALID_PAYLOAD_DATA,
  MESSAGE_TOO_BIG,
  POLICY_VIOLATION,
  PROTOCOL_ERROR,
  UNSUPPORTED_DATA,
} from './close-code.ts';
import { readCloseBody } from './close-body.ts';
import { type FrameHeader, FrameHeaderReader } from './frame-header.ts';
import { IncomingBytes } from './incoming-bytes.ts';
import { BINARY, CONTINUATION, isControlOpcode, PING, PONG } from './opcode.ts';
import { Payload } from './payload.ts';
import { ProtocolFault } from './protocol-fault.ts';

export type FrameEvent =
  | { kind: 'text'; text: string }
  | { kind: 'ping' | 'pong'; payload: Buffer }
  /** 1005 stands for no code. Nothing is read after it. */
  | { kind: 'close'; code: number; reason: string }
  /** The client broke a rule: the connection is to be failed with this code. Nothing is read after it. */
  | { kind: 'fault'; code: number; reason: string };

export type FrameLimits = Pick<Limits, 'messageBytes' | 'messageFragments'>;

/** A frame whose payload is arriving. */
interface OpenFrame {
  header: FrameHeader;
  payload: Payload;
  received: number;
}

export class FrameReader {
  readonly #limits: FrameLimits;
  readonly #incoming = new IncomingBytes();
  readonly #headers = new FrameHeaderReader();
  #frame: OpenFrame | undefined;
  #message: { payload: Payload; fragments: number } | undefined;
  #isDone = false;

  constructor(limits: FrameLimits) {
    this.#limits = limits;
  }

  /** Hands over bytes that have arrived. They are not changed. */
  push(chunk: Uint8Array): void {
    if (!this.#isDone) this.#incoming.push(chunk);
  }

  /** What comes next, or undefined when more bytes are needed for it. */
  read(): FrameEvent | undefined {
    if (this.#isDone) return undefined;
    try {
      const event = this.#next();
      if (event?.kind === 'close') this.stop();
      return event;
    } catch (thrown) {
      if (!(thrown instanceof ProtocolFault)) throw thrown;
      this.stop();
      return { kind: 'fault', code: thrown.code, reason: thrown.message };
    }
  }

  /** Bytes that are kept until what they begin is complete. */
  get heldBytes(): number {
    return this.#incoming.length + (this.#message?.payload.length ?? 0);
  }

  /** Reads nothing more, and keeps nothing. */
  stop(): void {
    this.#isDone = true;
    this.#incoming.clear();
    this.#frame = undefined;
    this.#message = undefined;
  }

  #next(): FrameEvent | undefined {
    for (;;) {
      const frame = (this.#frame ??= this.#beginFrame());
      if (frame === undefined || !this.#fill(frame)) return undefined;
      this.#frame = undefined;
      const event = this.#endFrame(frame);
      if (event !== undefined) return event;
    }
  }

  #beginFrame(): OpenFrame | undefined {
    const header = this.#headers.read(this.#incoming);
    if (header === undefined) return undefined;
    const payload = isControlOpcode(header.opcode) ? new Payload(header.length) : this.#payloadOf(header);
    return { header, payload, received: 0 };
  }

  /** Whether the payload is complete. */
  #fill(frame: OpenFrame): boolean {
    const { header, payload, received } = frame;
    const part = this.#incoming.take(header.length - received);
    payload.append(part, header.maskingKey, received);
    frame.received += part.length;
    return frame.received === header.length;
  }

  #endFrame({ header: { opcode, isFinal }, payload }: OpenFrame): FrameEvent | undefined {
    if (opcode === PING) return { kind: 'ping', payload: payload.bytes };
    if (opcode === PONG) return { kind: 'pong', payload: payload.bytes };
    if (isControlOpcode(opcode)) return { kind: 'close', ...readCloseBody(payload.bytes) };
    if (!isFinal) return undefined;
    this.#message = undefined;
    return { kind: 'text', text: decode(payload.bytes) };
  }

  /** Of the message that a data frame begins or continues (section 5.4). */
  #payloadOf({ opcode, length }: FrameHeader): Payload {
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
function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new ProtocolFault(INVALID_PAYLOAD_DATA, 'The message is not UTF-8.');
  return bytes.toString('utf8');
}
