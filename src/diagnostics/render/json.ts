/** Characters that control a terminal or reorder text. */
const RISKY = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Indented JSON with a line break at the end, and risky characters as `\uXXXX`. */
export function renderJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2).replace(
    RISKY,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  // GitHub Actions reads a command after these characters anywhere in a line.
  return `${text.replaceAll('##[', '##\\u005b')}\n`;
}
