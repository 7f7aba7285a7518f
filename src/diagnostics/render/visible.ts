/**
 * Text of documents, made safe to show. A hostile document must not drive a terminal (escape sequences), reorder
 * what a person reads (bidirectional controls), or hide characters (zero-width ones).
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const INVISIBLE_BUT_NEWLINE = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\0': '\\0' };

/** Every character that has no shape of its own, written as an escape: `\x1b`, `\u{202e}`. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, escapeCharacter);
}

/** As `visible`, with line breaks kept and the following lines indented, so that they can't pose as ours. */
export function visibleLines(text: string, indent: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(INVISIBLE_BUT_NEWLINE, escapeCharacter)
    .replaceAll('\n', `\n${indent}`);
}

function escapeCharacter(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return code <= 0xff ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`;
}
