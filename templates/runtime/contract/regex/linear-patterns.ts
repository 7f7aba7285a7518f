// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Runs any regular expression in linear time: by the engine if an analysis proves that it never takes long, else by a machine that
 * never goes back (docs/adr/0020-patterns-never-run-away.md). Loading the module makes `readPattern` use it.
 */
import { compilePattern, type PatternTest, STEPS_PER_UNIT, usePatternReader } from '../patterns.ts';
import { type Ambiguity, ambiguityOf, automatonOf, type Counting } from './analysis.ts';
import { parseRegex, type RegexNode } from './parse-regex.ts';
import { type Program, programOf, runProgram } from './program.ts';

/** How an expression is run. */
export type Guard =
  /** By the engine, whatever the text: its work grows with the text's length alone. */
  | 'linear'
  /** By the engine for texts that are short enough, by a machine that never goes back for others. */
  | 'guarded'
  /** Not at all: it is not proved to end in time, and the machine can't run it. */
  | 'unsafe';

export { readPattern } from '../patterns.ts';

usePatternReader((expression) => examine(expression).test);

/** How a pattern is run; one that is no regular expression accepts everything, which is safe. */
export function guardOf(source: string): Guard {
  const expression = compilePattern(source);
  return expression === undefined ? 'linear' : examine(expression).guard;
}

/** Binary logarithm of the factor up to which an expression counts as linear. */
const LINEAR_BITS = 10;
/** Steps that the engine may take on one text of a guarded expression. */
const ENGINE_STEPS = 2 ** 16;

/** Reads an expression that `new RegExp` takes. @see docs/adr/0020-patterns-never-run-away.md */
export function examine(expression: RegExp): { guard: Guard; test: PatternTest } {
  const { source, unicode } = expression;
  const tree = parseRegex(source, unicode);
  const bound = tree === undefined ? undefined : findBound(withoutRest(tree));
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

function findBound(tree: RegexNode): Ambiguity | undefined {
  const exact = measureBy(tree, 'exactly');
  return exact !== undefined && isLinear(exact) ? exact : measureBy(tree, 'loosely');
}

function measureBy(tree: RegexNode, counting: Counting): Ambiguity | undefined {
  const automaton = automatonOf(tree, counting);
  return automaton === undefined ? undefined : ambiguityOf(automaton);
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

/** Each way is counted once for every character it has come to. */
function stepsFor({ length }: string, { degree, bits }: Ambiguity): number {
  return (length + 1) ** (degree + 1) * 2 ** bits;
}
