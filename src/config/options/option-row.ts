/** One row of the table of options, for flags, configurations, the programmatic API and the reference. */
import { type Check, flag } from './shape.ts';

export type CommandName =
  | 'openapi'
  | 'ts'
  | 'generate'
  | 'check'
  | 'diff'
  | 'inspect'
  | 'lint'
  | 'serve'
  | 'preview'
  | 'init'
  | 'publish init'
  | 'publish check'
  | 'overlay init'
  | 'skills init'
  | 'templates list'
  | 'templates eject'
  | 'explain'
  | 'install'
  | 'uninstall'
  | 'doctor';

/**
 * The part of a run that an option belongs to. Those up to `project` are members of a configuration:
 * - `input`: the sources, `document`: one document, `source`: one entry of `sources`, `server`: the compiled server,
 *   `project`: the files of its project;
 * - `run`: one run of `generate`, `consent`: permissions of a run, `report`: its output, `command`: one command alone.
 */
export type OptionGroup =
  'input' | 'document' | 'source' | 'server' | 'project' | 'run' | 'consent' | 'report' | 'command';

export interface OptionRow {
  of: OptionGroup;
  type: string;
  flagType?: string;
  check: Check;
  /** Checks one argument of the flag. Default: `check`, for a list of this argument. */
  argument?: Check;
  /** In commander's notation: `--base-url <url>`. Absent: there is no flag. */
  flag?: string;
  commands?: readonly CommandName[];
  /** An argument `A,B` is two items. */
  isSplit?: true;
  conflicts?: readonly string[];
  /** Heading in help. Default: that of the group. */
  heading?: string;
  variable?: string;
  /** One line for help and editors, without full stop. */
  help: string;
  default?: string;
  /** Text of the reference, in Markdown. Default: `help`. */
  docs?: string;
  /** Whether the value has paths, places (paths or URLs), or the path of a module. */
  paths?: 'path' | 'place' | 'module';
}

export const DOCUMENTS: readonly CommandName[] = [
  'openapi',
  'inspect',
  'lint',
  'diff',
  'serve',
  'overlay init',
  'skills init',
];
export const COMPILING: readonly CommandName[] = [...DOCUMENTS, 'ts'];
/** Commands that compile a server, or write its first configuration. */
export const BEGINNING: readonly CommandName[] = [...COMPILING, 'init'];
export const WRITING: readonly CommandName[] = ['openapi', 'ts'];
export const EDITING: readonly CommandName[] = [...WRITING, 'generate', 'publish init'];
export const CONFIGURED: readonly CommandName[] = [
  ...(['generate', 'check', 'inspect', 'lint', 'diff', 'serve', 'preview', 'publish check'] as const),
  ...(['overlay init', 'skills init', 'install', 'uninstall', 'doctor'] as const),
];
export const PRINTING: readonly CommandName[] = [
  ...COMPILING.filter((command) => command !== 'serve'),
  ...([
    'generate',
    'check',
    'init',
    'publish init',
    'publish check',
    'templates list',
    'templates eject',
    'explain',
    'install',
    'uninstall',
    'doctor',
  ] as const),
];

/** Commands that print diagnostics; some of them print nothing else. */
export const REPORTING: readonly CommandName[] = [...PRINTING, 'serve', 'preview'];

export const makeRunSwitch = (name: string, commands: readonly CommandName[], help: string) =>
  ({ of: 'run', type: 'boolean', check: flag, flag: name, commands, help }) as const;

export const makeReportSwitch = (name: string, commands: readonly CommandName[], help: string) =>
  ({ of: 'report', type: 'boolean', check: flag, flag: name, commands, help }) as const;

/** An option of few commands that the programmatic API does not have. */
export const makeCommandOption = <T>(
  heading: string,
  name: string,
  commands: readonly CommandName[],
  value: T,
) => ({ of: 'command', ...value, flag: name, commands, heading }) as const;
