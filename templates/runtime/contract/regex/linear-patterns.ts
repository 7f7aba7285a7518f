// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Runs any regular expression in linear time: by the engine if an analysis proves that it never takes long, else by a machine
 * that never backtracks. Loading the module makes `readPattern` use it.
 */
import {
  type Meter,
  type PatternTest,
  STEPS_PER_UNIT,
  compilePattern,
  registerPatternCompiler,
} from '../patterns.ts';
import {
  ANALYSIS_STEPS,
  type Ambiguity,
  type AnalysisBudget,
  type Counting,
  buildAutomaton,
  measureAmbiguity,
} from './analysis.ts';
import { type CharacterSet, type Edge, type RegexNode, parseRegex, wordCharacters } from './parse-regex.ts';

export type Guard =
  /** The engine runs it for any text: its work grows only linearly with the length. */
  | 'linear'
  /** The engine runs it for texts that are short enough, a machine that never backtracks for others. */
  | 'guarded'
  /** The budget was spent before the analysis ended: a machine that never backtracks runs it for all texts. */
  | 'unanalysed'
  /** Never run: the expression is not proved to end in time, and the machine can't run it. */
  | 'unsafe';

export { makePattern } from '../patterns.ts';

const serverBudget: AnalysisBudget = { steps: ANALYSIS_STEPS };

registerPatternCompiler((expression) => examineExpression(expression, serverBudget).test);

/** A pattern that is no regular expression accepts everything, which is safe. */
export function classifyPattern(source: string, budget?: AnalysisBudget): Guard {
  const expression = compilePattern(source);
  return expression === undefined ? 'linear' : examineExpression(expression, budget).guard;
}

/** Binary logarithm of the factor up to which an expression counts as linear. */
const LINEAR_BITS = 10;
const ENGINE_STEPS = 2 ** 16;

export function examineExpression(
  expression: RegExp,
  budget: AnalysisBudget = { steps: ANALYSIS_STEPS },
): { guard: Guard; test: PatternTest } {
  const { source, unicode } = expression;
  const tree = parseRegex(source, unicode);
  const bound = tree === undefined ? undefined : findAmbiguityBound(dropEndRepetitions(tree), budget);
  if (bound !== undefined && isLinear(bound))
    return { guard: 'linear', test: makeEngineTest(expression, bound) };
  const program = tree === undefined ? undefined : compileProgram(tree);
  if (program === undefined) return { guard: 'unsafe', test: () => true };
  const guard = bound === undefined && budget.steps <= 0 ? 'unanalysed' : 'guarded';
  return { guard, test: chooseTestByLength(expression, program, bound) };
}

/** Repetitions of one character at the end can't make a match fail: `v1.*` becomes `v1`. */
function dropEndRepetitions(tree: RegexNode): RegexNode {
  const items = tree.kind === 'sequence' ? tree.items : [tree];
  const last = items.at(-1);
  if (last?.kind !== 'repeat' || last.item.kind !== 'set') return tree;
  return {
    kind: 'sequence',
    items: [...items.slice(0, -1), { ...last, max: Math.max(1, last.min), min: last.min }],
  };
}

function findAmbiguityBound(tree: RegexNode, budget: AnalysisBudget): Ambiguity | undefined {
  const exact = measureTreeAmbiguity(tree, 'exactly', budget);
  return exact !== undefined && isLinear(exact) ? exact : measureTreeAmbiguity(tree, 'loosely', budget);
}

function measureTreeAmbiguity(
  tree: RegexNode,
  counting: Counting,
  budget: AnalysisBudget,
): Ambiguity | undefined {
  const automaton = budget.steps > 0 ? buildAutomaton(tree, counting) : undefined;
  return automaton === undefined ? undefined : measureAmbiguity(automaton, budget);
}

function isLinear({ degree, bits }: Ambiguity): boolean {
  return degree === 0 && bits <= LINEAR_BITS;
}

function makeEngineTest(expression: RegExp, bound: Ambiguity): PatternTest {
  return (text, meter) => {
    meter.spendSteps(Math.ceil(countEngineSteps(text, bound) / STEPS_PER_UNIT));
    return expression.test(text);
  };
}

function chooseTestByLength(expression: RegExp, program: Program, bound: Ambiguity | undefined): PatternTest {
  const { unicode } = expression;
  const engine = bound === undefined ? undefined : { bound, test: makeEngineTest(expression, bound) };
  return (text, meter) =>
    engine !== undefined && countEngineSteps(text, engine.bound) <= ENGINE_STEPS
      ? engine.test(text, meter)
      : runProgram(program, text, unicode, meter);
}

function countEngineSteps({ length }: string, { degree, bits }: Ambiguity): number {
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
    writer.writeNode(node, false);
    writer.pushStep({ kind: 'match' });
    writer.writeLookarounds();
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

  pushStep(step: Step): number {
    if (this.steps.length >= STEPS) throw new TooLong();
    return this.steps.push(step) - 1;
  }

  /** @param backward for a look-behind: the last character comes first */
  writeNode(node: RegexNode, backward: boolean): void {
    switch (node.kind) {
      case 'set':
      case 'edge':
        this.pushStep(node);
        break;
      case 'sequence':
        for (const item of backward ? node.items.toReversed() : node.items) this.writeNode(item, backward);
        break;
      case 'choice':
        this.#writeChoice(node.branches, backward);
        break;
      case 'repeat':
        this.#writeRepetition(node, backward);
        break;
      case 'look':
        this.#looks.push({ at: this.pushStep({ ...node, start: 0 }), node });
    }
  }

  writeLookarounds(): void {
    for (let look = this.#looks.pop(); look !== undefined; look = this.#looks.pop()) {
      const { behind, negative, item } = look.node;
      this.steps[look.at] = { kind: 'look', start: this.steps.length, behind, negative };
      this.writeNode(item, behind);
      this.pushStep({ kind: 'match' });
    }
  }

  #writeChoice(branches: readonly RegexNode[], backward: boolean): void {
    const ends: { to: number }[] = [];
    for (const [index, branch] of branches.entries()) {
      const fork = index === branches.length - 1 ? undefined : this.#pushSplit();
      this.writeNode(branch, backward);
      if (fork === undefined) break;
      ends.push(this.#pushSplit());
      fork.other = this.steps.length;
    }
    for (const end of ends) this.#setTargets(end, this.steps.length);
  }

  #writeRepetition({ item, min, max }: RegexNode & { kind: 'repeat' }, backward: boolean): void {
    for (let times = 0; times < min; times++) this.writeNode(item, backward);
    if (max === Infinity) {
      const start = this.steps.length;
      const fork = this.#pushSplit();
      this.writeNode(item, backward);
      this.#setTargets(this.#pushSplit(), start);
      fork.other = this.steps.length;
      return;
    }
    const forks: { other: number }[] = [];
    for (let times = min; times < max; times++) {
      forks.push(this.#pushSplit());
      this.writeNode(item, backward);
    }
    for (const fork of forks) fork.other = this.steps.length;
  }

  #pushSplit(): { to: number; other: number } {
    const next = this.steps.length + 1;
    const step: Step & { kind: 'split' } = { kind: 'split', to: next, other: next };
    this.pushStep(step);
    return step;
  }

  #setTargets(fork: { to: number; other?: number }, to: number): void {
    fork.to = to;
    fork.other = to;
  }
}

/** Steps of a compiled pattern that count as one unit of work. */
const STATES_PER_UNIT = 8;

/**
 * Whether a text holds a match. All branches are followed side by side, so the work is at most the length of the text times
 * that of the program (once more for each look-ahead and look-behind).
 */
export function runProgram(program: Program, text: string, unicode: boolean, meter: Meter): boolean {
  return new Machine(program, text, unicode, meter).containsMatch();
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

  containsMatch(): boolean {
    return this.#runSteps(0, 0, { backward: false, anywhere: true });
  }

  #runSteps(
    start: number,
    from: number,
    { backward, anywhere }: { backward: boolean; anywhere: boolean },
  ): boolean {
    const marks = new Uint32Array(this.#program.length);
    let states: number[] = [];
    for (let at = from, turn = 1; ; turn++) {
      if ((anywhere || turn === 1) && this.#enterStep(start, at, { states, marks, turn })) return true;
      if (states.length === 0 && !anywhere) return false;
      const code = this.#codePointAt(at, backward);
      if (code === undefined) return false;
      at += (code > 0xffff ? 2 : 1) * (backward ? -1 : 1);
      const next: number[] = [];
      for (const state of states) {
        const step = this.#program[state];
        if (step?.kind !== 'set' || !step.set.has(code)) continue;
        if (this.#enterStep(state + 1, at, { states: next, marks, turn: turn + 1 })) return true;
      }
      this.#meter.spendSteps(Math.ceil((states.length + 1) / STATES_PER_UNIT));
      states = next;
    }
  }

  /** Notes the sets that are reached from a step without a character; true when the end is. */
  #enterStep(
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
          if (this.#isAtEdge(step.edge, at)) open.push(index + 1);
          break;
        case 'look':
          if (this.#runSteps(step.start, at, { backward: step.behind, anywhere: false }) !== step.negative)
            open.push(index + 1);
          break;
        case 'match':
          return true;
      }
    }
    return false;
  }

  #codePointAt(at: number, backward: boolean): number | undefined {
    const text = this.#text;
    if (backward ? at <= 0 : at >= text.length) return undefined;
    if (!this.#unicode) return text.charCodeAt(backward ? at - 1 : at);
    if (!backward) return text.codePointAt(at);
    const whole = at > 1 ? text.codePointAt(at - 2) : undefined;
    return whole !== undefined && whole > 0xffff ? whole : text.charCodeAt(at - 1);
  }

  #isAtEdge(edge: Edge, at: number): boolean {
    if (edge === 'start') return at === 0;
    if (edge === 'end') return at === this.#text.length;
    const isWordCharacterAt = (index: number): boolean =>
      index >= 0 && index < this.#text.length && wordCharacters.has(this.#text.charCodeAt(index));
    return (isWordCharacterAt(at - 1) !== isWordCharacterAt(at)) === (edge === 'word');
  }
}
