/** The table of rules: what `lint` checks in each server. A new rule is a row here, its diagnostic and its rows in the test. */
import { argumentRules } from './argument-rules.ts';
import { clientRules } from './client-rules.ts';
import type { LintedServer } from './linted-server.ts';
import { methodRules } from './method-rules.ts';
import type { Finding, Rule } from './rule.ts';
import { siblingRules } from './sibling-rules.ts';
import type { Steps } from '../util/pauses.ts';
import { wordRules } from './word-rules.ts';

export const RULES: readonly Rule[] = [
  ...wordRules,
  ...argumentRules,
  ...siblingRules,
  ...methodRules,
  ...clientRules,
];

/** Checks the rules, in the order of the table, and of the tools. */
export function* checkRulesWithPauses(server: LintedServer): Steps<Finding[]> {
  const findings: Finding[][] = [];
  for (const { check } of RULES) {
    yield;
    const found = check(server);
    findings.push(Array.isArray(found) ? found : yield* found);
  }
  return findings.flat();
}

/** Points that a compiler diagnostic takes from a tool's score. */
export const COMPILED_COSTS: Readonly<Record<string, number>> = {
  'instruction-like-text': 20,
  'hidden-text': 10,
  'hidden-text-in-value': 5,
};
