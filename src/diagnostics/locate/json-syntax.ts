/** Finds the first syntax error of a JSON text that `JSON.parse` has refused, since the engine's message names no stable place. */
export interface JsonSyntaxError {
  /** Offset in UTF-16 code units. */
  offset: number;
  /** A clause without full stop. */
  problem: string;
}

const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const stringStart = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const space = /[ \t\n\r]*/y;

type State = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or end';

export function findJsonSyntaxError(text: string): JsonSyntaxError | undefined {
  return new Scanner(text).findError();
}

class Scanner {
  readonly #text: string;
  readonly #open: ('{' | '[')[] = [];
  #at = 0;
  #state: State = 'value';

  constructor(text: string) {
    this.#text = text;
  }

  findError(): JsonSyntaxError | undefined {
    for (;;) {
      this.#consumePattern(space);
      const done = this.#state === 'comma or end' && this.#open.length === 0;
      const character = this.#text[this.#at];
      if (character === undefined) {
        return done
          ? undefined
          : this.#errorHere(`the text ends where ${this.#describeExpected()} should follow`);
      }
      if (done) return this.#errorHere('there is more text after the end of the value');
      if (!this.#consumeToken(character)) return this.#unexpectedError(character);
    }
  }

  /** Consumes one token; false if it is not allowed here. */
  #consumeToken(character: string): boolean {
    switch (this.#state) {
      case 'value':
      case 'value or ]':
        if (character === ']' && this.#state === 'value or ]') return this.#closeContainer('[');
        return this.#consumeValue(character);
      case 'key':
      case 'key or }':
        if (character === '}' && this.#state === 'key or }') return this.#closeContainer('{');
        return this.#consumePattern(string) && this.#setState('colon');
      case 'colon':
        return character === ':' && this.#advance() && this.#setState('value');
      case 'comma or end':
        if (character === ',') {
          return this.#advance() && this.#setState(this.#open.at(-1) === '{' ? 'key' : 'value');
        }
        return (
          (character === '}' && this.#closeContainer('{')) || (character === ']' && this.#closeContainer('['))
        );
    }
  }

  #consumeValue(character: string): boolean {
    if (character === '{' || character === '[') {
      this.#open.push(character);
      return this.#advance() && this.#setState(character === '{' ? 'key or }' : 'value or ]');
    }
    return (this.#consumePattern(string) || this.#consumePattern(literal)) && this.#setState('comma or end');
  }

  #closeContainer(opener: '{' | '['): boolean {
    if (this.#open.at(-1) !== opener) return false;
    this.#open.pop();
    return this.#advance() && this.#setState('comma or end');
  }

  #consumePattern(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #advance(): true {
    this.#at += 1;
    return true;
  }

  #setState(state: State): true {
    this.#state = state;
    return true;
  }

  #unexpectedError(character: string): JsonSyntaxError {
    if (character === '"') {
      const start = this.#at;
      this.#consumePattern(stringStart);
      const broken = this.#text[this.#at];
      if (broken === undefined) return this.#errorHere('a string is not closed');
      if (broken === '\\') return this.#errorHere('a string has an escape JSON does not know');
      if (broken !== '"') return this.#errorHere('a string has a line break or control character in it');
      // The string itself is valid, but no string may stand here.
      this.#at = start;
    }
    const previous = this.#text.slice(0, this.#at).trimEnd().at(-1);
    if (previous === ',' && (character === '}' || character === ']')) {
      return this.#errorHere('there is a comma before the closing bracket');
    }
    return this.#errorHere(
      `found ${JSON.stringify(character)} where ${this.#describeExpected()} should follow`,
    );
  }

  #describeExpected(): string {
    switch (this.#state) {
      case 'value':
      case 'value or ]':
        return 'a value';
      case 'key':
      case 'key or }':
        return 'a key in double quotes';
      case 'colon':
        return 'a colon';
      case 'comma or end':
        return this.#open.at(-1) === '{' ? 'a comma or `}`' : 'a comma or `]`';
    }
  }

  #errorHere(problem: string): JsonSyntaxError {
    return { offset: this.#at, problem };
  }
}
