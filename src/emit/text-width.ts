const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/gu;

/** Columns a text takes in an editor, counted as Prettier counts: East Asian characters and emoji are two wide. */
export function textWidth(text: string): number {
  return text.replace(/[\u0300-\u036f]/g, '').replace(wide, '  ').length;
}
