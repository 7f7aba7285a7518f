/** Consent that a configuration needs, since a repository that somebody else wrote has one too. */
import { shellWord } from '../../diagnostics/code-span.ts';

/** Options of a run. A configuration cannot state them. */
export interface Permissions {
  /** No code of the repository is run: a configuration in code, hooks and helpers are refused. Default false. */
  noCode?: boolean;
  /** Variables of the environment that a URL which mcpgen itself requests may contain. Default: none. */
  allowEnv?: readonly string[] | undefined;
  /**
   * Folders that the configuration's `output` may be in, taken from `cwd`, beside the root of the repository: the nearest folder
   * upward with `.git` or `package.json`.
   */
  allowOutput?: readonly string[] | undefined;
  /** The command line that is run. Messages show it with the option that gives consent; without it they name the option. */
  command?: string | undefined;
}

/** How consent is given, for a hint: the whole command where that is known. */
export function consentBy(flag: string, values: readonly string[], command: string | undefined): string {
  const option = values.map((value) => `${flag} ${shellWord(value)}`).join(' ');
  if (command === undefined) return `\`${option}\``;
  // Behind `--` stands what a server takes.
  const [own = '', ...rest] = command.split(/ (?=-- )/);
  return `\`${[`${own} ${option}`, ...rest].join(' ')}\``;
}

/** `A,B` is two names. */
export function namesIn(list: string | undefined): string[] {
  return (list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
