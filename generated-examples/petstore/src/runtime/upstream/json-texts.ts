// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
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
