/** Spells document text as TypeScript: the only way it gets into code. */

/** Stands in quotes as it is. */
const plain = /^[\w .:/-]*$/;
const identifier = /^[A-Za-z_$][\w$]*$/;

/** A string literal in the quotes Prettier prefers: single, unless the text has more of those than of double ones. */
export function quote(text: string): string {
  if (plain.test(text)) return `'${text}'`;
  const escaped = escapeUnprintable(JSON.stringify(text).slice(1, -1));
  const singles = text.split("'").length;
  const doubles = text.split('"').length;
  return singles > doubles ? `"${escaped}"` : `'${escaped.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** An object or interface key: bare where the grammar allows it, quoted everywhere else. */
export function identifierOrString(name: string): string {
  return identifier.test(name) ? name : quote(name);
}

/** Escapes what JSON leaves alone and an editor or an older parser may take for a line break or hide. */
export function escapeUnprintable(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
