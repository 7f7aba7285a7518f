/**
 * Makes the text of documents safe to show. A hostile document must not control a terminal (escape sequences), reorder text
 * (bidirectional controls), or hide characters (zero-width ones).
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const INVISIBLE_BUT_NEWLINE = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\0': '\\0' };

/** Escapes invisible characters: `\x1b`, `\u{202e}`. */
export function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE, escapeCharacter);
}

/** As `escapeInvisible`, but keeps line breaks and indents the following lines, so that they do not look like output of mcpgen. */
export function escapeInvisibleInLines(text: string, indent: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(INVISIBLE_BUT_NEWLINE, escapeCharacter)
    .replaceAll('\n', `\n${indent}`);
}

function escapeCharacter(character: string): string {
  const short = ownMember(SHORT, character);
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return code <= 0xff ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`;
}

const COMBINING = /\p{Mn}|\p{Me}/u;
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

/** The number of terminal cells of a text: two for East Asian wide characters and emoji, none for combining marks. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (COMBINING.test(character)) continue;
    width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

export type Style = 'red' | 'yellow' | 'cyan' | 'green' | 'dim' | 'bold';

export type Paint = (style: Style, text: string) => string;

export const keepUnstyled: Paint = (_style, text) => text;

/** Characters that control a terminal or reorder text. */
const RISKY = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Indented JSON with a line break at the end, and risky characters as `\uXXXX`. */
export function renderJson(value: unknown): string {
  return `${escapeRisky(JSON.stringify(value, null, 2))}\n`;
}

function escapeRisky(json: string): string {
  const text = json.replace(
    RISKY,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  // GitHub Actions reads a command after these characters anywhere in a line.
  return text.replaceAll('##[', '##\\u005b');
}
import { ownMember } from '../../../templates/runtime/json-rpc.ts';
