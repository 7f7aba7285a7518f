import type { DuplicateKey } from './duplicate-keys.ts';

/** A document's text as a value, before anything is known about its meaning. */
export interface ParsedText {
  value: unknown;
  format: 'json' | 'yaml';
  /** The text that was parsed, where it had to be repaired. Lines are the same. */
  text?: string;
  /** How often the text uses a YAML alias; with aliases a small text can stand for a huge value. */
  aliases?: number;
  /** Keys that stand twice in a mapping, of which the last one wins. */
  duplicateKeys?: DuplicateKey[];
}
