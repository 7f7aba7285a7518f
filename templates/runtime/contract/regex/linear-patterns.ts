// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Runs any regular expression in linear time: by the engine if an analysis proves that it never takes long, else by a machine
 * that never backtracks (docs/adr/0020-patterns-never-run-away.md). Loading the module makes `readPattern` use it.
 */
import {
  type Meter,
  type PatternTest,
  STEPS_PER_UNIT,
  compilePattern,
  usePatternReader,
} from '../patterns.ts';
import { type Ambiguity, type Counting, measureAmbiguity, buildAutomaton } from './analysis.ts';
import { type CharacterSet, type Edge, type RegexNode, parseRegex, wordCharacters } from './parse-regex.ts';

export type Guard =
  /** The engine runs it for any text: its work grows only linearly with the length. */
  | 'linear'
  /** The engine runs it for texts that are short enough, a machine that never backtracks for others. */
  | 'guarded'
  /** Never run: the expression is not proved to end in time, and the machine can't run it. */
  | 'unsafe';

export { readPattern } from '../patterns.ts';

usePatternReader((expression) => examine(expression).test);

/** A pattern that is no regular expression accepts everything, which is safe. */
export function classifyPattern(source: string): Guard {
  const expression = compilePattern(source);
  return expression === undefined ? 'linear' : examine(expression).guard;
}

/** Binary logarithm of the factor up to which an expression counts as linear. */
const LINEAR_BITS = 10;
const ENGINE_STEPS = 2 ** 16;

export function examine(expression: RegExp): { guard: Guard; test: PatternTest } {
  const { source, unicode } = expression;
  const tree = parseRegex(source, unicode);
  const bound = tree === undefined ? undefined : findBound(withoutRest(tree));
  if (bound !== undefined && isLinear(bound)) return { guard: 'linear', test: byEngine(expression, bound) };
  const program = tree === undefined ? undefined : compileProgram(tree);
  if (program === undefined) return { guard: 'unsafe', test: () => true };
  return { guard: 'guarded', test: byLength(expression, program, bound) };
}

/** Repetitions of one character at the end can't make a match fail: `v1.*` becomes `v1`. */
function withoutRest(tree: RegexNode): RegexNode {
  const items = tree.kind === 'sequence' ? tree.items : [tree];
  const last = items.at(-1);
  if (last?.kind !== 'repeat' || last.item.kind !== 'set') return tree;
  return {
    kind: 'sequence',
    items: [...items.slice(0, -1), { ...last, max: Math.max(1, last.min), min: last.min }],
  };
}

function findBound(tree: RegexNode): Ambiguity | undefined {
  const exact = measureBy(tree, 'exactly');
  return exact !== undefined && isLinear(exact) ? exact : measureBy(tree, 'loosely');
}

function measureBy(tree: RegexNode, counting: Counting): Ambiguity | undefined {
  const automaton = buildAutomaton(tree, counting);
  return automaton === undefined ? undefined : measureAmbiguity(automaton);
}

function isLinear({ degree, bits }: Ambiguity): boolean {
  return degree === 0 && bits <= LINEAR_BITS;
}

function byEngine(expression: RegExp, bound: Ambiguity): PatternTest {
  return (text, meter) => {
    meter.spend(Math.ceil(stepsFor(text, bound) / STEPS_PER_UNIT));
    return expression.test(text);
  };
}

function byLength(expression: RegExp, program: Program, bound: Ambiguity | undefined): PatternTest {
  const { unicode } = expression;
  const engine = bound === undefined ? undefined : { bound, test: byEngine(expression, bound) };
  return (text, meter) =>
    engine !== undefined && stepsFor(text, engine.bound) <= ENGINE_STEPS
      ? engine.test(text, meter)
      : runProgram(program, text, unicode, meter);
}

function stepsFor({ length }: string, { degree, bits }: Ambiguity): number {
  return (length + 1) ** (degree + 1) * 2 ** bits;
}

type Step =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { kind: 'split'; to: number; other: number }
  | { readonly kind: 'edge'; readonly edge: Edge }
  /** Continues if the steps from `start` to their `match` match here (or do not, if `negative`); backwards for a look-behind. */
  | { readonly kind: 'look'; readonly start: number; readonly behind: boolean; readonly negative: boolean }
  | { readonly kind: 'match' };

/**
 * Steps of a machine that is in many of them at once (Thompson 1968), so that it never backtracks. A match starts at the first
 * step.
 */
export type Program = readonly Step[];

const STEPS = 4_000;

class TooLong extends Error {}

export function compileProgram(node: RegexNode): Program | undefined {
  const writer = new Writer();
  try {
    writer.write(node, false);
    writer.push({ kind: 'match' });
    writer.writeLooks();
    return writer.steps;
  } catch (error) {
    if (error instanceof TooLong) return undefined;
    throw error;
  }
}

class Writer {
  readonly steps: Step[] = [];
  /** Written behind the rest, so that every step but `split` continues at the next. */
  readonly #looks: { at: number; node: RegexNode & { kind: 'look' } }[] = [];

  push(step: Step): number {
    if (this.steps.length >= STEPS) throw new TooLong();
    return this.steps.push(step) - 1;
  }

  /** @param backward for a look-behind: the last character comes first */
  write(node: RegexNode, backward: boolean): void {
    switch (node.kind) {
      case 'set':
      case 'edge':
        this.push(node);
        break;
      case 'sequence':
        for (const item of backward ? node.items.toReversed() : node.items) this.write(item, backward);
        break;
      case 'choice':
        this.#choice(node.branches, backward);
        break;
      case 'repeat':
        this.#repeat(node, backward);
        break;
      case 'look':
        this.#looks.push({ at: this.push({ ...node, start: 0 }), node });
    }
  }

  writeLooks(): void {
    for (let look = this.#looks.pop(); look !== undefined; look = this.#looks.pop()) {
      const { behind, negative, item } = look.node;
      this.steps[look.at] = { kind: 'look', start: this.steps.length, behind, negative };
      this.write(item, behind);
      this.push({ kind: 'match' });
    }
  }

  #choice(branches: readonly RegexNode[], backward: boolean): void {
    const ends: { to: number }[] = [];
    for (const [index, branch] of branches.entries()) {
      const fork = index === branches.length - 1 ? undefined : this.#split();
      this.write(branch, backward);
      if (fork === undefined) break;
      ends.push(this.#split());
      fork.other = this.steps.length;
    }
    for (const end of ends) this.#lead(end, this.steps.length);
  }

  #repeat({ item, min, max }: RegexNode & { kind: 'repeat' }, backward: boolean): void {
    for (let times = 0; times < min; times++) this.write(item, backward);
    if (max === Infinity) {
      const start = this.steps.length;
      const fork = this.#split();
      this.write(item, backward);
      this.#lead(this.#split(), start);
      fork.other = this.steps.length;
      return;
    }
    const forks: { other: number }[] = [];
    for (let times = min; times < max; times++) {
      forks.push(this.#split());
      this.write(item, backward);
    }
    for (const fork of forks) fork.other = this.steps.length;
  }

  #split(): { to: number; other: number } {
    const next = this.steps.length + 1;
    const step: Step & { kind: 'split' } = { kind: 'split', to: next, other: next };
    this.push(step);
    return step;
  }

  #lead(fork: { to: number; other?: number }, to: number): void {
    fork.to = to;
    fork.other = to;
  }
}

/** How many steps of a program count as one of the meter. */
const STATES_PER_UNIT = 8;

/**
 * Whether a text holds a match. All branches are followed side by side, so the work is at most the length of the text times
 * that of the program (once more for each look-ahead and look-behind).
 */
export function runProgram(program: Program, text: string, unicode: boolean, meter: Meter): boolean {
  return new Machine(program, text, unicode, meter).search();
}

class Machine {
  readonly #program: Program;
  readonly #text: string;
  readonly #unicode: boolean;
  readonly #meter: Meter;

  constructor(program: Program, text: string, unicode: boolean, meter: Meter) {
    this.#program = program;
    this.#text = text;
    this.#unicode = unicode;
    this.#meter = meter;
  }

  search(): boolean {
    return this.#run(0, 0, { backward: false, anywhere: true });
  }

  #run(
    start: number,
    from: number,
    { backward, anywhere }: { backward: boolean; anywhere: boolean },
  ): boolean {
    const marks = new Uint32Array(this.#program.length);
    let states: number[] = [];
    for (let at = from, turn = 1; ; turn++) {
      if ((anywhere || turn === 1) && this.#enter(start, at, { states, marks, turn })) return true;
      if (states.length === 0 && !anywhere) return false;
      const code = this.#codeAt(at, backward);
      if (code === undefined) return false;
      at += (code > 0xffff ? 2 : 1) * (backward ? -1 : 1);
      const next: number[] = [];
      for (const state of states) {
        const step = this.#program[state];
        if (step?.kind !== 'set' || !step.set.has(code)) continue;
        if (this.#enter(state + 1, at, { states: next, marks, turn: turn + 1 })) return true;
      }
      this.#meter.spend(Math.ceil((states.length + 1) / STATES_PER_UNIT));
      states = next;
    }
  }

  /** Notes the sets that are reached from a step without a character; true when the end is. */
  #enter(
    start: number,
    at: number,
    { states, marks, turn }: { states: number[]; marks: Uint32Array; turn: number },
  ): boolean {
    const open = [start];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (marks[index] === turn) continue;
      marks[index] = turn;
      const step = this.#program[index];
      if (step === undefined) continue;
      switch (step.kind) {
        case 'set':
          states.push(index);
          break;
        case 'split':
          open.push(step.other, step.to);
          break;
        case 'edge':
          if (this.#isAt(step.edge, at)) open.push(index + 1);
          break;
        case 'look':
          if (this.#run(step.start, at, { backward: step.behind, anywhere: false }) !== step.negative)
            open.push(index + 1);
          break;
        case 'match':
          return true;
      }
    }
    return false;
  }

  #codeAt(at: number, backward: boolean): number | undefined {
    const text = this.#text;
    if (backward ? at <= 0 : at >= text.length) return undefined;
    if (!this.#unicode) return text.charCodeAt(backward ? at - 1 : at);
    if (!backward) return text.codePointAt(at);
    const whole = at > 1 ? text.codePointAt(at - 2) : undefined;
    return whole !== undefined && whole > 0xffff ? whole : text.charCodeAt(at - 1);
  }

  #isAt(edge: Edge, at: number): boolean {
    if (edge === 'start') return at === 0;
    if (edge === 'end') return at === this.#text.length;
    const isWord = (index: number): boolean =>
      index >= 0 && index < this.#text.length && wordCharacters.has(this.#text.charCodeAt(index));
    return (isWord(at - 1) !== isWord(at)) === (edge === 'word');
  }
}
