import type { DuplicateKey } from './duplicate-keys.ts';

export interface ParsedText {
  value: unknown;
  format: 'json' | 'yaml';
  /** The repaired text, if a repair was needed. Lines stay the same. */
  text?: string;
  /** The number of YAML aliases; with them a small text can stand for a huge value. */
  aliases?: number;
  /** Repeated keys; the last value wins. */
  duplicateKeys?: DuplicateKey[];
}
