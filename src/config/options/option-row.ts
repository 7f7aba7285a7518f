/** One row of the table of options: everything that flags, configurations, programs and the reference know of an option. */
import { type Check, flag } from './shape.ts';

/** A command as people write it. */
export type CommandName =
  | 'openapi'
  | 'ts'
  | 'generate'
  | 'check'
  | 'diff'
  | 'inspect'
  | 'serve'
  | 'init'
  | 'publish init'
  | 'overlay init'
  | 'templates list'
  | 'templates eject'
  | 'explain';

/**
 * The part of a run that an option belongs to. A configuration has members for all up to `project`:
 * - `input`: the sources, `document`: one document, `source`: one entry of `sources`, `server`: the compiled server,
 *   `project`: the files of its project;
 * - `run`: one run of `generate`, `consent`: permissions of a run, `report`: its output, `command`: one command alone.
 */
export type OptionGroup =
  'input' | 'document' | 'source' | 'server' | 'project' | 'run' | 'consent' | 'report' | 'command';

export interface OptionRow {
  of: OptionGroup;
  /** The value in TypeScript. */
  type: string;
  /** The value that the flag gives, where it is another. */
  flagType?: string;
  check: Check;
  /** Checks one argument of the flag. Default: `check`, of a list with this item alone. */
  argument?: Check;
  /** As commander writes it: `--base-url <url>`. Absent: the command line has none. */
  flag?: string;
  /** The commands that take the flag. */
  commands?: readonly CommandName[];
  /** An argument `A,B` is two items. */
  isSplit?: true;
  /** Options of the flag that exclude this one, by their names here. */
  conflicts?: readonly string[];
  /** Heading of the flag in help. Default: that of the group. */
  heading?: string;
  /** Environment variable with the same effect. */
  variable?: string;
  /** One line for help, editors and configurations, without full stop. */
  help: string;
  default?: string;
  /** The reference, in Markdown. Default: `help`. */
  docs?: string;
  /** A value to change, for the comments of a new configuration. */
  example?: unknown;
  /** The value has paths of files, places (paths or URLs), or the path of a module. */
  paths?: 'path' | 'place' | 'module';
}

/** Commands that take the same options. */
export const DOCUMENTS: readonly CommandName[] = ['openapi', 'inspect', 'diff', 'serve', 'overlay init'];
export const COMPILING: readonly CommandName[] = [...DOCUMENTS, 'ts'];
export const WRITING: readonly CommandName[] = ['openapi', 'ts'];
export const EDITING: readonly CommandName[] = [...WRITING, 'generate', 'publish init'];
export const CONFIGURED: readonly CommandName[] = [
  'generate',
  'check',
  'inspect',
  'diff',
  'serve',
  'overlay init',
];
export const PRINTING: readonly CommandName[] = [
  ...COMPILING.filter((command) => command !== 'serve'),
  ...(['generate', 'check', 'init', 'publish init', 'templates list', 'templates eject', 'explain'] as const),
];

/** A switch of one run. */
export const runSwitch = (name: string, commands: readonly CommandName[], help: string) =>
  ({ of: 'run', type: 'boolean', check: flag, flag: name, commands, help }) as const;

export const reportSwitch = (name: string, commands: readonly CommandName[], help: string) =>
  ({ of: 'report', type: 'boolean', check: flag, flag: name, commands, help }) as const;

/** An option of few commands, which programs do not have. */
export const forCommand = <T>(heading: string, name: string, commands: readonly CommandName[], value: T) =>
  ({ of: 'command', ...value, flag: name, commands, heading }) as const;
