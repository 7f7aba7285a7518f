import { createRequire } from 'node:module';
import type * as AnyAscii from 'any-ascii';

function isAscii(text: string): boolean {
  return /^[\u0000-\u007f]*$/.test(text);
}

/**
 * Converts to lower case and replaces each run of other characters than letters and digits by `between`, to compare
 * the words of two texts.
 */
export function normalizeLetters(text: string, between = ''): string {
  const lower = text.toLowerCase();
  // Unicode properties are slow, and most texts are ASCII.
  if (!isAscii(lower)) return lower.replace(/[^\p{L}\p{N}]+/gu, between);
  // Most words have a single space between them already.
  return lower.replace(between === ' ' ? /[^a-z0-9]{2,}|[^a-z0-9 ]/g : /[^a-z0-9]+/g, between);
}

/**
 * Letters and digits of other scripts become Latin ones: `größe` → `grosse`, `用户列表` → `YongHuLieBiao`, `list사용자` →
 * `listSaYongJa`. Other characters stay.
 */
export function transliterateToLatin(text: string): string {
  if (isAscii(text)) return text;
  return text
    .normalize('NFC')
    .replace(/(?:[^\P{L}\p{sc=Latin}]\p{M}*)+/gu, (run: string, at: number, whole: string) => {
      const word = transliterateWithTables(run);
      const before = /[A-Za-z0-9]/.test(whole.charAt(at - 1)) && /^[a-z]/.test(word) ? '_' : '';
      const after = /[a-z]/.test(whole.charAt(at + run.length)) ? '_' : '';
      return `${before}${word}${after}`;
    })
    .replace(/(?![\0-\x7f])[\p{L}\p{M}\p{N}]+/gu, transliterateWithTables);
}

/** Loaded only for the first name that needs it: the table of all scripts takes 10 ms. */
let anyAscii: ((text: string) => string) | undefined;

function transliterateWithTables(text: string): string {
  const load = createRequire(import.meta.url);
  anyAscii ??= (load('any-ascii') as typeof AnyAscii).default;
  // Signs that stand for a soft or a silent letter.
  return anyAscii(text).replace(/['"`]/g, '');
}
