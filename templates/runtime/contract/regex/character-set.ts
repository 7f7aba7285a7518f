// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The characters that one place of a regular expression accepts. */

/** The first and the last code point. */
export type Range = readonly [from: number, to: number];

export interface CharacterSet {
  /** Sorted, without overlap; undefined where only the engine knows them (`\p{Letter}`). */
  readonly ranges: readonly Range[] | undefined;
  has(codePoint: number): boolean;
}

const LAST = 0x10_ffff;

export function setOf(ranges: readonly Range[]): CharacterSet {
  const sorted = merged(ranges);
  return { ranges: sorted, has: (codePoint) => contains(sorted, codePoint) };
}

export function complement({ ranges = [] }: { ranges: readonly Range[] | undefined }): Range[] {
  const gaps: Range[] = [];
  let next = 0;
  for (const [from, to] of merged(ranges)) {
    if (from > next) gaps.push([next, from - 1]);
    next = to + 1;
  }
  return next > LAST ? gaps : [...gaps, [next, LAST]];
}

/** A class or an escape that is asked of the engine, one character at a time. */
export function opaqueSet(source: string): CharacterSet {
  const expression = new RegExp(`^${source}$`, 'u');
  return { ranges: undefined, has: (codePoint) => expression.test(String.fromCodePoint(codePoint)) };
}

/** Characters of a set that are asked one by one, at most. */
const ASKED = 300;

/** Whether a character may be in both. Of two sets that only the engine knows this is taken for granted. */
export function mayOverlap(one: CharacterSet, other: CharacterSet): boolean {
  if (one.ranges === undefined) return other.ranges === undefined || askedOverlap(other.ranges, one);
  if (other.ranges === undefined) return askedOverlap(one.ranges, other);
  const [left, right] = [one.ranges, other.ranges];
  for (let a = 0, b = 0; a < left.length && b < right.length;) {
    const [from, to] = left[a] ?? [0, 0];
    const [otherFrom, otherTo] = right[b] ?? [0, 0];
    if (from <= otherTo && otherFrom <= to) return true;
    if (to < otherTo) a++;
    else b++;
  }
  return false;
}

function askedOverlap(ranges: readonly Range[], other: CharacterSet): boolean {
  const size = ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  if (size > ASKED) return true;
  return ranges.some(([from, to]) => {
    for (let codePoint = from; codePoint <= to; codePoint++) if (other.has(codePoint)) return true;
    return false;
  });
}

function merged(ranges: readonly Range[]): Range[] {
  const out: Range[] = [];
  for (const [from, to] of [...ranges].sort(([a], [b]) => a - b)) {
    const last = out.at(-1);
    if (last !== undefined && from <= last[1] + 1) out[out.length - 1] = [last[0], Math.max(last[1], to)];
    else out.push([from, to]);
  }
  return out;
}

function contains(ranges: readonly Range[], codePoint: number): boolean {
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

const digits: Range[] = [[0x30, 0x39]];
const words: Range[] = [...digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
/** WhiteSpace and LineTerminator of ECMA-262, sections 12.2 and 12.3. */
const spaces: Range[] = [
  ...([
    [9, 13],
    [32, 32],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
  ] as const),
  ...([
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ] as const),
];
const lineEnds: Range[] = [
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
];

/** The characters that `\d`, `\W` and the like accept, by their letter. */
export const classEscapes: Readonly<Record<string, readonly Range[]>> = {
  ...{ d: digits, D: complement({ ranges: digits }) },
  ...{ w: words, W: complement({ ranges: words }) },
  ...{ s: spaces, S: complement({ ranges: spaces }) },
};

export const anyCharacter = setOf([[0, LAST]]);
export const anyButLineEnds = setOf(complement({ ranges: lineEnds }));
export const wordCharacters = setOf(words);
