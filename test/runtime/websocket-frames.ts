/** Frames as clients send them, good and bad, and frames as the server sends them. */

export interface FrameParts {
  isFinal?: boolean;
  /** Three bits. */
  reserved?: number;
  opcode?: number;
  payload?: string | Uint8Array;
  /** Undefined leaves the payload unmasked. */
  maskingKey?: Uint8Array | undefined;
  /** The length as it is written; from the payload when left out. */
  length?: Uint8Array;
}

export const MASKING_KEY = Uint8Array.of(0x37, 0xfa, 0x21, 0x3d);

export const CONTINUATION = 0x0;
export const TEXT = 0x1;
export const BINARY = 0x2;
export const CLOSE = 0x8;
export const PING = 0x9;
export const PONG = 0xa;

/** A frame. Without more, a whole text message, masked. */
export function frame({
  isFinal = true,
  reserved = 0,
  opcode = TEXT,
  payload = '',
  ...rest
}: FrameParts): Buffer {
  const bytes = Buffer.from(payload);
  const maskingKey = 'maskingKey' in rest ? rest.maskingKey : MASKING_KEY;
  const length = Buffer.from(rest.length ?? lengthOf(bytes));
  length[0] = (length[0] ?? 0) | (maskingKey === undefined ? 0 : 0x80);
  const first = Uint8Array.of((isFinal ? 0x80 : 0) | (reserved << 4) | opcode);
  if (maskingKey === undefined) return Buffer.concat([first, length, bytes]);
  const masked = bytes.map((byte, index) => byte ^ (maskingKey[index % 4] ?? 0));
  return Buffer.concat([first, length, maskingKey, masked]);
}

function lengthOf({ length }: Uint8Array): Uint8Array {
  if (length < 126) return Uint8Array.of(length);
  return length < 65_536 ? length16(length) : length64(BigInt(length));
}

/** A length in 16 bits, also one that needs fewer. */
export function length16(length: number): Uint8Array {
  return Uint8Array.of(126, length >> 8, length & 0xff);
}

/** A length in 64 bits, also one that needs fewer. */
export function length64(length: bigint): Uint8Array {
  const bytes = Buffer.alloc(9, 127);
  bytes.writeBigUInt64BE(length, 1);
  return bytes;
}

export const text = (payload: string | Uint8Array, more: FrameParts = {}) => frame({ payload, ...more });
export const begin = (payload: string | Uint8Array) => frame({ payload, isFinal: false });
export const more = (payload: string | Uint8Array) =>
  frame({ payload, opcode: CONTINUATION, isFinal: false });
export const last = (payload: string | Uint8Array) => frame({ payload, opcode: CONTINUATION });
export const ping = (payload: string | Uint8Array = '') => frame({ payload, opcode: PING });
export const pong = (payload: string | Uint8Array = '') => frame({ payload, opcode: PONG });
export const close = (code?: number, reason: string | Uint8Array = '') =>
  frame({ opcode: CLOSE, payload: closeBody(code, reason) });

export function closeBody(code?: number, reason: string | Uint8Array = ''): Uint8Array {
  if (code === undefined) return Buffer.alloc(0);
  return Buffer.concat([Uint8Array.of(code >> 8, code & 0xff), Buffer.from(reason)]);
}

export interface ServerFrame {
  opcode: number;
  payload: Buffer;
}

/** Reads what a server sends: whole frames, never masked, of the shortest form. */
export function readServerFrames(bytes: Buffer): ServerFrame[] {
  const frames: ServerFrame[] = [];
  for (let at = 0; at < bytes.length;) {
    const short = bytes.readUInt8(at + 1);
    const start = at + 2 + (short < 126 ? 0 : short === 126 ? 2 : 8);
    const length =
      short < 126
        ? short
        : short === 126
          ? bytes.readUInt16BE(at + 2)
          : Number(bytes.readBigUInt64BE(at + 2));
    const opcode = bytes.readUInt8(at) & 0xf;
    const payload = bytes.subarray(start, start + length);
    const again = frame({ opcode, payload, maskingKey: undefined });
    if (!again.equals(bytes.subarray(at, start + length))) throw new Error('not a frame of a server');
    frames.push({ opcode, payload });
    at = start + length;
  }
  return frames;
}

/** Small, so that the frames are small too. */
export const SMALL_LIMITS = { messageBytes: 70_000, messageFragments: 5 };

const bad = Buffer.from('aé').subarray(0, 2); // ends amid a character
const overlong = Buffer.from([0xc0, 0xaf]);
const surrogate = Buffer.from([0xed, 0xa0, 0x80]);

/** Frames that clients must not send, and the code that answers each. */
export const HOSTILE: [string, number, Uint8Array[]][] = [
  ...[1, 2, 3, 4, 5, 6, 7].map((reserved): [string, number, Uint8Array[]] => [
    `the reserved bits ${reserved}`,
    1002,
    [text('{}', { reserved })],
  ]),
  ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((opcode): [string, number, Uint8Array[]] => [
    `the opcode ${opcode}`,
    1002,
    [text('{}', { opcode })],
  ]),
  ['an unmasked text', 1002, [text('{}', { maskingKey: undefined })]],
  ['a ping in fragments', 1002, [frame({ opcode: PING, isFinal: false })]],
  ['a ping of 126 bytes', 1002, [ping('x'.repeat(126))]],
  ['a ping of 64-bit length', 1002, [frame({ opcode: PING, length: length64(1n), payload: 'x' })]],
  ['a continuation of nothing', 1002, [more('{}')]],
  ['a text within a message', 1002, [begin('{'), text('{}')]],
  ['a binary', 1003, [frame({ opcode: BINARY, payload: '{}' })]],
  ['16 bits for 125', 1002, [text('x'.repeat(125), { length: length16(125) })]],
  ['64 bits for 65,535', 1002, [text('x'.repeat(65_535), { length: length64(65_535n) })]],
  ['a length with the top bit', 1002, [text('', { length: length64(1n << 63n) })]],
  ['the longest length allowed', 1009, [text('', { length: length64((1n << 63n) - 1n) })]],
  ['one byte over the limit', 1009, [text('x'.repeat(70_001))]],
  ['one byte over the limit in two fragments', 1009, [begin('x'.repeat(70_000)), last('x')]],
  ['too many fragments', 1008, [begin('1'), more('2'), more('3'), more('4'), more('5'), last('6')]],
  ['half a character', 1007, [text(bad)]],
  ['half a character in the last fragment', 1007, [begin('a'), last(bad)]],
  ['an overlong character', 1007, [text(overlong)]],
  ['a close of one byte', 1002, [frame({ opcode: CLOSE, payload: Uint8Array.of(3) })]],
  ['a reason that is not UTF-8', 1007, [close(1000, surrogate)]],
  ...[0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535].map(
    (code): [string, number, Uint8Array[]] => [`the close code ${code}`, 1002, [close(code)]],
  ),
];
