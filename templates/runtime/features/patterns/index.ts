// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Patterns of schemas in linear time, also those that the compiler could not prove to be linear for the engine (ADR 20). */
import type { Feature } from '../../feature.ts';
import { compilePattern, type PatternTest } from '../../validate.ts';
import { compileMachine, runMachine } from './machine.ts';
import { parseRegex } from './parse-regex.ts';

/** Steps of the machine that count as one of the check. */
const STEPS_PER_UNIT = 8;

export function patterns(): Feature {
  return { name: 'patterns', parts: { patterns: { linear: makeTest } } };
}

/** Undefined leaves it to the engine: one that is too large for the machine has been proved, or the document lost it. */
function makeTest(source: string): PatternTest | undefined {
  const expression = compilePattern(source);
  const tree = expression && parseRegex(expression.source, expression.unicode);
  const machine = tree && compileMachine(tree);
  if (machine === undefined) return undefined;
  return (text, spend) =>
    runMachine(machine, text, expression?.unicode === true, (steps) =>
      spend(Math.ceil(steps / STEPS_PER_UNIT)),
    );
}
