/** Rows of `lint`, of budgets and of clients. */
import { CLIENT_NAMES } from '../../model/client-profiles.ts';
import { COMPILING, makeCommandOption, type OptionRow } from './option-row.ts';
import {
  flag,
  makeListCheck,
  makePredicateCheck,
  makeObjectCheck,
  makeChoiceCheck,
  makeTextCheck,
} from './shape.ts';

const LINT_FORMATS = ['text', 'github'] as const;
export type LintFormat = (typeof LINT_FORMATS)[number];

/** Limits of what a server lists: its tools, their tokens, and those of each tool. */
export interface Budget {
  tools?: number;
  /** Most tokens that the whole answer to `tools/list` may have. */
  listTokens?: number;
  /** Most tokens that any one tool may have in `tools/list`. */
  toolTokens?: number;
}

export const wholeNumber = makePredicateCheck(
  (value) => Number.isSafeInteger(value) && Number(value) > 0,
  'must be a whole number above 0',
);

const budget = makeObjectCheck(
  { tools: wholeNumber, listTokens: wholeNumber, toolTokens: wholeNumber },
  'must be an object of tools, listTokens and toolTokens',
);

/** Checks only the form; the command checks that the diagnostic exists. */
function findFailOnProblem(what: string): string | undefined {
  return /^(?:error|warning|info|MCPG\d{3}|[a-z0-9]+(?:-[a-z0-9]+)+)$/i.test(what)
    ? undefined
    : 'it must be error, warning, info, or the code or name of a diagnostic';
}

export const LIMIT_OPTIONS = {
  budget: {
    of: 'server',
    type: 'Budget',
    check: budget,
    help: 'the most that the server may list: tools, listTokens and toolTokens',
    default: 'none',
    docs: '`{ tools, listTokens, toolTokens }`: the most tools, tokens of the list and tokens of one tool; more is an error: [Budgets](../lint.md#budgets)',
    example: { listTokens: 25_000, toolTokens: 1000 },
  },
  for: {
    of: 'server',
    type: 'ClientName[]',
    check: makeListCheck(makeChoiceCheck(...CLIENT_NAMES), 'must be a list of clients'),
    flag: '--for <client>',
    commands: COMPILING,
    isSplit: true,
    help: `shorten names for these clients, and report what else they refuse: ${CLIENT_NAMES.join(', ')}`,
    default: 'none',
    docs: 'clients that names are shortened for; what else they refuse is a warning: [Clients](../lint.md#clients)',
    example: ['claude-code', 'gemini'],
  },
} as const satisfies Record<string, OptionRow>;

export const LINT_OPTIONS = {
  client: {
    ...makeCommandOption('Rules:', '--client <name>', ['lint'], {
      type: 'ClientName[]',
      check: makeListCheck(makeChoiceCheck(...CLIENT_NAMES), 'must be a list of clients'),
    }),
    isSplit: true,
    help: `check the rules of these clients: ${CLIENT_NAMES.join(', ')}`,
  },
  lintFormat: {
    ...makeCommandOption('Output:', '--format <format>', ['lint'], {
      type: 'LintFormat',
      check: makeChoiceCheck(...LINT_FORMATS),
    }),
    conflicts: ['json'],
    help: `form of the report: ${LINT_FORMATS.join(', ')}`,
    default: 'text',
  },
  lintFailOn: {
    ...makeCommandOption('Rules:', '--fail-on <what>', ['lint'], {
      type: 'string[]',
      check: makeListCheck(makeTextCheck(findFailOnProblem), 'must be a list of strings'),
    }),
    isSplit: true,
    help: 'exit 1 for findings of this severity or worse (error, warning, info), code or name',
    default: 'error',
  },
  fix: {
    ...makeCommandOption('Output:', '--fix', ['lint'], { type: 'boolean', check: flag }),
    help: 'write mcpgen.overlay.yaml with what can be fixed by words of the source alone',
  },
} as const satisfies Record<string, OptionRow>;
