/** Carries out a plan, all or nothing: all files are prepared first, then moved into place by renames that can be undone. */
import { dirname, join } from 'node:path';
import { hashContents } from '../emit/index.ts';
import { yieldToSignals } from '../util/pauses.ts';
import { type FileSystem, PathInTheWay } from './file-system.ts';
import { listParentFolders } from './find-obstacle.ts';
import {
  JOURNAL_FORMAT,
  type Journal,
  type Staging,
  removeJournal,
  rollBack,
  writeJournal,
} from './journal.ts';
import type { FileChange, Plan } from './write-target.ts';

/** Writes each new file and copies each file that it replaces, without changing the project. */
export async function stageChanges({ changes }: Plan, staging: Staging, signal?: AbortSignal): Promise<void> {
  const { root, folder, fs } = staging;
  for (const change of changes) {
    await yieldToSignals(signal);
    await makeFolders(dirname(join(folder, 'new', change.path)), fs);
    await writeStaged(change, join(folder, 'new'), fs);
    if (change.replaces === undefined) continue;
    await copyWithFolders(join(root, change.path), join(folder, 'old', change.path), fs);
    if (change.saveAs !== undefined)
      await copyWithFolders(join(root, change.path), join(folder, 'new', change.saveAs), fs);
  }
}

export async function writeStaged(
  { path, contents, executable, replaces }: FileChange,
  folder: string,
  fs: FileSystem,
): Promise<void> {
  const place = join(folder, path);
  await fs.writeText(place, contents);
  if (replaces === undefined && !executable) return;
  const mode = (replaces ?? 0o644) | (executable ? 0o111 : 0);
  // Windows and some mounted file systems have no such bits, and the file works without them.
  await fs.changeMode(place, mode).catch(() => undefined);
}

/**
 * Moves the staged files into place. After a failure, the project is unchanged or a `RollbackError` is thrown; after the end of
 * the process, `recover` restores it.
 */
export async function commitStagedChanges(plan: Plan, staging: Staging): Promise<void> {
  const { folder, fs } = staging;
  const journal = await makeJournal(plan, staging);
  await writeJournal(journal, staging);
  try {
    for (const path of journal.folders) await fs.makeFolder(join(staging.root, path));
    for (const path of plan.removals) await moveToOld(path, staging);
    for (const change of plan.changes) await placeStagedFile(change, staging);
    await removeJournal(folder, fs);
  } catch (error) {
    await rollBack(journal, staging);
    throw error;
  }
}

async function makeJournal({ changes, removals }: Plan, staging: Staging): Promise<Journal> {
  return {
    format: JOURNAL_FORMAT,
    folders: await findMissingFolders(changes, staging),
    removals,
    changes: changes.map(({ path, contents, replaces, saveAs }) => ({
      path,
      hash: hashContents(contents),
      replaces: replaces !== undefined,
      saveAs,
    })),
  };
}

async function findMissingFolders(changes: readonly FileChange[], { root, fs }: Staging): Promise<string[]> {
  const missing: string[] = [];
  for (const folder of listParentFolders(changes.map(({ path }) => path))) {
    const entry = await fs.follow(join(root, folder));
    if (entry === undefined) missing.push(folder);
    else if (entry.kind !== 'folder') throw new PathInTheWay(join(root, folder));
  }
  return missing;
}

async function placeStagedFile({ path, saveAs }: FileChange, { root, folder, fs }: Staging): Promise<void> {
  if (saveAs !== undefined) await fs.rename(join(folder, 'new', saveAs), join(root, saveAs));
  await fs.rename(join(folder, 'new', path), join(root, path));
}

async function moveToOld(path: string, { root, folder, fs }: Staging): Promise<void> {
  const old = join(folder, 'old', path);
  await makeFolders(dirname(old), fs);
  await fs.rename(join(root, path), old);
}

/** Makes a folder and its missing parents, and returns them, outermost first. A failure removes them again. */
export async function makeFolders(path: string, fs: FileSystem): Promise<string[]> {
  const entry = await fs.follow(path);
  if (entry?.kind === 'folder') return [];
  if (entry !== undefined) throw new PathInTheWay(path);
  const made = await makeFolders(dirname(path), fs);
  try {
    await fs.makeFolder(path);
  } catch (error) {
    // Another run may have made the folder meanwhile.
    if ((await fs.follow(path))?.kind === 'folder') return made;
    for (const folder of made.toReversed()) await fs.removeEmptyFolder(folder).catch(() => undefined);
    throw error;
  }
  return [...made, path];
}

async function copyWithFolders(from: string, to: string, fs: FileSystem): Promise<void> {
  await makeFolders(dirname(to), fs);
  await fs.copyFile(from, to);
}
