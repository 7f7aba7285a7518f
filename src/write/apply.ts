/** Carries out a plan in an existing project, as a transaction. */
import { dirname, join } from 'node:path';
import { cleanUp } from './clean-up.ts';
import { commit, stage } from './commit.ts';
import type { FileSystem } from './file-system.ts';
import { readLock } from './read-lock.ts';
import { reportRollback } from './recover.ts';
import { nameTarget } from './report-fault.ts';
import { RollbackError, type Staging } from './roll-back.ts';
import {
  isInUse,
  listStagingFolders,
  makeStagingFolder,
  releaseStagingFolder,
  stagingPath,
} from './staging-folder.ts';
import type { Comparison, Plan } from './write-target.ts';

/** Resolves to false without a change if another run uses the project; that is reported. */
export async function apply(plan: Plan, comparison: Comparison, signal?: AbortSignal): Promise<boolean> {
  if (plan.changes.length + plan.removals.length === 0) return true;
  const { root, fs, diagnostics } = comparison;
  const staging: Staging = { root, folder: stagingPath(root), fs };
  try {
    await makeStagingFolder(staging.folder, fs);
    const isAlone = await checkAlone(staging, comparison);
    if (isAlone) {
      await stage(plan, staging, signal);
      signal?.throwIfAborted();
      await commit(plan, staging);
    }
    await cleanUp(staging.folder, fs, diagnostics);
    if (isAlone) await removeEmptied(plan.removals, root, fs);
    return isAlone;
  } catch (error) {
    if (error instanceof RollbackError) reportRollback(error, staging.folder, diagnostics);
    else await cleanUp(staging.folder, fs, diagnostics);
    throw nameTarget(error, staging.folder, root);
  } finally {
    releaseStagingFolder(staging.folder);
  }
}

/**
 * Looks for other runs. Each run makes its own folder first, so that of two at the same time at least one sees the other. A run
 * that has ended meanwhile is noticed by the changed lock.
 */
async function checkAlone(
  { root, folder, fs }: Staging,
  { lock, rebuilds = false, diagnostics }: Comparison,
): Promise<boolean> {
  const others = await listStagingFolders(root, fs);
  const other = others.find((each) => each.path !== folder && isInUse(each));
  if (other !== undefined) {
    diagnostics.report('project-in-use', { dir: root, folder: other.path, process: other.owner });
    return false;
  }
  if (rebuilds) return true;
  const known = diagnostics.found.length;
  const now = await readLock(root, diagnostics, fs);
  if (diagnostics.found.length > known) return false;
  if (JSON.stringify(now) === JSON.stringify(lock)) return true;
  diagnostics.report('project-changed-meanwhile', { dir: root });
  return false;
}

/** Removes folders that contained only removed files. */
async function removeEmptied(removals: string[], root: string, fs: FileSystem): Promise<void> {
  for (const path of removals) {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      const removed = await fs.removeEmptyFolder(join(root, folder)).then(
        () => true,
        () => false,
      );
      if (!removed) break;
    }
  }
}
