import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Lock } from '../emit/index.ts';
import type { EditView } from './edit-view.ts';

/** Where a project goes, and how careful to be. */
export interface WriteTarget {
  /** The project's folder, absolute or relative to the working folder. Made when missing, with its parents. */
  dir: string;
  /** How messages name the folder. Default: `dir`. */
  label?: string;
  /** The command that writes it from a configuration, for messages. Absent: it is not known. */
  again?: string;
  /** The configuration that the run takes its settings from, where it stands outside of the folder, for messages. */
  outer?: string;
  /** Overwrite files that are not ours or were edited, keeping each as `<name>.orig`. Default false. */
  force?: boolean;
  /** Files that were edited are their editor's from now on, and the lock says so. Default false. */
  keep?: boolean;
  /** What is generated now is merged into files that were edited; a conflict stops the run. Default false. */
  merge?: boolean;
  /** The lock of the folder, where the caller has read it, with what is wrong with it. */
  existing?: { lock?: Lock; text?: string; problems: DiagnosticCollector };
  /** The lock that is there is not read, and nothing is removed. Default false. */
  rebuildLock?: boolean;
  /** Code of the user may have added files of any name in earlier runs. Default false: the lock lists those that mcpgen has names for. */
  hooked?: boolean;
  /** Paths whose files are kept as `<name>.orig` when they are overwritten, though mcpgen wrote them. Default: none. */
  saved?: readonly string[];
  /** What may stand in a folder that mcpgen has not written, by paths from it: what the project is made of. Default: nothing. */
  known?: readonly string[];
  /** Write nothing; the report says what would be done. Default false. */
  dryRun?: boolean;
  /** As `dryRun`, and `dist/` is not looked at, since it is only built from what is. Default false. */
  check?: boolean;
  /** Write `dist/.mcpgen.json` too, by which a later run sees that nothing has to be built. Default false. */
  stamp?: boolean;
  /** Names of the tools that handlers can replace. Default: those in handlers are not judged. */
  tools?: readonly string[];
  /** Stops the run while nothing has been changed; once files change, the run is finished. */
  signal?: AbortSignal;
}

/** What was done (or would be): paths relative to the project, in the order files were given. */
export interface WriteReport {
  /** New or changed. */
  written: string[];
  /** Already as they should be. */
  unchanged: string[];
  /** Of an earlier run, and no longer generated. */
  removed: string[];
  /** The user's, left alone: `once` files that exist, files taken over, and edited ones that are no longer generated. */
  kept: string[];
  /** Generated and edited by hand since, so not overwritten. */
  edited: string[];
  /** In the way and not written by mcpgen, so not overwritten. */
  foreign: string[];
  /** Edited, and what is generated now was merged into them. */
  merged: string[];
  /** Edited, and with `keep` their editor's from now on, with all that is generated now. */
  taken: string[];
  /** Copies of overwritten files of the user: `<name>.orig`. */
  saved: string[];
  /** Of files that were edited, so that nothing was written: what was, and what mcpgen would change. */
  views: EditView[];
  /** With `check`: what would change in each file, as a unified diff. */
  diffs: FileDiff[];
}

export interface FileDiff {
  path: string;
  diff: string;
}

/** Of a run that has done nothing. */
export const emptyReport: WriteReport = {
  written: [],
  unchanged: [],
  removed: [],
  kept: [],
  edited: [],
  foreign: [],
  merged: [],
  taken: [],
  saved: [],
  views: [],
  diffs: [],
};
