/**
 * Undoes what a journal says, as far as it was done. What was done is seen on the disk: a file that was put in place is no
 * longer in the staging folder. So it may be interrupted too, and done again.
 */
import { join } from 'node:path';
import { hashContents } from '../emit/index.ts';
import { type FileSystem, isSystemError } from './file-system.ts';
import { findObstacle } from './find-obstacle.ts';
import { freeName } from './free-name.ts';
import type { Journal, JournalChange } from './journal.ts';

/** A folder inside the project (so on its file system) with the files to come in `new/` and copies in `old/`. */
export interface Staging {
  /** The project's folder. */
  root: string;
  folder: string;
  fs: FileSystem;
  /** Whether links inside the project are followed. Default true; false for what another run has left. */
  links?: boolean;
}

/** Undoing failed too; the old files are in the staging folder, which must be left alone. */
export class RollbackError extends Error {
  override readonly name = 'RollbackError';
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.path = path;
  }
}

/**
 * Puts the project back as it was before the journal. What is neither that nor what the run wrote was changed by somebody since,
 * and stays; what stood there before is put beside it as `<name>.orig`.
 *
 * @returns where such copies are
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
  const isOurs = (await hashOf(target, fs)) === hash;
  if (!replaces) {
    if (isOurs) await fs.removeFile(target);
    return;
  }
  if (!(await isThere(old, fs))) return;
  if (isOurs) await fs.rename(old, target);
  else if ((await hashOf(target, fs)) !== (await hashOf(old, fs)))
    saved.push(await setAside(change, staging));
}

/**
 * Somebody has changed the file since, or git has checked out another: it stays, and what was there before is put beside it, unless
 * the run had kept that itself. Returns the copy's path.
 */
async function setAside({ path, saveAs }: JournalChange, { root, folder, fs }: Staging): Promise<string> {
  const old = join(folder, 'old', path);
  if (saveAs !== undefined && (await hashOf(join(root, saveAs), fs)) === (await hashOf(old, fs)))
    return saveAs;
  const name = await freeName(`${path}.orig`, root, fs);
  await fs.rename(old, join(root, name));
  return name;
}

async function hashOf(path: string, fs: FileSystem): Promise<string | undefined> {
  return (await isThere(path, fs)) ? hashContents(await fs.readText(path)) : undefined;
}

/** The copy that was kept of a user's file, which is in its place again. */
async function dropCopy(copy: string, path: string, { root, folder, fs }: Staging): Promise<void> {
  const [kept, target] = [join(root, copy), join(root, path)];
  if ((await isThere(join(folder, 'new', copy), fs)) || !(await isThere(kept, fs))) return;
  if (!(await isThere(target, fs)) || (await fs.readText(kept)) !== (await fs.readText(target))) return;
  await fs.removeFile(kept);
}

/** Unless somebody has put another file there since. */
async function putBack(path: string, { root, folder, fs }: Staging): Promise<void> {
  const [target, old] = [join(root, path), join(folder, 'old', path)];
  if ((await isThere(old, fs)) && !(await isThere(target, fs))) await fs.rename(old, target);
}

async function removeIfEmpty(path: string, { root, fs, links }: Staging): Promise<void> {
  const folder = join(root, path);
  // No file could be put there: a link on the way leads elsewhere.
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
