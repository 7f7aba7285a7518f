// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Parses regular expressions: the sets of characters that one place accepts, and the tree of an expression. */
export type Range = readonly [from: number, to: number];

export interface CharacterSet {
  /** Ranges, sorted, without overlap; undefined where only the engine knows them (`\p{Letter}`). */
  readonly ranges: readonly Range[] | undefined;
  has(codePoint: number): boolean;
}

const LAST = 0x10_ffff;

function makeCharacterSet(ranges: readonly Range[]): CharacterSet {
  const sorted = mergeRanges(ranges);
  return { ranges: sorted, has: (codePoint) => containsCodePoint(sorted, codePoint) };
}

function complementRanges({ ranges = [] }: { ranges: readonly Range[] | undefined }): Range[] {
  const gaps: Range[] = [];
  let next = 0;
  for (const [from, to] of mergeRanges(ranges)) {
    if (from > next) gaps.push([next, from - 1]);
    next = to + 1;
  }
  return next > LAST ? gaps : [...gaps, [next, LAST]];
}

function makeEngineTestedSet(source: string): CharacterSet {
  const expression = new RegExp(`^${source}$`, 'u');
  return { ranges: undefined, has: (codePoint) => expression.test(String.fromCodePoint(codePoint)) };
}

function mergeRanges(ranges: readonly Range[]): Range[] {
  const out: Range[] = [];
  for (const [from, to] of [...ranges].sort(([a], [b]) => a - b)) {
    const last = out.at(-1);
    if (last !== undefined && from <= last[1] + 1) out[out.length - 1] = [last[0], Math.max(last[1], to)];
    else out.push([from, to]);
  }
  return out;
}

function containsCodePoint(ranges: readonly Range[], codePoint: number): boolean {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [from, to] = ranges[middle] ?? [0, 0];
    if (codePoint < from) high = middle - 1;
    else if (codePoint > to) low = middle + 1;
    else return true;
  }
  return false;
}

/** Code points in hexadecimal: `9-d 20`. */
function parseHexRanges(text: string): Range[] {
  return text.split(' ').map((range) => {
    const [from = '', to = from] = range.split('-');
    return [parseInt(from, 16), parseInt(to, 16)];
  });
}

const digits = parseHexRanges('30-39');
const words = parseHexRanges('30-39 41-5a 5f 61-7a');
/** WhiteSpace and LineTerminator of ECMA-262, sections 12.2 and 12.3. */
const spaces = parseHexRanges('9-d 20 a0 1680 2000-200a 2028-2029 202f 205f 3000 feff');
const lineEnds = parseHexRanges('a d 2028-2029');

const classEscapes: Readonly<Record<string, readonly Range[]>> = {
  ...{ d: digits, D: complementRanges({ ranges: digits }) },
  ...{ w: words, W: complementRanges({ ranges: words }) },
  ...{ s: spaces, S: complementRanges({ ranges: spaces }) },
};

export const anyCharacter = makeCharacterSet([[0, LAST]]);
const anyButLineEnds = makeCharacterSet(complementRanges({ ranges: lineEnds }));
export const wordCharacters = makeCharacterSet(words);

const DEPTH = 100;

/**
 * Parses an expression that `new RegExp` takes (ECMA-262, section 22.2.1). Undefined for one with a back reference, with
 * modifiers, or in a spelling that means different things with and without the `u` flag.
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
    const node = this.#parseChoice();
    if (this.#at < this.#source.length) throw new NotKnown();
    return node;
  }

  #parseChoice(): RegexNode {
    const branches = [this.#parseSequence()];
    while (this.#source[this.#at] === '|') {
      this.#at++;
      branches.push(this.#parseSequence());
    }
    const [only] = branches;
    return branches.length === 1 && only !== undefined ? only : { kind: 'choice', branches };
  }

  #parseSequence(): RegexNode {
    const items: RegexNode[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at)))
      items.push(this.#parseQuantifier(this.#parseTerm()));
    return { kind: 'sequence', items };
  }

  #parseQuantifier(item: RegexNode): RegexNode {
    const found = this.#takeMatch(quantifier);
    if (found === undefined) return item;
    const [, sign, least, range, most] = found;
    if (sign !== undefined) {
      return { kind: 'repeat', item, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    }
    const min = Number(least);
    const max = range === undefined ? min : most === '' ? Infinity : Number(most);
    return max === 0 ? nothing : { kind: 'repeat', item, min, max };
  }

  #parseTerm(): RegexNode {
    const opened = this.#takeMatch(group);
    if (opened !== undefined) return this.#parseGroup(opened[1]);
    const edge = this.#parseAssertion();
    if (edge !== undefined) return { kind: 'edge', edge };
    const character = this.#source.charAt(this.#at);
    if (character === '.') {
      this.#at++;
      return { kind: 'set', set: anyButLineEnds };
    }
    const read = character === '[' ? parseCharacterClass : character === '\\' ? parseClassEscape : undefined;
    if (read === undefined) return this.#parseLiteral();
    const { set, end } = read(this.#source, this.#at, this.#unicode);
    this.#at = end;
    return { kind: 'set', set };
  }

  #parseGroup(look: string | undefined): RegexNode {
    if (this.#source[this.#at] === '?' || ++this.#depth > DEPTH) throw new NotKnown();
    const item = this.#parseChoice();
    if (this.#source[this.#at] !== ')') throw new NotKnown();
    this.#at++;
    this.#depth--;
    if (look === undefined) return item;
    return { kind: 'look', item, behind: look.startsWith('<'), negative: look.endsWith('!') };
  }

  #parseAssertion(): Edge | undefined {
    const one = this.#source.charAt(this.#at);
    const written = one === '\\' ? this.#source.slice(this.#at, this.#at + 2) : one;
    const edge = Object.hasOwn(edges, written) ? edges[written] : undefined;
    if (edge !== undefined) this.#at += written.length;
    return edge;
  }

  #parseLiteral(): RegexNode {
    const code = this.#unicode
      ? (this.#source.codePointAt(this.#at) ?? 0)
      : this.#source.charCodeAt(this.#at);
    this.#at += code > 0xffff ? 2 : 1;
    return { kind: 'set', set: makeCharacterSet([[code, code]]) };
  }

  #takeMatch(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#source);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }
}

interface SetReading {
  set: CharacterSet;
  end: number;
}

/** A character, which may start a range, or several that may not. */
interface Member {
  ranges: readonly Range[];
  single: boolean;
  end: number;
}

const classText = /\[(?:\\[^]|[^\]\\])*\]/y;
const property = /\\[pP]\{[^}]*\}/y;
const hexadecimal =
  /\\(?:x([0-9a-fA-F]{2})|u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/y;
const braced = /\\u\{([0-9a-fA-F]+)\}/y;
const control: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 };

function parseClassEscape(source: string, at: number, unicode: boolean): SetReading {
  const known = unicode ? matchAt(property, source, at) : undefined;
  if (known !== undefined) return { set: makeEngineTestedSet(known[0]), end: at + known[0].length };
  const { ranges, end } = parseClassMember(source, at, unicode, false);
  return { set: makeCharacterSet(ranges), end };
}

/** A class that names properties of Unicode is left to the engine as a whole. */
function parseCharacterClass(source: string, at: number, unicode: boolean): SetReading {
  const whole = matchAt(classText, source, at)?.[0];
  if (whole === undefined) throw new NotKnown();
  const end = at + whole.length;
  if (unicode && /(?<!\\)(?:\\\\)*\\[pP]\{/.test(whole)) return { set: makeEngineTestedSet(whole), end };
  const negative = whole[1] === '^';
  const ranges = parseClassMembers(source, at + (negative ? 2 : 1), end - 1, unicode);
  return { set: makeCharacterSet(negative ? complementRanges({ ranges }) : ranges), end };
}

function parseClassMembers(source: string, from: number, end: number, unicode: boolean): Range[] {
  const ranges: Range[] = [];
  for (let at = from; at < end;) {
    const first = parseClassMember(source, at, unicode, true);
    at = first.end;
    const second =
      source[at] === '-' && at + 1 < end ? parseClassMember(source, at + 1, unicode, true) : undefined;
    if (second === undefined || !first.single || !second.single) ranges.push(...first.ranges);
    else {
      ranges.push([first.ranges[0]?.[0] ?? 0, second.ranges[0]?.[1] ?? 0]);
      at = second.end;
    }
  }
  return ranges;
}

function parseClassMember(source: string, at: number, unicode: boolean, inClass: boolean): Member {
  if (source[at] !== '\\') {
    const code = unicode ? (source.codePointAt(at) ?? 0) : source.charCodeAt(at);
    return singleCharacterMember(code, at + (code > 0xffff ? 2 : 1));
  }
  const letter = source.charAt(at + 1);
  const several = Object.hasOwn(classEscapes, letter) ? classEscapes[letter] : undefined;
  if (several !== undefined) return { ranges: several, single: false, end: at + 2 };
  return parseCharacterEscape(source, at, unicode, inClass);
}

function parseCharacterEscape(source: string, at: number, unicode: boolean, inClass: boolean): Member {
  const long = unicode ? matchAt(braced, source, at) : undefined;
  if (long !== undefined) return singleCharacterMember(parseInt(long[1] ?? '', 16), at + long[0].length);
  const code = matchAt(hexadecimal, source, at);
  if (code !== undefined) return memberOfHexEscape(code, at, unicode);
  const letter = source.charAt(at + 1);
  if (letter === '0' && /[0-9]/.test(source.charAt(at + 2))) throw new NotKnown();
  const known = Object.hasOwn(control, letter) ? control[letter] : undefined;
  if (known !== undefined) return singleCharacterMember(known, at + 2);
  if (inClass && letter === 'b') return singleCharacterMember(8, at + 2);
  // Escapes that are not parsed: back references, `\cX`, and those of only one of the two syntaxes.
  if (/[a-zA-Z0-9]/.test(letter) || letter === '') throw new NotKnown();
  const escaped = unicode ? (source.codePointAt(at + 1) ?? 0) : source.charCodeAt(at + 1);
  return singleCharacterMember(escaped, at + 1 + (escaped > 0xffff ? 2 : 1));
}

function memberOfHexEscape(found: RegExpExecArray, at: number, unicode: boolean): Member {
  const [whole, byte, high, low, unit] = found;
  if (high === undefined || low === undefined)
    return singleCharacterMember(parseInt(byte ?? unit ?? '', 16), at + whole.length);
  if (!unicode) return singleCharacterMember(parseInt(high, 16), at + 6);
  const codePoint = ((parseInt(high, 16) - 0xd800) << 10) + (parseInt(low, 16) - 0xdc00) + 0x1_0000;
  return singleCharacterMember(codePoint, at + whole.length);
}

function singleCharacterMember(code: number, end: number): Member {
  return { ranges: [[code, code]], single: true, end };
}

function matchAt(expression: RegExp, source: string, at: number): RegExpExecArray | undefined {
  expression.lastIndex = at;
  return expression.exec(source) ?? undefined;
}

/** A tree that only tells whether a text matches: captures, and whether a repetition is greedy, make no difference. */
export type RegexNode =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'sequence'; readonly items: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly RegexNode[] }
  | { readonly kind: 'repeat'; readonly item: RegexNode; readonly min: number; readonly max: number }
  | { readonly kind: 'edge'; readonly edge: Edge }
  | {
      readonly kind: 'look';
      readonly item: RegexNode;
      readonly behind: boolean;
      readonly negative: boolean;
    };

export type Edge = 'start' | 'end' | 'word' | 'inside';

class NotKnown extends Error {}
