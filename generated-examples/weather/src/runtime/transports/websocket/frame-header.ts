/** Reads what precedes a frame's payload (RFC 6455, section 5.2), and judges what can be judged of a frame alone. */
import { PROTOCOL_ERROR } from './close-code.ts';
import type { IncomingBytes } from './incoming-bytes.ts';
import { isControlOpcode, isKnownOpcode } from './opcode.ts';
import { ProtocolFault } from './protocol-fault.ts';

export interface FrameHeader {
  /** FIN: the last frame of its message. */
  isFinal: boolean;
  opcode: number;
  /** Bytes of payload. */
  length: number;
  /** 32 bits: the first byte is the highest. */
  maskingKey: number;
}

const MASKING_KEY_BYTES = 4;
/** As a length of 7 bits, says that one of 16 bits follows; one more, that one of 64 does. */
const LENGTH_16 = 126;

export class FrameHeaderReader {
  readonly #bytes = Buffer.alloc(2 + 8 + MASKING_KEY_BYTES);
  #filled = 0;
  #size = 2;

  /**
   * The header, or undefined while bytes of it are missing.
   *
   * @throws {ProtocolFault}
   */
  read(incoming: IncomingBytes): FrameHeader | undefined {
    while (this.#filled < this.#size) {
      const part = incoming.take(this.#size - this.#filled);
      if (part.length === 0) return undefined;
      this.#bytes.set(part, this.#filled);
      this.#filled += part.length;
      if (this.#filled === 2) this.#size = sizeOf(this.#bytes);
    }
    const header = headerOf(this.#bytes, this.#size);
    this.#filled = 0;
    this.#size = 2;
    return header;
  }
}

/** Of the whole header, told by its first two bytes. They are judged first, so that nothing is read for a bad frame. */
function sizeOf(bytes: Buffer): number {
  const first = bytes.readUInt8(0);
  const second = bytes.readUInt8(1);
  const opcode = first & 0x0f;
  const length = second & 0x7f;
  demand((first & 0x70) === 0, 'A reserved bit is set, and no extension was agreed.');
  demand(isKnownOpcode(opcode), 'The opcode is reserved.');
  demand((second & 0x80) !== 0, 'A client must mask its frames.');
  if (isControlOpcode(opcode)) {
    demand((first & 0x80) !== 0, 'A control frame must not be fragmented.');
    demand(length < LENGTH_16, 'A control frame must not be longer than 125 bytes.');
  }
  return 2 + extendedBytes(length) + MASKING_KEY_BYTES;
}

function extendedBytes(length: number): number {
  if (length < LENGTH_16) return 0;
  return length === LENGTH_16 ? 2 : 8;
}

function headerOf(bytes: Buffer, size: number): FrameHeader {
  const first = bytes.readUInt8(0);
  return {
    isFinal: (first & 0x80) !== 0,
    opcode: first & 0x0f,
    length: lengthOf(bytes),
    maskingKey: bytes.readUInt32BE(size - MASKING_KEY_BYTES),
  };
}

/** "The minimal number of bytes MUST be used to encode the length", and the 64 bits have no sign. */
function lengthOf(bytes: Buffer): number {
  const short = bytes.readUInt8(1) & 0x7f;
  if (short < LENGTH_16) return short;
  if (short === LENGTH_16) {
    const length = bytes.readUInt16BE(2);
    demand(length >= LENGTH_16, 'The length is not in its shortest form.');
    return length;
  }
  const high = bytes.readUInt32BE(2);
  demand(high < 0x8000_0000, 'The top bit of the length is set.');
  // Not exact beyond 2^53, which is over every limit.
  const length = high * 0x1_0000_0000 + bytes.readUInt32BE(6);
  demand(length > 0xffff, 'The length is not in its shortest form.');
  return length;
}

function demand(isMet: boolean, reason: string): void {
  if (!isMet) throw new ProtocolFault(PROTOCOL_ERROR, reason);
}
