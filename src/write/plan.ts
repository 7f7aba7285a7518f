/** Compares a project in memory with the one on disk, and plans the changes. */
import { type GeneratedFile, lockPath, packagePath, withOwned } from '../emit/index.ts';
import { change } from './change.ts';
import { settleEdited } from './edited-files.ts';
import { reportFaults } from './faulty-files.ts';
import type { Obstacle } from './find-obstacle.ts';
import { judge, type Verdict } from './judge-file.ts';
import { listNames } from './list-names.ts';
import { mergeJudge } from './merged-files.ts';
import { planPackage } from './plan-package.ts';
import type { Comparison, EditView, Plan, WriteTarget } from './write-target.ts';

/** Plans the changes that make the disk hold `files`. The lock comes last, since it depends on the other files. */
export async function planChanges(files: GeneratedFile[], comparison: Comparison): Promise<Plan> {
  const plan = emptyPlan();
  const obstacles = new Map<string, Obstacle>();
  const findMaking = mergeJudge(comparison.root);
  const isForced = comparison.edits === 'force';
  for (const each of files) {
    const file = each.path === lockPath ? withOwned(each, plan.owned) : each;
    const { verdict, isMerged } = await judge(file, comparison, obstacles, findMaking);
    if (isMerged) plan.remade.push(file.path);
    if (verdict === 'same') plan.unchanged.push(file.path);
    else if (verdict === 'users') plan.kept.push(file.path);
    else if (verdict === 'obstructed') plan.obstructed = true;
    else if (verdict === 'edited' || verdict === 'owned' || (verdict === 'foreign' && comparison.rebuilds))
      await settle(file, verdict === 'owned', comparison, plan);
    else if (verdict === 'foreign' && !isForced) plan.foreign.push(file.path);
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

function isSaved({ path }: GeneratedFile, verdict: Verdict, { saved = [] }: Comparison): boolean {
  return verdict === 'foreign' || (verdict === 'ours' && saved.includes(path));
}

/** Plans an edited file. `force` does not overwrite a file that the lock lists as owned. */
async function settle(
  file: GeneratedFile,
  isOwned: boolean,
  comparison: Comparison,
  plan: Plan,
): Promise<void> {
  if (file.path === packagePath) await planPackage(file, comparison, plan);
  else if (comparison.edits === 'force' && !isOwned) plan.changes.push(await change(file, comparison, true));
  else if (!(await reportFaults(file, isOwned, comparison))) await settleEdited(file, comparison, plan);
}

/** Reports the files that the plan does not overwrite. */
export function reportRefusals(
  { edited, foreign }: Plan,
  views: readonly EditView[],
  { root, lock, edits, diagnostics }: Comparison,
  { dir, label = dir, outer = '' }: Pick<WriteTarget, 'dir' | 'label' | 'outer'>,
): void {
  // A failed merge has been reported already.
  if (edited.length > 0 && edits !== 'merge') {
    const baseless = views.filter(({ base }) => base === 'unknown').map(({ path }) => path);
    diagnostics.report('file-edited', {
      dir: root,
      label,
      outer,
      files: listNames(edited),
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
