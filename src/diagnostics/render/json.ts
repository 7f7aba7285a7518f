/** JSON for machines that stays harmless when a person looks at it in a terminal. */
const RISKY = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Two-space JSON ending in a line break; what could drive a terminal or reorder text is written as `\uXXXX`. */
export function renderJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2).replace(
    RISKY,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  // GitHub Actions looks for a command behind these signs, wherever they stand in a line.
  return `${text.replaceAll('##[', '##\\u005b')}\n`;
}
