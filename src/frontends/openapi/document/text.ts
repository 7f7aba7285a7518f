import { wellFormed } from '../../../model/well-formed.ts';

/**
 * The one place where words of a document (titles, descriptions) are made fit for JSON consumers in every
 * language: lone surrogates become U+FFFD (those of a document are gone already, see `mendSurrogates`), control
 * characters other than tab and line feed are removed. Values that are data (enum members, defaults, wire names) are
 * never touched.
 */
/** By code units, which is fast: halves of whole pairs are told apart only where it finds something. */
const suspect = /[\u0000-\u0008\u000b-\u001f\u007f\ud800-\udfff]/;
const control = /[\u0000-\u0008\u000b\u000c\u000d\u000e-\u001f\u007f]/g;

export function cleanText(text: string): string {
  if (!suspect.test(text)) return text;
  return wellFormed(text).replaceAll('\r\n', '\n').replaceAll(control, '');
}

/** Words of a document; undefined when there are none. */
export function wordsOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = cleanText(value).trim();
  return text === '' ? undefined : text;
}
