/**
 * Makes the text of documents safe to show. A hostile document must not control a terminal (escape sequences), reorder text
 * (bidirectional controls), or hide characters (zero-width ones).
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const INVISIBLE_BUT_NEWLINE = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\0': '\\0' };

/** Escapes invisible characters: `\x1b`, `\u{202e}`. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, escapeCharacter);
}

/** As `visible`, but keeps line breaks and indents the following lines, so that they do not look like output of mcpgen. */
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
