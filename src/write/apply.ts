/**
 * Carries out a plan in a project. Every state in between is valid: a lock that accepts each file as it was and as it will be
 * comes first and the new lock last, and each file is replaced by one rename. The next run completes what a killed run has begun.
 */
import { dirname, join } from 'node:path';

import { lockPath, parseLock, printUnfinishedLock } from '../emit/index.ts';
import { yieldToSignals } from '../util/pauses.ts';
import { type FileSystem, PathInTheWay } from './file-system.ts';
import { listTemporaryFiles, makeTemporaryPath } from './temporary-files.ts';
import type { FileChange, PlanContext, Plan } from './write-target.ts';

/** Some files are new already: the next run completes the project. */
export class UnfinishedError extends Error {
  override readonly name = 'UnfinishedError';

  constructor(cause: unknown) {
    super('Only some files were replaced.', { cause });
  }
}

interface StagedFile {
  temporary: string;
  place: string;
}

/**
 * Resolves to false without a change if another run has written the project meanwhile; that is reported.
 *
 * @throws {UnfinishedError} after a failure from which on files change; before it, nothing changes
 */
export async function applyPlan(plan: Plan, context: PlanContext): Promise<boolean> {
  const { root, fs, signal } = context;
  const stagedFiles: StagedFile[] = [];
  const newFolders: string[] = [];
  let progress: 'staging' | 'renaming' | 'done' = 'staging';
  try {
    // All that needs room on the disk comes before the first change.
    const accepting = printAcceptingLock(plan, context);
    if (accepting !== undefined)
      await stageFile({ path: lockPath, contents: accepting, executable: false }, stagedFiles, context);
    for (const change of plan.changes) {
      await yieldToSignals(signal);
      newFolders.push(...(await makeFolders(dirname(join(root, change.path)), fs)));
      await stageFile(change, stagedFiles, context);
    }
    signal?.throwIfAborted();
    if (await hasLockChanged(context)) {
      context.diagnostics.report('project-changed-meanwhile', { dir: root });
      return false;
    }
    const [firstFile, ...otherFiles] = stagedFiles;
    if (firstFile !== undefined) await fs.rename(firstFile.temporary, firstFile.place);
    progress = 'renaming';
    // On some file systems a new name may be an old one in other letters, so removals come before new files.
    for (const path of plan.report.removed) await fs.removeFile(join(root, path));
    for (const { temporary, place } of otherFiles) await fs.rename(temporary, place);
    progress = 'done';
  } catch (error) {
    throw progress === 'staging' ? error : new UnfinishedError(error);
  } finally {
    if (progress !== 'done')
      for (const { temporary } of stagedFiles) await fs.removeFile(temporary).catch(() => undefined);
    if (progress === 'staging')
      for (const folder of newFolders.toReversed()) await fs.removeEmptyFolder(folder).catch(() => undefined);
  }
  await removeEmptiedFolders(plan.report.removed, root, fs);
  return true;
}

/** The lock that accepts the files before and after this run; `undefined` if the lock stays as it is. */
function printAcceptingLock({ changes }: Plan, { lock }: PlanContext): string | undefined {
  const after = parseLock(changes.find(({ path }) => path === lockPath)?.contents ?? '');
  if (after === undefined) return undefined;
  const generated = changes.filter(({ path, isGenerated }) => isGenerated === true && path !== lockPath);
  return printUnfinishedLock(lock, after, generated);
}

/** Writes the file beside its place, and with `saveAs` also a copy of the file that it replaces. */
async function stageFile(
  { path, contents, executable, replaces, saveAs }: FileChange,
  stagedFiles: StagedFile[],
  { root, fs }: PlanContext,
): Promise<void> {
  const addFile = (place: string): string => {
    const temporary = makeTemporaryPath(place);
    stagedFiles.push({ temporary, place });
    return temporary;
  };
  if (saveAs !== undefined) await fs.copyFile(join(root, path), addFile(join(root, saveAs)));
  const temporary = addFile(join(root, path));
  await fs.writeText(temporary, contents);
  if (replaces === undefined && !executable) return;
  const mode = (replaces ?? 0o644) | (executable ? 0o111 : 0);
  // Windows and some mounted file systems have no such bits, and the file works without them.
  await fs.changeMode(temporary, mode).catch(() => undefined);
}

/** Whether another run has written the lock since this one has read it. */
async function hasLockChanged({ root, fs, lockText, rebuilds }: PlanContext): Promise<boolean> {
  if (rebuilds) return false;
  const file = join(root, lockPath);
  const isFile = (await fs.follow(file))?.kind === 'file';
  return (isFile ? await fs.readText(file) : undefined) !== lockText;
}

/** Makes a folder and its missing parents, and returns them, outermost first. A failure removes them again. */
export async function makeFolders(path: string, fs: FileSystem): Promise<string[]> {
  const entry = await fs.follow(path);
  if (entry?.kind === 'folder') return [];
  if (entry !== undefined) throw new PathInTheWay(path);
  const parents = await makeFolders(dirname(path), fs);
  try {
    await fs.makeFolder(path);
  } catch (error) {
    // Another run may have made the folder meanwhile.
    if ((await fs.follow(path))?.kind === 'folder') return parents;
    for (const folder of parents.toReversed()) await fs.removeEmptyFolder(folder).catch(() => undefined);
    throw error;
  }
  return [...parents, path];
}

/** Removes what killed runs have left in the project. */
export async function removeTemporaryFiles({
  root,
  fs,
  diagnostics,
}: Pick<PlanContext, 'root' | 'fs' | 'diagnostics'>): Promise<void> {
  for (const file of listTemporaryFiles(root)) {
    try {
      await fs.removeFile(file);
      await removeEmptiedFolders([file.slice(root.length + 1)], root, fs);
    } catch {
      diagnostics.report('leftover-file', { file });
    }
  }
}

async function removeEmptiedFolders(paths: string[], root: string, fs: FileSystem): Promise<void> {
  for (const path of paths) {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      const isRemoved = await fs.removeEmptyFolder(join(root, folder)).then(
        () => true,
        () => false,
      );
      if (!isRemoved) break;
    }
  }
}
