import { isAscii } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';

import { decodeUtf8 } from '../../../util/read-file.ts';
import { type LoadFailure, loadFailure } from './load-failure.ts';

export function readFile(path: string, source: string, limit: number): Uint8Array | LoadFailure {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return makeUnreadableFailure(source, 'it is a folder');
    if (!stats.isFile()) return makeUnreadableFailure(source, 'it is not a regular file');
    if (stats.size > limit) return tooLargeFailure(source, limit);
    return readFileSync(path);
  } catch (error) {
    switch (systemCode(error)) {
      case 'ENOENT':
      case 'ENOTDIR':
        return loadFailure('source-not-found', { source }, 'there is no such file');
      case 'EACCES':
      case 'EPERM':
        return makeUnreadableFailure(source, 'permission is denied');
      case 'ELOOP':
        return makeUnreadableFailure(source, 'its symbolic links lead in a circle');
      case 'ENAMETOOLONG':
        return makeUnreadableFailure(source, 'the name is too long');
      default:
        return makeUnreadableFailure(source, error instanceof Error ? error.message : String(error));
    }
  }
}

export function tooLargeFailure(source: string, limit: number): LoadFailure {
  return makeUnreadableFailure(source, `it is larger than ${limit} bytes`);
}

export function makeUnreadableFailure(source: string, reason: string): LoadFailure {
  return loadFailure('source-unreadable', { source, reason }, reason);
}

export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export function decodeText(bytes: Uint8Array, source: string): string | LoadFailure {
  const problem = describeWrongEncoding(bytes);
  if (problem !== undefined) return makeUnreadableFailure(source, problem);
  const text = decodeQuickly(bytes);
  if (text === undefined) return makeUnreadableFailure(source, 'it has bytes that are not UTF-8');
  if (text.trim() === '') {
    const reason = 'it is empty';
    return loadFailure('source-unreadable', { source, reason, hint: hintAboutEmpty(source) }, reason);
  }
  return text;
}

export function hintAboutEmpty(source: string): string {
  return source === '<stdin>'
    ? 'The command before the pipe printed nothing. `git show <revision>:<file>` prints nothing if that revision lacks the file; `git cat-file -e <revision>:<file>` checks this first.'
    : 'An OpenAPI document starts with `openapi: 3.1.0` (or `swagger: "2.0"`).';
}

function describeWrongEncoding(bytes: Uint8Array): string | undefined {
  if (startsWith(bytes, [0xff, 0xfe]) || startsWith(bytes, [0xfe, 0xff])) return 'it is UTF-16';
  if (startsWith(bytes, [0x1f, 0x8b])) return 'it is compressed with gzip';
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return 'it is a ZIP archive';
  if (bytes.includes(0)) return 'it is binary';
  return undefined;
}

function startsWith(bytes: Uint8Array, start: number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

function decodeQuickly(bytes: Uint8Array): string | undefined {
  // Most documents are ASCII, and copying takes a quarter of the time of decoding.
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return decodeUtf8(bytes)?.replace(/^\uFEFF/, '');
}
