/** Reads files that may be missing or broken. */
import { readFileSync } from 'node:fs';
import { isRecord } from '../../templates/runtime/json-rpc.ts';
import { tryParseJsonExactly } from './try-parse-json.ts';

export function readFileIfAny(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

export function readJsonObject(path: string): Record<string, unknown> | undefined {
  const value = tryParseJsonExactly(readFileIfAny(path) ?? '');
  return isRecord(value) ? value : undefined;
}

/** Decodes text; undefined for other bytes. A byte order mark stays. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
