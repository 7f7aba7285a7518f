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
