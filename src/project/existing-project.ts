/** The existing project of a run, read once, and the options that its checks read. */
import { resolve } from 'node:path';
import type { Environment, FilledText } from '../config/load/interpolate.ts';
import type { RememberedOptions } from '../config/options/make-config.ts';
import type { RunSwitches } from '../config/options/option-types.ts';
import { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Lock } from '../emit/index.ts';
import type { Observer } from '../model/observer.ts';
import { readLockFile } from '../write/index.ts';
import type { Edits } from './edit-config.ts';

export interface ExistingProject {
  /** The folder as given. */
  dir: string;
  root: string;
  /** Absent if there is none, or an unusable one. */
  lock?: Lock;
  text?: string;
  /** Problems of the lock, for the step that depends on it. */
  problems: DiagnosticCollector;
}

/** `dir` is relative to `cwd`. */
export async function readProject(dir: string, cwd = '.'): Promise<ExistingProject> {
  const root = resolve(cwd, dir);
  const problems = new DiagnosticCollector();
  return { dir, root, problems, ...(await readLockFile(root, problems)) };
}

export interface FolderOptions {
  /** The configuration that the options come from. Absent: that of the folder, which gets what the options say otherwise. */
  owner?: Owner;
  /** Variables for a configuration in the project's folder. Default: none. */
  env?: Environment;
  /** The command line of the run, for messages. Absent: a program started the run. */
  command?: string;
  /** The variables of the environment in these options, by name. */
  variables?: Readonly<Record<string, string>>;
  /** Texts with variables, which file headers keep as they were written. */
  asWritten?: readonly FilledText[];
}

export interface Owner {
  /** The configuration, from `cwd`. */
  file: string;
  server?: string;
  /** The command that compiles the project again: `mcpgen generate api -o server`. */
  command: string;
  /** The file is written with the project, from the options. */
  isNew?: true;
  /** New texts of files, by absolute path, which are saved before the project is written. */
  edits?: Edits;
}

export interface ProjectRun extends RememberedOptions, RunSwitches, FolderOptions {
  dir?: string;
  observer?: Observer;
}
