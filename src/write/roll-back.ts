/**
 * Undoes the changes of a journal, as far as they were made: a file that was moved into place is no longer in the staging
 * folder. So an interrupted rollback can be repeated.
 */
import { join } from 'node:path';
import { hashContents } from '../emit/index.ts';
import { type FileSystem, isSystemError } from './file-system.ts';
import { findObstacle } from './find-obstacle.ts';
import { freeName } from './free-name.ts';
import type { Journal, JournalChange } from './journal.ts';

/** A folder inside the project, and so on its file system, with new files in `new/` and copies in `old/`. */
export interface Staging {
  /** The project's folder. */
  root: string;
  folder: string;
  fs: FileSystem;
  /** Whether links inside the project are followed. Default true; false for leftovers of another run. */
  links?: boolean;
}

/** The rollback failed; the staging folder has the old files, and must stay. */
export class RollbackError extends Error {
  override readonly name = 'RollbackError';
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.path = path;
  }
}

/**
 * Restores the project. A file that was changed since the run stays, and the original is put beside it as `<name>.orig`.
 *
 * @returns the paths of such copies
 */
export async function rollBack({ folders, removals, changes }: Journal, staging: Staging): Promise<string[]> {
  const saved: string[] = [];
  let failure: RollbackError | undefined;
  const attempt = async (path: string, undo: () => Promise<void>): Promise<void> => {
    try {
      const obstacle = await findObstacle(staging.root, path, staging.fs, staging);
      if (obstacle !== undefined) throw new Error(`${obstacle.path} is in the way`);
      await undo();
    } catch (error) {
      failure ??= new RollbackError(path, error);
    }
  };
  for (const change of changes.toReversed()) {
    await attempt(change.path, () => takeBack(change, staging, saved));
    const { saveAs } = change;
    if (saveAs !== undefined) await attempt(saveAs, () => dropCopy(saveAs, change.path, staging));
  }
  for (const path of removals.toReversed()) await attempt(path, () => putBack(path, staging));
  for (const path of folders.toReversed()) {
    try {
      await removeIfEmpty(path, staging);
    } catch (error) {
      failure ??= new RollbackError(path, error);
    }
  }
  if (failure !== undefined) throw failure;
  return saved;
}

async function takeBack(change: JournalChange, staging: Staging, saved: string[]): Promise<void> {
  const { root, folder, fs } = staging;
  const { path, hash, replaces } = change;
  const [target, old] = [join(root, path), join(folder, 'old', path)];
  if (await isThere(join(folder, 'new', path), fs)) return;
  const isOurs = (await readHash(target, fs)) === hash;
  if (!replaces) {
    if (isOurs) await fs.removeFile(target);
    return;
  }
  if (!(await isThere(old, fs))) return;
  if (isOurs) await fs.rename(old, target);
  else if ((await readHash(target, fs)) !== (await readHash(old, fs)))
    saved.push(await setAside(change, staging));
}

/** Puts the original beside a file that was changed since, unless the run had made a copy. Returns the copy's path. */
async function setAside({ path, saveAs }: JournalChange, { root, folder, fs }: Staging): Promise<string> {
  const old = join(folder, 'old', path);
  if (saveAs !== undefined && (await readHash(join(root, saveAs), fs)) === (await readHash(old, fs)))
    return saveAs;
  const name = await freeName(`${path}.orig`, root, fs);
  await fs.rename(old, join(root, name));
  return name;
}

async function readHash(path: string, fs: FileSystem): Promise<string | undefined> {
  return (await isThere(path, fs)) ? hashContents(await fs.readText(path)) : undefined;
}

/** Removes the copy of a user's file that is restored. */
async function dropCopy(copy: string, path: string, { root, folder, fs }: Staging): Promise<void> {
  const [kept, target] = [join(root, copy), join(root, path)];
  if ((await isThere(join(folder, 'new', copy), fs)) || !(await isThere(kept, fs))) return;
  if (!(await isThere(target, fs)) || (await fs.readText(kept)) !== (await fs.readText(target))) return;
  await fs.removeFile(kept);
}

/** Restores a removed file, unless there is another file by now. */
async function putBack(path: string, { root, folder, fs }: Staging): Promise<void> {
  const [target, old] = [join(root, path), join(folder, 'old', path)];
  if ((await isThere(old, fs)) && !(await isThere(target, fs))) await fs.rename(old, target);
}

async function removeIfEmpty(path: string, { root, fs, links }: Staging): Promise<void> {
  const folder = join(root, path);
  // A link in the path leads elsewhere, so the run cannot have made this folder.
  if ((await findObstacle(root, `${path}/-`, fs, { links })) !== undefined) return;
  try {
    if ((await fs.look(folder))?.kind === 'folder') await fs.removeEmptyFolder(folder);
  } catch (error) {
    if (!isSystemError(error) || !['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(error.code)) throw error;
  }
}

async function isThere(path: string, fs: FileSystem): Promise<boolean> {
  return (await fs.look(path)) !== undefined;
}
