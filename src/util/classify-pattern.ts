/**
 * Says what can run a regular expression in linear time. The engine of JavaScript backtracks: it can where the next character decides
 * each way on, except for a limited number of ways (ADR 20).
 */
import { compileMachine } from '../../templates/runtime/features/patterns/machine.ts';
import {
  anyCharacter,
  type CharacterSet,
  parseRegex,
  type Range,
  type RegexNode,
} from '../../templates/runtime/features/patterns/parse-regex.ts';
import { compilePattern } from '../../templates/runtime/validate.ts';

export type Guard =
  /** The engine runs it: its work grows only linearly with the length of a text. */
  | 'linear'
  /** A machine that never backtracks runs it (the feature `patterns`). */
  | 'guarded'
  /** Never run: the engine may not end in time, and the machine can't run it. */
  | 'unsafe';

/** Longer expressions are left to the machine. */
const LONGEST = 1_000;

/** Ways to read one text that the engine may try. */
const MOST_WAYS = 1_000;

/** Higher counts of a repetition are read as `*`. */
const MOST_TURNS = 128;

/** A pattern that is no regular expression accepts everything, which is safe. */
export function classifyPattern(source: string): Guard {
  const expression = compilePattern(source);
  if (expression === undefined) return 'linear';
  const tree = parseRegex(expression.source, expression.unicode);
  if (tree === undefined) return 'unsafe';
  if (source.length <= LONGEST && hasFewWays(dropEndRepetition(tree))) return 'linear';
  return compileMachine(tree) === undefined ? 'unsafe' : 'guarded';
}

/** A repetition of one character at the end can't make a match fail: `v1.*` becomes `v1`. */
function dropEndRepetition(tree: RegexNode): RegexNode {
  const items = tree.kind === 'sequence' ? tree.items : [tree];
  const last = items.at(-1);
  if (last?.kind !== 'repeat' || last.item.kind !== 'set') return tree;
  return { kind: 'sequence', items: [...items.slice(0, -1), { ...last, max: Math.max(1, last.min) }] };
}

/** The expression behind one of its parts: how it may start, and whether it repeats anything. */
interface Rest {
  starts: readonly CharacterSet[];
  hasLoop: boolean;
}

/** The end of the text, as a character of its own. */
const END: CharacterSet = { ranges: [[-1, -1]], has: () => false };

function hasFewWays(tree: RegexNode): boolean {
  // An expression that may begin anywhere is tried at each character.
  if (!isAnchored(tree) && hasLoop(tree)) return false;
  return countWays(tree, { starts: [END], hasLoop: false }, false) <= MOST_WAYS;
}

/** Returns a bound of the ways to read one text; infinite if it grows with the text. In a loop each character must decide. */
function countWays(node: RegexNode, rest: Rest, isLooped: boolean): number {
  switch (node.kind) {
    case 'set':
    case 'edge':
      return 1;
    case 'sequence': {
      let [ways, after] = [1, rest];
      for (const item of node.items.toReversed()) {
        ways *= countWays(item, after, isLooped);
        after = putBefore(item, after);
      }
      return ways;
    }
    case 'choice': {
      const ways = node.branches.map((branch) => countWays(branch, rest, isLooped));
      const starts = node.branches.map((branch) => putBefore(branch, rest).starts);
      const isDecided = starts.every((one, at) => !overlaps(one, starts.slice(at + 1).flat()));
      if (isDecided) return Math.max(...ways);
      return isLooped ? Infinity : ways.reduce((sum, some) => sum + some, 0);
    }
    case 'repeat':
      return countWaysOfRepetition(node, rest, isLooped);
    case 'look':
      // Each turn of a loop would look through the text.
      if (isLooped && hasLoop(node.item)) return Infinity;
      if (node.behind) return hasFixedLength(node.item) ? 1 : Infinity;
      return countWays(node.item, { starts: [END], hasLoop: false }, false);
  }
}

function countWaysOfRepetition(node: RegexNode & { kind: 'repeat' }, rest: Rest, isLooped: boolean): number {
  const { item, min, max } = node;
  const isLoop = max > MOST_TURNS;
  const again = { starts: [...listStarts(item), ...rest.starts], hasLoop: rest.hasLoop || hasLoop(node) };
  const ways = countWays(item, max === 1 ? rest : again, isLooped || isLoop);
  const isDecided = min === max || !(isNullable(item) || overlaps(listStarts(item), rest.starts));
  // The last loop may end at any of its characters, since each end is tried once.
  if (isLoop) return isDecided || (item.kind === 'set' && !isLooped && !rest.hasLoop) ? ways : Infinity;
  if (isDecided) return ways ** max;
  return isLooped ? Infinity : ways ** max * (max - min + 1);
}

function putBefore(node: RegexNode, rest: Rest): Rest {
  return {
    starts: [...listStarts(node), ...(isNullable(node) ? rest.starts : [])],
    hasLoop: rest.hasLoop || hasLoop(node),
  };
}

function listStarts(node: RegexNode): readonly CharacterSet[] {
  switch (node.kind) {
    case 'set':
      return [node.set];
    case 'edge':
      return [];
    case 'sequence': {
      const first = node.items.findIndex((item) => !isNullable(item));
      return node.items.slice(0, first === -1 ? undefined : first + 1).flatMap(listStarts);
    }
    case 'choice':
      return node.branches.flatMap(listStarts);
    case 'repeat':
      return listStarts(node.item);
    case 'look':
      // No character tells whether it is worth the work.
      return hasLoop(node.item) ? [anyCharacter] : [];
  }
}

/** Look-around matches no characters. */
function isNullable(node: RegexNode): boolean {
  if (node.kind === 'repeat') return node.min === 0 || isNullable(node.item);
  if (node.kind === 'choice') return node.branches.some(isNullable);
  return node.kind === 'sequence' ? node.items.every(isNullable) : node.kind !== 'set';
}

function hasLoop(node: RegexNode): boolean {
  if (node.kind === 'repeat') return node.max > MOST_TURNS || hasLoop(node.item);
  if (node.kind === 'choice') return node.branches.some(hasLoop);
  return node.kind === 'sequence' ? node.items.some(hasLoop) : node.kind === 'look' && hasLoop(node.item);
}

function isAnchored(node: RegexNode): boolean {
  if (node.kind === 'repeat') return node.min > 0 && isAnchored(node.item);
  if (node.kind === 'choice') return node.branches.every(isAnchored);
  if (node.kind === 'sequence') return node.items[0] !== undefined && isAnchored(node.items[0]);
  return node.kind === 'edge' && node.edge === 'start';
}

function hasFixedLength(node: RegexNode): boolean {
  return node.kind === 'sequence' ? node.items.every(hasFixedLength) : /^(?:set|edge)$/.test(node.kind);
}

function overlaps(some: readonly CharacterSet[], others: readonly CharacterSet[]): boolean {
  return some.some((one) => others.some((other) => one === other || mayOverlap(one, other)));
}

/** True for two sets that only the engine knows. */
function mayOverlap({ ranges, has }: CharacterSet, other: CharacterSet): boolean {
  if (ranges === undefined)
    return other.ranges === undefined || other.ranges.some((range) => mayHold({ has }, range));
  if (other.ranges === undefined) return ranges.some((range) => mayHold(other, range));
  return ranges.some(([from, to]) => other.ranges?.some(([start, end]) => from <= end && start <= to));
}

/** Characters of one range that the engine is asked for. */
const ASKED = 300;

function mayHold({ has }: Pick<CharacterSet, 'has'>, [from, to]: Range): boolean {
  if (to - from >= ASKED) return true;
  return Array.from({ length: to - from + 1 }).some((_, at) => from + at >= 0 && has(from + at));
}
