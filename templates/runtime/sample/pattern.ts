// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Makes texts that match a regular expression. The generator ignores look-around, and keeps a text only when the
 * expression accepts it.
 */
import { matchesPattern } from '../schema/run.ts';
import { compilePattern } from '../contract/patterns.ts';
import { type CharacterSet, type RegexNode, parseRegex } from '../contract/regex/parse-regex.ts';
import { sampleLimits } from './merged-constraints.ts';

export interface Wanted {
  minLength: number;
  maxLength: number;
  nth: number;
  fits: (text: string) => boolean;
}

export function sampleFromPattern(
  source: string,
  { minLength, maxLength, nth, fits }: Wanted,
): string | undefined {
  const expression = compilePattern(source);
  const tree = expression && parseRegex(expression.source, expression.unicode);
  if (tree === undefined) return undefined;
  const found = new Set<string>();
  for (let attempt = 0; attempt < sampleLimits.patternTries; attempt++) {
    const text = makeSampleText(tree, attempt, minLength);
    if (!matchesPattern(source, text) || text.length > 2 * maxLength || !fits(text)) continue;
    found.add(text);
    if (found.size > nth) return text;
  }
  return undefined;
}

/** Draws the same numbers for the same attempt; the first attempt draws only zeros. */
class Draw {
  #state: number;
  /** Whether only letters and digits are drawn where the set has some. */
  readonly plainly: boolean;
  missing: number;

  constructor(attempt: number, missing: number) {
    // Knuth's multiplicative hashing spreads the seeds, since neighbours would draw alike.
    this.#state = Math.imul(attempt, 0x9e37_79b1) >>> 0;
    this.plainly = attempt < sampleLimits.patternTries / 2;
    this.missing = missing;
  }

  drawIntegerBelow(count: number): number {
    if (this.#state === 0 || count < 2) return 0;
    // Numerical Recipes' linear congruential generator.
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0 || 1;
    return Math.floor((this.#state / 2 ** 32) * count);
  }
}

/** Writes a text once to measure its length, and if it is too short again, with more repetitions. */
function makeSampleText(tree: RegexNode, attempt: number, minLength: number): string {
  const first = makeTextOfNode(tree, new Draw(attempt, 0));
  const missing = minLength - first.length;
  return missing <= 0 ? first : makeTextOfNode(tree, new Draw(attempt, missing));
}

function makeTextOfNode(node: RegexNode, draw: Draw): string {
  switch (node.kind) {
    case 'set':
      return pickRandomCharacter(chooseCachedCharacters(node.set), draw);
    case 'sequence':
      return node.items.map((item) => makeTextOfNode(item, draw)).join('');
    case 'choice': {
      const branch = node.branches[draw.drawIntegerBelow(node.branches.length)];
      return branch === undefined ? '' : makeTextOfNode(branch, draw);
    }
    case 'repeat':
      return makeRepeatedText(node, draw);
    case 'edge':
    case 'look':
      return '';
  }
}

function pickRandomCharacter({ all, plain }: Characters, draw: Draw): string {
  return all[draw.drawIntegerBelow(draw.plainly && plain > 0 ? plain : all.length)] ?? '';
}

function makeRepeatedText({ item, min, max }: RegexNode & { kind: 'repeat' }, draw: Draw): string {
  const most = Math.min(max, sampleLimits.size);
  const count = Math.min(most, min + draw.drawIntegerBelow(4));
  let text = '';
  let times = 0;
  while (times < count) {
    text += makeTextOfNode(item, draw);
    times++;
  }
  while (draw.missing > 0 && times < most) {
    const more = makeTextOfNode(item, draw);
    if (more === '') break;
    text += more;
    draw.missing -= more.length;
    times++;
  }
  return text;
}

const lettersAndDigits = [
  ...characterRange('a', 'z'),
  ...characterRange('0', '9'),
  ...characterRange('A', 'Z'),
];
const punctuation = characterRange(' ', '~').filter((character) => !/[a-z0-9]/i.test(character));
const rarer = ['é', 'ß', 'Ω', 'ж', '中', 'あ', '\t', '\n', '\u00a0', '😀'];

function characterRange(from: string, to: string): string[] {
  const [first, last] = [from.charCodeAt(0), to.charCodeAt(0)];
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));
}

interface Characters {
  all: readonly string[];
  /** Letters and digits come first; this is their number. */
  plain: number;
}

const known = new WeakMap<CharacterSet, Characters>();

function chooseCachedCharacters(set: CharacterSet): Characters {
  const found = known.get(set) ?? chooseCharacters(set);
  known.set(set, found);
  return found;
}

function chooseCharacters(set: CharacterSet): Characters {
  const filterAccepted = (characters: readonly string[]): string[] =>
    characters.filter((character) => set.has(character.codePointAt(0) ?? 0));
  const plain = filterAccepted(lettersAndDigits);
  const usual = [...plain, ...filterAccepted(punctuation)];
  if (usual.length > 0) return { all: usual, plain: plain.length };
  const [rare] = filterAccepted(rarer);
  const first = set.ranges?.[0]?.[0];
  return { all: [rare ?? (first === undefined ? '' : String.fromCodePoint(first))], plain: 0 };
}
