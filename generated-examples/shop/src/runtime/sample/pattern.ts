/**
 * Texts that match a regular expression, made by a small generator that checks itself: it reads the syntax loosely
 * (assertions and back references stand for nothing) and keeps a text only when the expression accepts it.
 */
import { matchesPattern } from '../schema/matches-pattern.ts';
import { sampleLimits } from './limits.ts';

type Node =
  /** The letters and digits among the characters come first; so many they are. */
  | { kind: 'atom'; characters: readonly string[]; plain: number }
  | { kind: 'sequence'; items: Node[] }
  | { kind: 'alternatives'; branches: Node[] }
  | { kind: 'repeat'; item: Node; min: number; max: number };

export interface Wanted {
  minLength: number;
  maxLength: number;
  /** Which of the texts found is wanted: 0 is the first. */
  nth: number;
  fits: (text: string) => boolean;
}

/** A text that the pattern accepts and that fits; undefined when none was found. */
export function sampleOfPattern(
  source: string,
  { minLength, maxLength, nth, fits }: Wanted,
): string | undefined {
  const tree = parsed(source);
  if (tree === undefined) return undefined;
  const found = new Set<string>();
  for (let attempt = 0; attempt < sampleLimits.patternTries; attempt++) {
    const text = write(tree, attempt, minLength);
    if (!matchesPattern(source, text) || text.length > 2 * maxLength || !fits(text)) continue;
    found.add(text);
    if (found.size > nth) return text;
  }
  return undefined;
}

const trees = new Map<string, Node | undefined>();

function parsed(source: string): Node | undefined {
  if (!trees.has(source)) trees.set(source, new Parser(source).parse());
  return trees.get(source);
}

/** Draws the same numbers for the same attempt; the first attempt draws only zeros. */
class Draw {
  #state: number;
  /** Only letters and digits, where these will do: the first half of the attempts. */
  readonly plainly: boolean;
  /** Code units still wanted. */
  missing: number;

  constructor(attempt: number, missing: number) {
    // Spread over the whole range (Knuth's multiplicative hashing): neighbours would draw alike.
    this.#state = Math.imul(attempt, 0x9e37_79b1) >>> 0;
    this.plainly = attempt < sampleLimits.patternTries / 2;
    this.missing = missing;
  }

  /** An integer from 0 to below `count`. */
  below(count: number): number {
    if (this.#state === 0 || count < 2) return 0;
    // Numerical Recipes' linear congruential generator.
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0 || 1;
    return Math.floor((this.#state / 2 ** 32) * count);
  }
}

/** Once to see how long it becomes, and once more with what is missing added to the repetitions. */
function write(tree: Node, attempt: number, minLength: number): string {
  const first = writeNode(tree, new Draw(attempt, 0));
  const missing = minLength - first.length;
  return missing <= 0 ? first : writeNode(tree, new Draw(attempt, missing));
}

function writeNode(node: Node, draw: Draw): string {
  switch (node.kind) {
    case 'atom':
      return (
        node.characters[draw.below(draw.plainly && node.plain > 0 ? node.plain : node.characters.length)] ??
        ''
      );
    case 'sequence':
      return node.items.map((item) => writeNode(item, draw)).join('');
    case 'alternatives': {
      const branch = node.branches[draw.below(node.branches.length)];
      return branch === undefined ? '' : writeNode(branch, draw);
    }
    case 'repeat':
      return repeat(node, draw);
  }
}

function repeat({ item, min, max }: Node & { kind: 'repeat' }, draw: Draw): string {
  const most = Math.min(max, sampleLimits.size);
  const count = Math.min(most, min + draw.below(4));
  let text = '';
  let times = 0;
  while (times < count) {
    text += writeNode(item, draw);
    times++;
  }
  while (draw.missing > 0 && times < most) {
    const more = writeNode(item, draw);
    if (more === '') break;
    text += more;
    draw.missing -= more.length;
    times++;
  }
  return text;
}

const lettersAndDigits = [...characters('a', 'z'), ...characters('0', '9'), ...characters('A', 'Z')];
const punctuation = characters(' ', '~').filter((character) => !/[a-z0-9]/i.test(character));
const rarer = ['é', 'ß', 'Ω', 'ж', '中', 'あ', '\t', '\n', '\u00a0', '😀'];

function characters(from: string, to: string): string[] {
  const [first, last] = [from.charCodeAt(0), to.charCodeAt(0)];
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));
}

/** A closing bracket ends a class, unless it is escaped. */
const characterClass = /\[(?:\\[^]|[^\]\\])*\]/y;
const escape = /\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|c[a-z]|[pP]\{[^}]*\}|k<[^>]*>|[0-9]+|[^])/iy;
const quantifier = /(?:([*+?])|\{([0-9]+)(,([0-9]*))?\})[?]?/y;
const groupStart = /\((?:\?(?:[:]|<[a-z_$][^>]*>))?/iy;
const assertion = /\(\?<?[=!]/y;

class Parser {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Undefined when this is not the syntax it knows. */
  parse(): Node | undefined {
    const node = this.#alternatives();
    return this.#at === this.#source.length ? node : undefined;
  }

  #alternatives(): Node {
    const branches = [this.#sequence()];
    while (this.#source[this.#at] === '|') {
      this.#at++;
      branches.push(this.#sequence());
    }
    const [only] = branches;
    return branches.length === 1 && only !== undefined ? only : { kind: 'alternatives', branches };
  }

  #sequence(): Node {
    const items: Node[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at))) {
      items.push(this.#repeated(this.#term()));
    }
    return { kind: 'sequence', items };
  }

  #repeated(item: Node): Node {
    const match = this.#take(quantifier);
    if (match === undefined) return item;
    const [, sign, least, range, greatest] = match;
    if (sign !== undefined)
      return { kind: 'repeat', item, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    const min = Number(least);
    const max = range === undefined ? min : greatest === '' ? Infinity : Number(greatest);
    return { kind: 'repeat', item, min: Math.min(min, sampleLimits.size), max };
  }

  #term(): Node {
    if (this.#take(assertion) !== undefined) return this.#group(() => nothing);
    if (this.#take(groupStart) !== undefined) return this.#group((inner) => inner);
    const character = this.#source.charAt(this.#at);
    if (character === '^' || character === '$') return this.#skip(character);
    const atom = this.#take(characterClass) ?? this.#take(escape);
    if (atom !== undefined) return atomOf(atom[0]);
    const [literal = ''] = this.#source.slice(this.#at);
    this.#at += literal.length;
    return literal === '.' ? atomOf('.') : literalOf(literal);
  }

  #group(keep: (inner: Node) => Node): Node {
    const inner = this.#alternatives();
    if (this.#source[this.#at] === ')') this.#at++;
    return keep(inner);
  }

  #skip(text: string): Node {
    this.#at += text.length;
    return nothing;
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#source);
    if (match === null) return undefined;
    this.#at += match[0].length;
    return match;
  }
}

const nothing: Node = { kind: 'sequence', items: [] };

/** The characters that an atom accepts, found by asking the expression it is. */
function atomOf(source: string): Node {
  const known = atoms.get(source);
  if (known !== undefined) return known;
  const atom = readAtom(source);
  atoms.set(source, atom);
  return atom;
}

const atoms = new Map<string, Node>();

function readAtom(source: string): Node {
  if (/^\\(?:[bB]|k<|[1-9])/.test(source)) return nothing;
  const accepted = (characters: readonly string[]): string[] =>
    characters.filter((character) => matchesPattern(`^${source}$`, character));
  const plain = accepted(lettersAndDigits);
  const others = accepted(punctuation);
  if (plain.length + others.length > 0) {
    return { kind: 'atom', characters: [...plain, ...others], plain: plain.length };
  }
  const [rare = unusual(source)] = accepted(rarer);
  return literalOf(rare);
}

function literalOf(character: string): Node {
  return { kind: 'atom', characters: [character], plain: 0 };
}

/** The first character a class or an escape names, where none of the usual ones is in it. */
function unusual(source: string): string {
  const code = /\\u\{?([0-9a-f]+)|\\x([0-9a-f]{2})/i.exec(source);
  if (code === null) return /^\[\^?(\\?[^])/.exec(source)?.[1]?.at(-1) ?? '';
  return String.fromCodePoint(Math.min(parseInt(code[1] ?? code[2] ?? '0', 16), 0x10_ffff));
}
