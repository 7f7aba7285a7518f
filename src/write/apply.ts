/** Carries out a plan in an existing project, as a transaction. */
import { basename, dirname, join } from 'node:path';

import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { type GeneratedFile, lockPath } from '../emit/index.ts';
import { commitStagedChanges, makeFolders, stageChanges, writeStaged } from './commit.ts';
import { yieldToSignals } from '../util/pauses.ts';
import { type FileSystem, rewriteStagingPath } from './file-system.ts';
import { listParentFolders } from './find-obstacle.ts';
import { RollbackError, type Staging } from './journal.ts';
import { readLock } from './read-lock.ts';
import { removeLeftovers, reportFailedRollback } from './recover.ts';
import {
  isInUse,
  listStagingFolders,
  makeStagingFolder,
  releaseStagingFolder,
  makeStagingPath,
} from './staging-folder.ts';
import type { PlanContext, Plan, WriteTarget } from './write-target.ts';

/** Resolves to false without a change if another run uses the project; that is reported. */
export async function applyPlan(plan: Plan, context: PlanContext, signal?: AbortSignal): Promise<boolean> {
  if (plan.changes.length + plan.removals.length === 0) return true;
  const { root, fs, diagnostics } = context;
  const staging: Staging = { root, folder: makeStagingPath(root), fs };
  try {
    await makeStagingFolder(staging.folder, fs);
    const isAlone = await checkOtherRuns(staging, context);
    if (isAlone) {
      await stageChanges(plan, staging, signal);
      signal?.throwIfAborted();
      await commitStagedChanges(plan, staging);
    }
    await removeFolder(staging.folder, fs, diagnostics);
    if (isAlone) await removeEmptiedFolders(plan.removals, root, fs);
    return isAlone;
  } catch (error) {
    if (error instanceof RollbackError) reportFailedRollback(error, staging.folder, diagnostics);
    else await removeFolder(staging.folder, fs, diagnostics);
    throw rewriteStagingPath(error, staging.folder, root);
  } finally {
    releaseStagingFolder(staging.folder);
  }
}

/**
 * Looks for other runs. Each run makes its own folder first, so that of two at the same time at least one sees the other. A run
 * that has ended meanwhile is noticed by the changed lock.
 */
async function checkOtherRuns(
  { root, folder, fs }: Staging,
  { lock, lockStamp, rebuilds = false, diagnostics }: PlanContext,
): Promise<boolean> {
  const others = await listStagingFolders(root, fs);
  const other = others.find((each) => each.path !== folder && isInUse(each));
  if (other !== undefined) {
    diagnostics.report('project-in-use', { dir: root, folder: other.path, process: other.owner });
    return false;
  }
  if (rebuilds || (await fs.follow(join(root, lockPath)))?.stamp === lockStamp) return true;
  // The lock may be untouched nevertheless: some network file systems give a file new stamps.
  const known = diagnostics.found.length;
  const now = await readLock(root, diagnostics, fs);
  if (diagnostics.found.length > known) return false;
  if (JSON.stringify(now) === JSON.stringify(lock)) return true;
  diagnostics.report('project-changed-meanwhile', { dir: root });
  return false;
}

async function removeEmptiedFolders(removals: string[], root: string, fs: FileSystem): Promise<void> {
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

/**
 * Writes a new project by one rename of its complete folder, which needs no journal. Resolves to false if another run made the
 * project meanwhile; that is reported, and its project stays.
 */
export async function writeNewProject(
  files: GeneratedFile[],
  { dir, signal }: WriteTarget,
  diagnostics: DiagnosticCollector,
  fs: FileSystem,
): Promise<boolean> {
  await removeLeftovers(dir, diagnostics, fs);
  const parents = await makeFolders(dirname(dir), fs);
  const parent = await fs.realPath(dirname(dir)).catch(() => dirname(dir));
  const staging = makeStagingPath(parent, basename(dir));
  try {
    await makeStagingFolder(staging, fs);
    for (const folder of listParentFolders(files.map(({ path }) => path)))
      await fs.makeFolder(join(staging, folder));
    for (const { path, contents, executable = false } of files) {
      await yieldToSignals(signal);
      await writeStaged({ path, contents, executable }, staging, fs);
    }
    signal?.throwIfAborted();
    if (await renameIntoPlace(staging, dir, fs)) return true;
    diagnostics.report('project-changed-meanwhile', { dir });
    await removeFolder(staging, fs, diagnostics);
    return false;
  } catch (error) {
    await removeFolder(staging, fs, diagnostics);
    for (const folder of parents.toReversed()) await fs.removeEmptyFolder(folder).catch(() => undefined);
    throw rewriteStagingPath(error, staging, dir);
  } finally {
    releaseStagingFolder(staging);
  }
}

/** Renames the staging folder; false if there is a project by now. */
async function renameIntoPlace(staging: string, dir: string, fs: FileSystem): Promise<boolean> {
  try {
    await fs.rename(staging, dir);
    return true;
  } catch (error) {
    if ((await fs.follow(join(dir, lockPath)))?.kind === 'file') return false;
    throw error;
  }
}

async function removeFolder(folder: string, fs: FileSystem, diagnostics: DiagnosticCollector): Promise<void> {
  try {
    if ((await fs.look(folder)) !== undefined) await fs.removeTree(folder);
  } catch {
    diagnostics.report('leftover-folder', { folder });
  }
}
