/** Proves that the engine of JavaScript runs a regular expression in linear time, or says what can run it instead. */
import { compileMachine } from '../../../templates/runtime/features/patterns/machine.ts';
import { parseRegex, type RegexNode } from '../../../templates/runtime/features/patterns/parse-regex.ts';
import { compilePattern } from '../../../templates/runtime/validate.ts';
import {
  ANALYSIS_STEPS,
  type AnalysisBudget,
  buildAutomaton,
  type Counting,
  hasFewReadings,
} from './analysis.ts';

export type Guard =
  /** The engine runs it: its work grows only linearly with the length of a text. */
  | 'linear'
  /** A machine that never backtracks runs it (the feature `patterns`). */
  | 'guarded'
  /** The same, since the budget was spent before the analysis ended. */
  | 'unanalysed'
  /** Never run: the expression is not proved to end in time, and the machine can't run it. */
  | 'unsafe';

/** A pattern that is no regular expression accepts everything, which is safe. */
export function classifyPattern(source: string, budget: AnalysisBudget = { steps: ANALYSIS_STEPS }): Guard {
  const expression = compilePattern(source);
  if (expression === undefined) return 'linear';
  const tree = parseRegex(expression.source, expression.unicode);
  if (tree === undefined) return 'unsafe';
  const judgedTree = dropEndRepetitions(tree);
  const isLinear = (counting: Counting): boolean => {
    const automaton = budget.steps > 0 ? buildAutomaton(judgedTree, counting) : undefined;
    return automaton !== undefined && hasFewReadings(automaton, budget);
  };
  if (isLinear('exactly') || isLinear('loosely')) return 'linear';
  if (compileMachine(tree) === undefined) return 'unsafe';
  return budget.steps <= 0 ? 'unanalysed' : 'guarded';
}

/** Repetitions of one character at the end can't make a match fail: `v1.*` becomes `v1`. */
function dropEndRepetitions(tree: RegexNode): RegexNode {
  const items = tree.kind === 'sequence' ? tree.items : [tree];
  const last = items.at(-1);
  if (last?.kind !== 'repeat' || last.item.kind !== 'set') return tree;
  return { kind: 'sequence', items: [...items.slice(0, -1), { ...last, max: Math.max(1, last.min) }] };
}
