// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Looks at texts of JSON that are not parsed yet: where they end, and how many members they have. */

/**
 * Finds where JSON texts end that follow each other, with or without white space between them (Go's encoders, Docker, watches of
 * Kubernetes). Pieces may end anywhere. What it finds may still be no JSON.
 */
export class JsonTexts {
  rest = '';
  #at = 0;
  #depth = 0;
  #kind: 'none' | 'nested' | 'string' | 'word' = 'none';
  #isInString = false;

  takeCompleteTexts(piece: string): string[] {
    const text = this.rest + piece;
    const found: string[] = [];
    let start = 0;
    for (; this.#at < text.length; this.#at++) {
      const character = text[this.#at] ?? '';
      if (this.#kind === 'word' && ENDS_WORD.test(character)) {
        found.push(text.slice(start, this.#at));
        this.#kind = 'none';
        start = this.#at;
      }
      if (!this.#endsTextAt(character)) continue;
      if (this.#kind !== 'none') found.push(text.slice(start, this.#at + 1));
      this.#kind = 'none';
      start = this.#at + 1;
    }
    this.rest = text.slice(start);
    this.#at -= start;
    return found;
  }

  /** Whether a text ends before this character. White space between two texts counts too. */
  #endsTextAt(character: string): boolean {
    if (this.#isInString) {
      if (character === '\\') this.#at += 1;
      else if (character === '"') {
        this.#isInString = false;
        return this.#depth === 0;
      }
      return false;
    }
    if (character === '"') this.#isInString = true;
    else if (character === '{' || character === '[') this.#depth += 1;
    else if ((character === '}' || character === ']') && this.#depth > 0) {
      this.#depth -= 1;
      return this.#depth === 0;
    }
    if (this.#kind === 'none') {
      if (/\s/.test(character)) return true;
      this.#kind = this.#isInString ? 'string' : this.#depth > 0 ? 'nested' : 'word';
    }
    return false;
  }
}

const ENDS_WORD = /[\s{["]/;

/** Members and items in all of an answer that is read as JSON: later steps look at each of them. */
export const MOST_MEMBERS = 100_000;

const [QUOTE, COMMA, BACKSLASH] = [34, 44, 92];
const OPENERS: ReadonlySet<number> = new Set([91, 123]);
const CLOSERS: ReadonlySet<number> = new Set([93, 125]);

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
    if (CLOSERS.has(byte)) {
      depth = Math.max(0, depth - 1);
      if (OPENERS.has(last)) members -= 1;
    } else if (byte === COMMA) members += 1;
    else {
      isWord = byte !== QUOTE && !OPENERS.has(byte);
      if (depth === 0 && !(isWord && isWordBefore)) texts += 1;
      if (byte === QUOTE) at = endOfText(bytes, at + 1);
      else if (OPENERS.has(byte)) {
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
