/** Reads the syntax of ECMA-262 (section 22.2.1) of expressions that the engine has accepted. */
import { anyButLineEnds, setOf } from './character-set.ts';
import { NotKnown } from './not-known.ts';
import { readClass, readEscape } from './parse-class.ts';
import type { Edge, RegexNode } from './regex-node.ts';

/** Levels of groups inside one another. */
const DEPTH = 100;

/**
 * The tree of an expression that `new RegExp` takes; undefined for one with a back reference, with modifiers, or in a
 * spelling that means different things with and without the `u` flag.
 */
export function parseRegex(source: string, unicode: boolean): RegexNode | undefined {
  try {
    const parser = new Parser(source, unicode);
    return parser.read();
  } catch (error) {
    if (error instanceof NotKnown) return undefined;
    throw error;
  }
}

const quantifier = /(?:([*+?])|\{([0-9]+)(,([0-9]*))?\})\??/y;
const group = /\((?:\?(?:(<?[=!])|:|<[^=!>][^>]*>))?/y;
const edges: Readonly<Record<string, Edge>> = { '^': 'start', $: 'end', '\\b': 'word', '\\B': 'inside' };
const nothing: RegexNode = { kind: 'sequence', items: [] };

class Parser {
  readonly #source: string;
  readonly #unicode: boolean;
  #at = 0;
  #depth = 0;

  constructor(source: string, unicode: boolean) {
    this.#source = source;
    this.#unicode = unicode;
  }

  read(): RegexNode {
    const node = this.#choice();
    if (this.#at < this.#source.length) throw new NotKnown();
    return node;
  }

  #choice(): RegexNode {
    const branches = [this.#sequence()];
    while (this.#source[this.#at] === '|') {
      this.#at++;
      branches.push(this.#sequence());
    }
    const [only] = branches;
    return branches.length === 1 && only !== undefined ? only : { kind: 'choice', branches };
  }

  #sequence(): RegexNode {
    const items: RegexNode[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at)))
      items.push(this.#repeated(this.#term()));
    return { kind: 'sequence', items };
  }

  #repeated(item: RegexNode): RegexNode {
    const found = this.#take(quantifier);
    if (found === undefined) return item;
    const [, sign, least, range, most] = found;
    if (sign !== undefined) {
      return { kind: 'repeat', item, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    }
    const min = Number(least);
    const max = range === undefined ? min : most === '' ? Infinity : Number(most);
    return max === 0 ? nothing : { kind: 'repeat', item, min, max };
  }

  #term(): RegexNode {
    const opened = this.#take(group);
    if (opened !== undefined) return this.#group(opened[1]);
    const edge = this.#edge();
    if (edge !== undefined) return { kind: 'edge', edge };
    const character = this.#source.charAt(this.#at);
    if (character === '.') {
      this.#at++;
      return { kind: 'set', set: anyButLineEnds };
    }
    const read = character === '[' ? readClass : character === '\\' ? readEscape : undefined;
    if (read === undefined) return this.#literal();
    const { set, end } = read(this.#source, this.#at, this.#unicode);
    this.#at = end;
    return { kind: 'set', set };
  }

  #group(look: string | undefined): RegexNode {
    if (this.#source[this.#at] === '?' || ++this.#depth > DEPTH) throw new NotKnown();
    const item = this.#choice();
    if (this.#source[this.#at] !== ')') throw new NotKnown();
    this.#at++;
    this.#depth--;
    if (look === undefined) return item;
    return { kind: 'look', item, behind: look.startsWith('<'), negative: look.endsWith('!') };
  }

  #edge(): Edge | undefined {
    const one = this.#source.charAt(this.#at);
    const written = one === '\\' ? this.#source.slice(this.#at, this.#at + 2) : one;
    const edge = Object.hasOwn(edges, written) ? edges[written] : undefined;
    if (edge !== undefined) this.#at += written.length;
    return edge;
  }

  #literal(): RegexNode {
    const code = this.#unicode
      ? (this.#source.codePointAt(this.#at) ?? 0)
      : this.#source.charCodeAt(this.#at);
    this.#at += code > 0xffff ? 2 : 1;
    return { kind: 'set', set: setOf([[code, code]]) };
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#source);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }
}
