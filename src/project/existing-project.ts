/** The existing project of a run, read once, and the options that its checks read. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Environment, FilledText } from '../config/load/interpolate.ts';
import type { RememberedOptions } from '../config/options/make-config.ts';
import type { RunSwitches } from '../config/options/option-types.ts';
import { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Lock } from '../emit/index.ts';
import type { Observer } from '../model/observer.ts';
import { readLockFile } from '../write/index.ts';

export interface ExistingProject {
  /** The folder as given. */
  dir: string;
  /** Its absolute path. */
  root: string;
  /** Absent if there is none, or an unusable one. */
  lock?: Lock;
  /** The text of the lock. */
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

/** `undefined` if the file cannot be read. */
export function readFileIfAny(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Options about the project's configuration. */
export interface FolderOptions {
  /** The text of the project's `mcpgen.config.json`, if the options come from it; the file stays unchanged. */
  configText?: string;
  /** The file name of the project's configuration, if it is not JSON: none is added. */
  configFile?: string;
  /** The configuration of the options, if it is outside of the project. */
  outer?: OuterConfig;
  /** Variables for a configuration in the project's folder. Default: none. */
  env?: Environment;
  /** The command line of the run, for messages. Absent: a program started the run. */
  command?: string;
  /** The variables of the environment in these options, by name. */
  variables?: Readonly<Record<string, string>>;
  /** Texts with variables, which the project's own configuration keeps as they were written. */
  asWritten?: readonly FilledText[];
}

export interface OuterConfig {
  /** Its path, relative to `cwd`. */
  file: string;
  /** The command that compiles the project again: `mcpgen generate api -o server`. */
  command: string;
}

/** The options of a run that the checks of its project read. */
export interface ProjectRun extends RememberedOptions, RunSwitches, FolderOptions {
  /** Target folder, if given. */
  dir?: string;
  observer?: Observer;
}
