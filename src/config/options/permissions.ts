/** Consent for a configuration, which may come from an untrusted repository. */
import { quoteShellWord } from '../../diagnostics/quoting.ts';
import { CONFIGURED, WRITING } from './option-row.ts';
import { flag, makeListCheck, text, makeTextCheck } from './shape.ts';
import { findVariableNameProblem } from './values.ts';

/** Options of a run that a configuration cannot set. */
export interface Permissions {
  /** Run no code of the repository: refuse configurations in code, hooks and helpers. Default false. */
  noCode?: boolean;
  /** Variables of the environment that URLs which mcpgen requests may contain. Default: none. */
  allowEnv?: readonly string[] | undefined;
  /**
   * Folders, relative to `cwd`, that `output` may be in, beside the root of the repository: the nearest folder upward with `.git`
   * or `package.json`.
   */
  allowOutput?: readonly string[] | undefined;
  /** The command line, shown in messages with the option that gives consent. Absent: messages name the option. */
  command?: string | undefined;
}

export function formatConsentOption(
  flag: string,
  values: readonly string[],
  command: string | undefined,
): string {
  const option = values.map((value) => `${flag} ${quoteShellWord(value)}`).join(' ');
  if (command === undefined) return `\`${option}\``;
  // Arguments behind `--` are for the server.
  const [own = '', ...rest] = command.split(/ (?=-- )/);
  return `\`${[`${own} ${option}`, ...rest].join(' ')}\``;
}

/** `A,B` is two names. */
export function parseNameList(list = ''): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

export const PERMISSION_OPTIONS = {
  noCode: {
    of: 'consent',
    type: 'boolean',
    check: flag,
    flag: '--no-code',
    commands: [...WRITING, ...CONFIGURED],
    variable: 'MCPGEN_NO_CODE',
    help: 'run no code of the repository (configuration, hooks, helpers, functions)',
  },
  allowEnv: {
    of: 'consent',
    type: 'string[]',
    check: makeListCheck(text, 'must be a list of strings'),
    argument: makeListCheck(makeTextCheck(findVariableNameProblem), 'must be a list of strings'),
    flag: '--allow-env <name>',
    commands: CONFIGURED,
    isSplit: true,
    variable: 'MCPGEN_ALLOW_ENV',
    help: 'variable that URLs of the configuration, or arguments of a served document, may send; A,B for two',
  },
  allowOutput: {
    of: 'consent',
    type: 'string[]',
    check: makeListCheck(text, 'must be a list of strings'),
    flag: '--allow-output <dir>',
    commands: CONFIGURED,
    help: 'let the configuration write to this folder outside the repository',
  },
} as const;
