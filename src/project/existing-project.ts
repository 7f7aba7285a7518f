/** The project that a run finds in its folder, read once, and what the run says of it. */
import { resolve } from 'node:path';
import type { Environment, FilledText } from '../config/load/interpolate.ts';
import type { RememberedOptions } from '../config/options/make-config.ts';
import type { RunSwitches } from '../config/options/option-types.ts';
import { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Lock } from '../emit/index.ts';
import type { Observer } from '../model/observer.ts';
import { readLockFile } from '../write/index.ts';

export interface ExistingProject {
  /** The folder as it was given. */
  dir: string;
  /** Its absolute path. */
  root: string;
  /** Absent where there is none, or none that can be used. */
  lock?: Lock;
  /** The lock as it is written. */
  text?: string;
  /** Problems of the lock, for the step that depends on it. */
  problems: DiagnosticCollector;
}

/** `dir` is taken from `cwd`. */
export async function readProject(dir: string, cwd = '.'): Promise<ExistingProject> {
  const root = resolve(cwd, dir);
  const problems = new DiagnosticCollector();
  return { dir, root, problems, ...(await readLockFile(root, problems)) };
}

/** What the options of a run say of the project and its configuration. */
export interface FolderOptions {
  /** The project's `mcpgen.config.json` that these options were read from; the file stays as it is. */
  configText?: string;
  /** The project's configuration, by its name in `dir`, where a person has written one that is not JSON: none is added. */
  configFile?: string;
  /** The configuration that these options were read from, where it stands elsewhere than in the project. */
  outer?: OuterConfig;
  /** Variables that a configuration in the project's folder may name. Default: none. */
  env?: Environment;
  /** The command line that has started the run, for messages. Absent: a program has. */
  command?: string;
  /** The variables of the environment that these options were filled in with, by name. */
  variables?: Readonly<Record<string, string>>;
  /** Texts of the configuration with variables: the project's own configuration keeps them as they are written. */
  asWritten?: readonly FilledText[];
}

export interface OuterConfig {
  /** Its path, from `cwd`. */
  file: string;
  /** What compiles the project again: `mcpgen generate api -o server`. */
  command: string;
}

/** The options of a run that the checks of its project read. */
export interface ProjectRun extends RememberedOptions, RunSwitches, FolderOptions {
  /** Target folder, where the run names one. */
  dir?: string;
  observer?: Observer;
}
