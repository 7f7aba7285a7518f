/** Frames as a server sends them: whole messages, never masked (RFC 6455, section 5.1). */
import { TEXT } from './opcode.ts';

/** `payload` is up to 125 bytes long where `opcode` is that of a control frame. */
export function writeFrame(opcode: number, payload: Uint8Array): Buffer {
  const { frame, start } = newFrame(opcode, payload.length);
  frame.set(payload, start);
  return frame;
}

/** A text message. What is no Unicode in `text` is replaced, so that the frame is always UTF-8. */
export function writeTextFrame(text: string): Buffer {
  const { frame, start } = newFrame(TEXT, Buffer.byteLength(text, 'utf8'));
  frame.write(text, start, 'utf8');
  return frame;
}

/** The header of a text message whose payload of `length` bytes is sent behind it. */
export function writeTextHeader(length: number): Buffer {
  const frame = Buffer.allocUnsafe(startOf(length));
  writeHeader(frame, TEXT, length);
  return frame;
}

/** A frame with its header written. */
function newFrame(opcode: number, length: number): { frame: Buffer; start: number } {
  const start = startOf(length);
  const frame = Buffer.allocUnsafe(start + length);
  writeHeader(frame, opcode, length);
  return { frame, start };
}

/** Where the payload begins. */
function startOf(length: number): number {
  return length < 126 ? 2 : length < 0x1_0000 ? 4 : 10;
}

function writeHeader(frame: Buffer, opcode: number, length: number): void {
  const start = startOf(length);
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
