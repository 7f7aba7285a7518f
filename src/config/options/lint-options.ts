/** Values of the options of `lint`, and of budgets. */
import { must, objectOf } from './shape.ts';

export const LINT_FORMATS = ['text', 'sarif', 'github', 'markdown'] as const;
export type LintFormat = (typeof LINT_FORMATS)[number];

/** The most that a server may list. */
export interface Budget {
  tools?: number;
  /** Tokens of `tools/list`. */
  listTokens?: number;
  /** Tokens of any one tool. */
  toolTokens?: number;
}

export const wholeNumber = must(
  (value) => Number.isSafeInteger(value) && Number(value) > 0,
  'must be a whole number above 0',
);

export const budget = objectOf(
  { tools: wholeNumber, listTokens: wholeNumber, toolTokens: wholeNumber },
  'must be an object of tools, listTokens and toolTokens',
);

export const points = must(
  (value) => typeof value === 'number' && value >= 0 && value <= 100,
  'must be a whole number from 0 to 100',
);

/** The command looks for the diagnostic itself. */
export function failOnProblem(what: string): string | undefined {
  return /^(?:error|warning|info|MCPG\d{3}|[a-z0-9]+(?:-[a-z0-9]+)+)$/i.test(what)
    ? undefined
    : 'it must be error, warning, info, or the code or name of a diagnostic';
}
