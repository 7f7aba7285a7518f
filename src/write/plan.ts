/** Compares a project in memory with the one on disk: what has to change, and what stands against it. */
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import {
  type GeneratedFile,
  type Lock,
  lockPath,
  packagePath,
  type TakenOver,
  withOwned,
} from '../emit/index.ts';
import { type Change, change } from './change.ts';
import { settleEdited } from './edited-files.ts';
import type { EditView } from './edit-view.ts';
import { reportFaults } from './faulty-files.ts';
import type { FileSystem } from './file-system.ts';
import type { Obstacle } from './find-obstacle.ts';
import { judge, type Verdict } from './judge-file.ts';
import { listNames } from './list-names.ts';
import { mergeJudge } from './merged-files.ts';
import { planPackage } from './plan-package.ts';
import type { WriteTarget } from './write-target.ts';

export interface Plan {
  changes: Change[];
  removals: string[];
  unchanged: string[];
  kept: string[];
  /** Generated files that were edited by hand, and are not overwritten. */
  edited: string[];
  /** Files in the way that mcpgen did not write, and does not overwrite. */
  foreign: string[];
  /** Edited files into which what is generated now was merged. */
  merged: string[];
  /** Edited, and their editor's from now on, as they are. */
  taken: string[];
  /** Version control has merged what two branches had generated, so they are written anew. */
  remade: string[];
  /** What the lock will say of files that a person has taken over. */
  owned: Record<string, TakenOver>;
  /** Something else stands in the way; it has been reported. */
  obstructed: boolean;
}

/**
 * What becomes of generated files that a person has edited: nothing is written (`refuse`); each is kept as `.orig` and
 * overwritten, but for what is owned already (`force`); it is the person's from now on (`keep`); what is generated is merged
 * into it (`merge`).
 */
export type EditPolicy = 'refuse' | 'force' | 'keep' | 'merge';

/** What the plan is made from. */
export interface Comparison {
  /** Real path of the project's folder. */
  root: string;
  /** Absent when mcpgen did not write the folder, or its lock was lost. */
  lock: Lock | undefined;
  /** The lock as it is written, where it has been read. */
  lockText?: string | undefined;
  /** The folder is a project, though its lock may be lost: what stands in `dist/` was built. */
  isProject: boolean;
  /** The lock of a project is made anew: its files are the project's. */
  rebuilds?: boolean;
  /** What a lock that is made anew says of generated files, by path. It tells edited ones, and nothing else. */
  told?: Readonly<Record<string, string>>;
  edits: EditPolicy;
  /** Files that only a formatter has changed are as they should be. Default: they are written anew. */
  check?: boolean;
  /** What mcpgen wrote there is kept as `.orig` too. */
  saved?: readonly string[];
  /** How messages name the folder. Default: `root`. */
  label?: string;
  fs: FileSystem;
  diagnostics: DiagnosticCollector;
}

/** What has to change so that the disk holds `files`; the lock, which depends on what becomes of the others, is the last. */
export async function planChanges(files: GeneratedFile[], comparison: Comparison): Promise<Plan> {
  const plan = emptyPlan();
  const obstacles = new Map<string, Obstacle>();
  const makingOf = mergeJudge(comparison.root);
  for (const each of files) {
    const file = each.path === lockPath ? withOwned(each, plan.owned) : each;
    const { verdict, isMerged } = await judge(file, comparison, obstacles, makingOf);
    if (isMerged) plan.remade.push(file.path);
    if (verdict === 'same') plan.unchanged.push(file.path);
    else if (verdict === 'users') plan.kept.push(file.path);
    else if (verdict === 'obstructed') plan.obstructed = true;
    else if (verdict === 'edited' || verdict === 'owned')
      await settle(file, verdict === 'owned', comparison, plan);
    else if (verdict === 'foreign' && comparison.rebuilds === true)
      await settle(file, false, comparison, plan);
    else if (verdict === 'foreign' && !isForced(comparison)) plan.foreign.push(file.path);
    else if (verdict === 'foreign' && file.path === packagePath) await planPackage(file, comparison, plan);
    else plan.changes.push(await change(file, comparison, isSaved(file, verdict, comparison)));
  }
  for (const { kind, path } of obstacles.values()) comparison.diagnostics.report(kind, { path });
  return plan;
}

function emptyPlan(): Plan {
  return {
    changes: [],
    removals: [],
    unchanged: [],
    kept: [],
    edited: [],
    foreign: [],
    merged: [],
    taken: [],
    remade: [],
    owned: {},
    obstructed: false,
  };
}

function isForced({ edits }: Comparison): boolean {
  return edits === 'force';
}

function isSaved({ path }: GeneratedFile, verdict: Verdict, { saved = [] }: Comparison): boolean {
  return verdict === 'foreign' || (verdict === 'ours' && saved.includes(path));
}

/** A file that a person has edited; `force` overwrites none that the lock says is owned. */
async function settle(
  file: GeneratedFile,
  isOwned: boolean,
  comparison: Comparison,
  plan: Plan,
): Promise<void> {
  if (file.path === packagePath) await planPackage(file, comparison, plan);
  else if (isForced(comparison) && !isOwned) plan.changes.push(await change(file, comparison, true));
  else if (!(await reportFaults(file, isOwned, comparison))) await settleEdited(file, comparison, plan);
}

/** Says what the plan will not overwrite. `views` are of the files that were edited. */
export function reportRefusals(
  { edited, foreign }: Plan,
  views: readonly EditView[],
  { root, lock, edits, diagnostics }: Comparison,
  { dir, label = dir, outer = '' }: Pick<WriteTarget, 'dir' | 'label' | 'outer'>,
): void {
  // Of what could not be merged the reason was told.
  if (edited.length > 0 && edits !== 'merge') {
    const baseless = views.filter(({ base }) => base === 'unknown').map(({ path }) => path);
    const files = listNames(edited);
    diagnostics.report('file-edited', {
      dir: root,
      label,
      outer,
      files,
      baseless: listNames(baseless),
      mergeable: baseless.length < edited.length ? 'some' : 'none',
    });
  }
  if (foreign.length > 0)
    diagnostics.report('file-not-ours', {
      dir: root,
      files: listNames(foreign),
      lock: lock === undefined ? 'none' : 'there',
    });
}
