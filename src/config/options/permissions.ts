/** Consent for a configuration, which may come from an untrusted repository. */
import { quoteShellWord } from '../../diagnostics/quoting.ts';

/** Options of a run that a configuration cannot set. */
export interface Permissions {
  /** Run no code of the repository: refuse configurations in code, and hooks. Default false. */
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
  const [program = '', ...rest] = command.split(/ (?=-- )/);
  return `\`${[`${program} ${option}`, ...rest].join(' ')}\``;
}

/** `A,B` is two names. */
export function parseNameList(list = ''): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
