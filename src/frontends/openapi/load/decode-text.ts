import { isAscii } from 'node:buffer';
import { type LoadFailure, loadFailure } from './load-failure.ts';

/** Decodes UTF-8 without a byte order mark. Other encodings are a failure that names what was found. */
export function decodeText(bytes: Uint8Array, source: string): string | LoadFailure {
  const problem = wrongEncoding(bytes);
  if (problem !== undefined)
    return loadFailure('source-not-text', { source, reason: problem }, `it is not text (${problem})`);
  const text = decodeUtf8(bytes);
  if (text === undefined) {
    const reason = 'it has bytes that are not UTF-8';
    return loadFailure('source-not-text', { source, reason }, reason);
  }
  if (text.trim() === '') return loadFailure('source-empty', { source }, 'it is empty');
  return text;
}

function wrongEncoding(bytes: Uint8Array): string | undefined {
  if (startsWith(bytes, [0xff, 0xfe]) || startsWith(bytes, [0xfe, 0xff])) return 'it is UTF-16';
  if (startsWith(bytes, [0x1f, 0x8b])) return 'it is compressed with gzip';
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return 'it is a ZIP archive';
  if (bytes.includes(0)) return 'it is binary';
  return undefined;
}

function startsWith(bytes: Uint8Array, start: number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  // Most documents are ASCII, and copying takes a quarter of the time of decoding.
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
