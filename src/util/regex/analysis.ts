/**
 * Decides whether the number of ways in which an automaton may read one text has a bound: an engine that backtracks tries them all
 * before it fails. After Weber and Seidl, "On the degree of ambiguity of finite automata" (1991), with every place taken as an
 * end. Also builds the automaton of an expression.
 */
import { type Components, findComponents } from './components.ts';
import {
  anyCharacter,
  type CharacterSet,
  type Range,
  type RegexNode,
} from '../../../templates/runtime/features/patterns/parse-regex.ts';

/** Binary logarithm of the number of ways up to which an expression counts as linear. */
const LINEAR_BITS = 10;

const WORK = 300_000;

/** The steps left for all patterns of one document, or of one server. */
export interface AnalysisBudget {
  steps: number;
}

/** About a second. */
export const ANALYSIS_STEPS = 10 * WORK;

class TooMuch extends Error {}

/** False if the number of ways grows with the text, or the analysis took too many steps. */
export function hasFewReadings(automaton: Automaton, budget: AnalysisBudget): boolean {
  const judge = new Judge(automaton, Math.min(WORK, budget.steps));
  try {
    return judge.hasFewReadings();
  } catch (error) {
    if (error instanceof TooMuch) return false;
    throw error;
  } finally {
    budget.steps -= judge.work;
  }
}

class Judge {
  readonly #follow: Automaton['follow'];
  readonly #size: number;
  readonly #overlaps: (one: number, other: number) => boolean;
  readonly #components: Components;
  readonly #limit: number;
  work = 0;

  constructor({ sets, follow }: Automaton, limit: number) {
    this.#limit = limit;
    this.#follow = follow;
    this.#size = sets.length;
    this.#components = findComponents(follow);
    const known = new Map<number, boolean>();
    this.#overlaps = (one, other) => {
      const [left, right] = [sets[one], sets[other]];
      if (left === right) return true;
      const key = one * this.#size + other;
      let answer = known.get(key);
      if (answer === undefined) {
        answer = left !== undefined && right !== undefined && mayOverlap(left, right);
        known.set(key, answer);
      }
      return answer;
    };
  }

  hasFewReadings(): boolean {
    if (this.#countBranchings().every((ways) => ways < 2)) return true;
    return (
      !this.#growsExponentially() && !this.#growsPolynomially() && this.#measureBranchingBits() <= LINEAR_BITS
    );
  }

  #countStep(): void {
    if (this.work >= this.#limit) throw new TooMuch();
    this.work++;
  }

  #countBranchings(): number[] {
    return this.#follow.map((next) => {
      let most = 0;
      for (const one of next) {
        let ways = 0;
        for (const other of next) {
          this.#countStep();
          if (one === other || this.#overlaps(one, other)) ways++;
        }
        most = Math.max(most, ways);
      }
      return most;
    });
  }

  #growsExponentially(): boolean {
    const { of } = this.#components;
    const seen = new Set<number>();
    const open: [number, number][] = [];
    for (const [place, next] of this.#follow.entries()) {
      const inside = next.filter((to) => of[to] === of[place]);
      if (new Set(inside).size < inside.length) return true;
      open.push(...this.#pairOverlappingPlaces(inside, inside).filter(([one, other]) => one < other));
    }
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
      const [one, other] = pair;
      this.#countStep();
      if (one === other) return true;
      const key = one * this.#size + other;
      if (seen.has(key)) continue;
      seen.add(key);
      const inside = (place: number): number[] =>
        (this.#follow[place] ?? []).filter((to) => of[to] === of[place]);
      open.push(...this.#pairOverlappingPlaces(inside(one), inside(other)));
    }
    return false;
  }

  #pairOverlappingPlaces(ones: readonly number[], others: readonly number[]): [number, number][] {
    return ones.flatMap((one) =>
      others.flatMap((other): [number, number][] => {
        this.#countStep();
        return this.#overlaps(one, other) ? [[one, other]] : [];
      }),
    );
  }

  /** Whether one loop can hand on to another after any number of turns. */
  #growsPolynomially(): boolean {
    const { loops, reaches } = this.#components;
    return loops.some((loop) =>
      loops.some((next) => next !== loop && reaches(loop, next) && this.#leadsToNextLoop(loop, next)),
    );
  }

  /** Whether a text leads from a place of one loop to itself, to a place of the other, and from there to itself. */
  #leadsToNextLoop(loop: number, next: number): boolean {
    const { members } = this.#components;
    return (members[loop] ?? []).some((one) =>
      (members[next] ?? []).some((other) => this.#isTripleReachable([one, one, other], [one, other, other])),
    );
  }

  #isTripleReachable([one, way, other]: Triple, [, goal]: Triple): boolean {
    const { of, reaches } = this.#components;
    const packTriple = (a: number, b: number, c: number): number => (a * this.#size + b) * this.#size + c;
    const seen = new Set<number>();
    const open: Triple[] = [[one, way, other]];
    const areInSameComponent = (from: number, to: number): boolean => of[from] === of[to];
    for (let triple = open.pop(); triple !== undefined; triple = open.pop()) {
      const [a, b, c] = triple;
      for (const nextA of this.#follow[a] ?? []) {
        if (!areInSameComponent(a, nextA)) continue;
        for (const nextC of this.#follow[c] ?? []) {
          if (!areInSameComponent(c, nextC) || !this.#overlaps(nextA, nextC)) continue;
          for (const nextB of this.#follow[b] ?? []) {
            this.#countStep();
            if (!this.#overlaps(nextA, nextB) || !this.#overlaps(nextB, nextC)) continue;
            if (nextA === one && nextB === goal && nextC === other) return true;
            if (!areInSameComponent(nextB, goal) && !reaches(of[nextB] ?? 0, of[goal] ?? 0)) continue;
            const found = packTriple(nextA, nextB, nextC);
            if (seen.has(found)) continue;
            seen.add(found);
            open.push([nextA, nextB, nextC]);
          }
        }
      }
    }
    return false;
  }

  #measureBranchingBits(): number {
    const branchings = this.#countBranchings();
    const { members, loops, after } = this.#components;
    const isLoop = new Set(loops);
    const own = members.map((places, component) => {
      const most = Math.max(1, ...places.map((place) => branchings[place] ?? 1));
      if (most < 2) return 0;
      return Math.log2(isLoop.has(component) ? places.length * this.#size : most);
    });
    const totals = new Map<number, number>();
    const sumBits = (component: number): number => {
      let known = totals.get(component);
      if (known === undefined) {
        known = (own[component] ?? 0) + Math.max(0, ...(after[component] ?? []).map(sumBits));
        totals.set(component, known);
      }
      return known;
    };
    return sumBits(this.#components.of[0] ?? 0);
  }
}

type Triple = readonly [number, number, number];

/**
 * The places of an expression that take a character, and which may follow which (Glushkov 1961). Place 0 is the start. A list
 * has a place once for each way to it, since an engine that backtracks tries each of them.
 */
interface Automaton {
  readonly sets: readonly CharacterSet[];
  readonly follow: readonly (readonly number[])[];
}

const PLACES = 400;
const WAYS = 20_000;

/** Repeated characters are written out up to this count; a higher one is read as `*`. */
const CHAIN = 128;

class TooLarge extends Error {}

/**
 * The automaton reads any text in at least as many ways as an engine may try; undefined when it would be too large, or no bound
 * is known. A look-ahead is a branch that ends.
 */
export function buildAutomaton(node: RegexNode, counting: Counting): Automaton | undefined {
  try {
    return new Builder(counting).buildFromTree(node);
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
}

/**
 * `x{2,5}` of one character is read as places in a row, or as `x*`, which has fewer places and more ways. Counts
 * of longer parts are always read as `*`.
 */
export type Counting = 'exactly' | 'loosely';

interface Part {
  first: readonly number[];
  last: readonly number[];
}

class Builder {
  readonly #sets: CharacterSet[] = [anyCharacter];
  readonly #follow: number[][] = [[]];
  readonly #counting: Counting;
  #ways = 0;

  constructor(counting: Counting) {
    this.#counting = counting;
  }

  buildFromTree(node: RegexNode): Automaton {
    const anywhere = isAnchoredAtStart(node) ? [] : [this.#addPlace(anyCharacter)];
    const { first } = this.#buildPart(node);
    for (const from of [0, ...anywhere]) this.#linkPlaces([from], [...first, ...anywhere]);
    return { sets: this.#sets, follow: this.#follow };
  }

  #addPlace(set: CharacterSet): number {
    if (this.#sets.length >= PLACES) throw new TooLarge();
    this.#follow.push([]);
    return this.#sets.push(set) - 1;
  }

  #linkPlaces(last: readonly number[], first: readonly number[]): void {
    this.#ways += last.length * first.length;
    if (this.#ways > WAYS) throw new TooLarge();
    for (const from of last) this.#follow[from]?.push(...first);
  }

  #buildPart(node: RegexNode): Part {
    switch (node.kind) {
      case 'set': {
        const place = [this.#addPlace(node.set)];
        return { first: place, last: place };
      }
      case 'sequence':
        return this.#buildSequence(node.items);
      case 'choice': {
        const parts = node.branches.map((branch) => this.#buildPart(branch));
        return { first: parts.flatMap(({ first }) => first), last: parts.flatMap(({ last }) => last) };
      }
      case 'repeat':
        return this.#buildRepetition(node);
      case 'edge':
        return { first: [], last: [] };
      case 'look':
        // A look-behind costs nothing if it sees one text of one length.
        if (node.behind && !hasFixedLength(node.item)) throw new TooLarge();
        return { first: node.behind ? [] : this.#buildPart(node.item).first, last: [] };
    }
  }

  #buildSequence(items: readonly RegexNode[]): Part {
    let first: readonly number[] = [];
    let last: readonly number[] = [];
    let nullable = true;
    for (const item of items) {
      const part = this.#buildPart(item);
      this.#linkPlaces(last, part.first);
      if (nullable) first = [...first, ...part.first];
      const skipped = isNullable(item);
      last = skipped ? [...last, ...part.last] : part.last;
      nullable &&= skipped;
    }
    return { first, last };
  }

  #buildRepetition({ item, min, max }: RegexNode & { kind: 'repeat' }): Part {
    if (max === 1) return this.#buildPart(item);
    if (item.kind === 'set' && max <= CHAIN && (min === max || this.#counting === 'exactly'))
      return this.#buildUnrolledRepetition(item, min, max);
    const nullable = isNullable(item);
    // Required repetitions may match nothing, and engines try each way to distribute the text among the others.
    if (nullable && min > 1) throw new TooLarge();
    const part =
      nullable && min === 1
        ? this.#buildSequence([item, { kind: 'repeat', item, min: 0, max }])
        : this.#buildPart(item);
    if (!nullable || min === 0) this.#linkPlaces(part.last, part.first);
    return part;
  }

  #buildUnrolledRepetition(item: RegexNode, min: number, max: number): Part {
    const rest = Array.from({ length: max - min }).reduce<RegexNode | undefined>((inner) => {
      const turn: RegexNode = inner === undefined ? item : { kind: 'sequence', items: [item, inner] };
      return { kind: 'repeat', item: turn, min: 0, max: 1 };
    }, undefined);
    const items = Array<RegexNode>(min).fill(item);
    if (rest !== undefined) items.push(rest);
    return this.#buildSequence(items);
  }
}

function isAnchoredAtStart(node: RegexNode): boolean {
  switch (node.kind) {
    case 'edge':
      return node.edge === 'start';
    case 'sequence':
      return node.items[0] !== undefined && isAnchoredAtStart(node.items[0]);
    case 'choice':
      return node.branches.every(isAnchoredAtStart);
    case 'repeat':
      return node.min > 0 && isAnchoredAtStart(node.item);
    case 'set':
    case 'look':
      return false;
  }
}

function hasFixedLength(node: RegexNode): boolean {
  return (
    node.kind === 'set' ||
    node.kind === 'edge' ||
    (node.kind === 'sequence' && node.items.every(hasFixedLength))
  );
}

const ASKED = 300;

/** Whether two sets may overlap; true for two that only the engine knows. */
function mayOverlap(one: CharacterSet, other: CharacterSet): boolean {
  if (one.ranges === undefined) return other.ranges === undefined || overlapsByTesting(other.ranges, one);
  if (other.ranges === undefined) return overlapsByTesting(one.ranges, other);
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

function overlapsByTesting(ranges: readonly Range[], other: CharacterSet): boolean {
  const size = ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  if (size > ASKED) return true;
  return ranges.some(([from, to]) => {
    for (let codePoint = from; codePoint <= to; codePoint++) if (other.has(codePoint)) return true;
    return false;
  });
}

/** Look-around matches no characters. */
function isNullable(node: RegexNode): boolean {
  switch (node.kind) {
    case 'set':
      return false;
    case 'sequence':
      return node.items.every(isNullable);
    case 'choice':
      return node.branches.some(isNullable);
    case 'repeat':
      return node.min === 0 || isNullable(node.item);
    case 'edge':
    case 'look':
      return true;
  }
}
