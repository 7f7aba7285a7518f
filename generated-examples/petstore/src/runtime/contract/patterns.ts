/**
 * Regular expressions of `pattern` and `patternProperties`. The one place that runs them, so that none of them can keep a
 * server busy: see docs/adr/0020-patterns-never-run-away.md.
 */
import { type Ambiguity, ambiguityOf, automatonOf, type Counting } from './regex/analysis.ts';
import { parseRegex, type RegexNode } from './regex/parse-regex.ts';
import { type Meter, type Program, programOf, runProgram } from './regex/program.ts';

/** A pattern that can be tested. */
export interface Pattern {
  readonly source: string;
  /** Whether the text holds a match. What it costs is told to the meter, which may throw. */
  test(text: string, meter: Meter): boolean;
}

interface Reading {
  guard: Guard;
  test: Test;
}

/** Refusing every value for a typo in the schema would help nobody. */
const accepting: Reading = { guard: 'linear', test: () => true };
const readings = new Map<string, Reading>();
/** Patterns that are remembered. */
const MOST = 10_000;

/**
 * Reads a pattern at its first use. ECMA-262 with the `u` flag, as Core section 6.4 asks; a pattern that is only
 * valid without the flag (`\-` outside a class) is read without it; one that is no regular expression at all, and
 * one that can't be run safely, accept everything.
 */
export function readPattern(source: string): Pattern {
  let reading: Reading | undefined;
  return { source, test: (text, meter) => (reading ??= readingOf(source)).test(text, meter) };
}

/** How a pattern is run; one that is no regular expression accepts everything, which is safe. */
export function guardOf(source: string): Guard {
  return readingOf(source).guard;
}

/** The tree of a pattern; undefined where there is none (see {@link parseRegex}). */
export function treeOf(source: string): RegexNode | undefined {
  const expression = compile(source);
  return expression === undefined ? undefined : parseRegex(expression.source, expression.unicode);
}

function readingOf(source: string): Reading {
  let reading = readings.get(source);
  if (reading === undefined) {
    const expression = compile(source);
    reading = expression === undefined ? accepting : examine(expression);
    if (readings.size < MOST) readings.set(source, reading);
  }
  return reading;
}

function compile(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags);
    } catch {
      // Tried again without the flag, then accepted.
    }
  }
  return undefined;
}

/** How an expression is run. */
type Guard =
  /** By the engine, whatever the text: its work grows with the text's length alone. */
  | 'linear'
  /** By the engine for texts that are short enough, by a machine that never goes back for others. */
  | 'guarded'
  /** Not at all: it is not proved to end in time, and the machine can't run it. */
  | 'unsafe';

/** Tests a text; the work is counted by the meter. */
type Test = (text: string, meter: Meter) => boolean;

/** Binary logarithm of the factor up to which an expression counts as linear. */
const LINEAR_BITS = 10;
/** Steps that the engine may take on one text of a guarded expression. */
const ENGINE_STEPS = 2 ** 16;
/** Steps of the engine that count as one unit of the meter. */
const STEPS_PER_UNIT = 256;

/** Reads an expression that `new RegExp` takes. @see docs/adr/0020-patterns-never-run-away.md */
export function examine(expression: RegExp): { guard: Guard; test: Test } {
  const { source, unicode } = expression;
  const tree = parseRegex(source, unicode);
  const bound = tree === undefined ? undefined : boundOf(withoutRest(tree));
  if (bound !== undefined && isLinear(bound)) return { guard: 'linear', test: byEngine(expression, bound) };
  const program = tree === undefined ? undefined : programOf(tree);
  if (program === undefined) return { guard: 'unsafe', test: () => true };
  return { guard: 'guarded', test: byLength(expression, program, bound) };
}

/** Without the repetitions of one character at the end, which can't make a match fail: `v1.*` is `v1`. */
function withoutRest(tree: RegexNode): RegexNode {
  const items = tree.kind === 'sequence' ? tree.items : [tree];
  const last = items.at(-1);
  if (last?.kind !== 'repeat' || last.item.kind !== 'set') return tree;
  return {
    kind: 'sequence',
    items: [...items.slice(0, -1), { ...last, max: Math.max(1, last.min), min: last.min }],
  };
}

function boundOf(tree: RegexNode): Ambiguity | undefined {
  const exact = boundBy(tree, 'exactly');
  return exact !== undefined && isLinear(exact) ? exact : boundBy(tree, 'loosely');
}

function boundBy(tree: RegexNode, counting: Counting): Ambiguity | undefined {
  const automaton = automatonOf(tree, counting);
  return automaton === undefined ? undefined : ambiguityOf(automaton);
}

function isLinear({ degree, bits }: Ambiguity): boolean {
  return degree === 0 && bits <= LINEAR_BITS;
}

function byEngine(expression: RegExp, bound: Ambiguity): Test {
  return (text, meter) => {
    meter.spend(Math.ceil(stepsFor(text, bound) / STEPS_PER_UNIT));
    return expression.test(text);
  };
}

function byLength(expression: RegExp, program: Program, bound: Ambiguity | undefined): Test {
  const { unicode } = expression;
  const engine = bound === undefined ? undefined : { bound, test: byEngine(expression, bound) };
  return (text, meter) =>
    engine !== undefined && stepsFor(text, engine.bound) <= ENGINE_STEPS
      ? engine.test(text, meter)
      : runProgram(program, text, unicode, meter);
}

/** Each way is counted once for every character it has come to. */
function stepsFor({ length }: string, { degree, bits }: Ambiguity): number {
  return (length + 1) ** (degree + 1) * 2 ** bits;
}
