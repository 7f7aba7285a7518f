// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Members and items in all of a message, and of an answer that is read as JSON: later steps look at each of them. */
export const MOST_MEMBERS = 100_000;

export function hasTooManyMembers(text: string): boolean {
  // The shortest member takes two bytes.
  return text.length > 2 * MOST_MEMBERS && countMembers(Buffer.from(text)) > MOST_MEMBERS;
}

const [QUOTE, COMMA, BACKSLASH] = [34, 44, 92];

/** `[` or `{`. A set of both would take twice as long for each byte. */
const isOpener = (byte: number): boolean => byte === 91 || byte === 123;
const isCloser = (byte: number): boolean => byte === 93 || byte === 125;

/**
 * Counts commas, brackets that are not empty, and texts that follow another text, up to `most`: a list or an object has one member
 * more than commas. Bytes that are no JSON have some count too.
 */
export function countMembers(bytes: Uint8Array, most = MOST_MEMBERS): number {
  let members = 0;
  let texts = 0;
  let depth = 0;
  let last = 0;
  let isWord = false;
  for (let at = 0; at < bytes.length && members + texts - 1 <= most; at++) {
    const byte = bytes[at] ?? 0;
    const isWordBefore: boolean = isWord;
    isWord = false;
    if (byte <= 32) continue;
    if (isCloser(byte)) {
      depth = Math.max(0, depth - 1);
      if (isOpener(last)) members -= 1;
    } else if (byte === COMMA) members += 1;
    else {
      isWord = byte !== QUOTE && !isOpener(byte);
      if (depth === 0 && !(isWord && isWordBefore)) texts += 1;
      if (byte === QUOTE) at = endOfText(bytes, at + 1);
      else if (isOpener(byte)) {
        members += 1;
        depth += 1;
      }
    }
    last = byte;
  }
  return Math.max(0, members + texts - 1);
}

/** Where the closing quote of a text is. */
function endOfText(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
