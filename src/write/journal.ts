/** The changes of a run, written to disk before they begin, so that a killed run can be undone. */
import { basename, join } from 'node:path';

import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import { hashContents, isReserved, isSafePath } from '../emit/index.ts';
import { type FileSystem, findFreeName, isSystemError } from './file-system.ts';
import { findObstacle } from './find-obstacle.ts';
import { isSigned, signForProject } from './user-key.ts';

/** Paths are relative to the project. */
export interface Journal {
  format: typeof JOURNAL_FORMAT;
  folders: string[];
  removals: string[];
  changes: JournalChange[];
}

interface JournalChange {
  path: string;
  hash: string;
  /** The change replaces a file, of which the staging folder has a copy. */
  replaces: boolean;
  saveAs?: string | undefined;
}

export const JOURNAL_FORMAT = 1;

const NAME = 'journal.json';

interface SignedJournal {
  journal: string;
  /** The signature of that text and the staging folder by the user's key; empty without a key. */
  signature: string;
}

/** Writes the journal atomically. From now on, changes of the project can be undone. */
export async function writeJournal(
  journal: Journal,
  { root, folder, fs }: { root: string; folder: string; fs: FileSystem },
): Promise<void> {
  const draft = join(folder, `${NAME}.draft`);
  const text = JSON.stringify(journal);
  const signature = signForProject(textToSign(folder, text), root) ?? '';
  await fs.writeText(draft, JSON.stringify({ journal: text, signature } satisfies SignedJournal));
  await fs.rename(draft, join(folder, NAME));
}

/** The folder's name is signed too, so that a journal is not valid in another folder. */
function textToSign(folder: string, journal: string): string {
  return JSON.stringify([basename(folder), journal]);
}

/** Accepts the changes: they will not be undone any more. */
export async function removeJournal(folder: string, fs: FileSystem): Promise<void> {
  await fs.removeFile(join(folder, NAME));
}

/**
 * `undefined` if the run had changed nothing or everything; `foreign` if this user has not written the journal on this machine and
 * in this folder; `damaged` if it is signed, but this version cannot read it.
 */
export async function readJournal(
  root: string,
  folder: string,
  fs: FileSystem,
): Promise<Journal | 'damaged' | 'foreign' | undefined> {
  const file = join(folder, NAME);
  const entry = await fs.look(file);
  if (entry === undefined) return undefined;
  const { journal, signature } =
    (entry.kind === 'file' ? tryParse(await fs.readText(file)) : undefined) ?? {};
  if (typeof journal !== 'string' || typeof signature !== 'string') return 'foreign';
  if (!isSigned(textToSign(folder, journal), signature, root)) return 'foreign';
  const value = tryParse(journal);
  return isJournal(value) ? value : 'damaged';
}

function tryParse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether this version can read the journal, and no path in it leads out of the project or to files of git and npm. */
function isJournal(value: unknown): value is Journal {
  if (!isRecord(value) || value['format'] !== JOURNAL_FORMAT) return false;
  const { folders, removals, changes } = value;
  return (
    areSafeProjectPaths(folders) &&
    areSafeProjectPaths(removals) &&
    Array.isArray(changes) &&
    changes.every(isChange)
  );
}

function isChange(value: unknown): value is JournalChange {
  if (!isRecord(value)) return false;
  const { path, hash, replaces, saveAs } = value;
  return (
    isSafeProjectPath(path) &&
    typeof hash === 'string' &&
    typeof replaces === 'boolean' &&
    (saveAs === undefined || isSafeProjectPath(saveAs))
  );
}

function areSafeProjectPaths(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isSafeProjectPath);
}

function isSafeProjectPath(value: unknown): value is string {
  return typeof value === 'string' && isSafePath(value) && !isReserved(value);
}

/** A folder inside the project, and so on its file system, with new files in `new/` and copies in `old/`. */
export interface Staging {
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
 * Undoes the changes of a journal, as far as they were made: a file that was moved into place is no longer in the staging
 * folder. So an interrupted rollback can be repeated. A file that was changed since the run stays, and the original is put
 * beside it as `<name>.orig`.
 *
 * @returns the paths of such copies
 */
export async function rollBack({ folders, removals, changes }: Journal, staging: Staging): Promise<string[]> {
  const saved: string[] = [];
  let failure: RollbackError | undefined;
  const undoIfPossible = async (path: string, undo: () => Promise<void>): Promise<void> => {
    try {
      const obstacle = await findObstacle(staging.root, path, staging.fs, staging);
      if (obstacle !== undefined) throw new Error(`${obstacle.path} is in the way`);
      await undo();
    } catch (error) {
      failure ??= new RollbackError(path, error);
    }
  };
  for (const change of changes.toReversed()) {
    await undoIfPossible(change.path, () => undoChange(change, staging, saved));
    const { saveAs } = change;
    if (saveAs !== undefined)
      await undoIfPossible(saveAs, () => removeSavedCopy(saveAs, change.path, staging));
  }
  for (const path of removals.toReversed()) await undoIfPossible(path, () => restoreOldFile(path, staging));
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

async function undoChange(change: JournalChange, staging: Staging, saved: string[]): Promise<void> {
  const { root, folder, fs } = staging;
  const { path, hash, replaces } = change;
  const [target, old] = [join(root, path), join(folder, 'old', path)];
  if (await doesPathExist(join(folder, 'new', path), fs)) return;
  const isOurs = (await hashFileIfExists(target, fs)) === hash;
  if (!replaces) {
    if (isOurs) await fs.removeFile(target);
    return;
  }
  if (!(await doesPathExist(old, fs))) return;
  if (isOurs) await fs.rename(old, target);
  else if ((await hashFileIfExists(target, fs)) !== (await hashFileIfExists(old, fs)))
    saved.push(await putOriginalBeside(change, staging));
}

/** Puts the original beside a file that was changed since, unless the run had made a copy. Returns the copy's path. */
async function putOriginalBeside(
  { path, saveAs }: JournalChange,
  { root, folder, fs }: Staging,
): Promise<string> {
  const old = join(folder, 'old', path);
  if (
    saveAs !== undefined &&
    (await hashFileIfExists(join(root, saveAs), fs)) === (await hashFileIfExists(old, fs))
  )
    return saveAs;
  const name = await findFreeName(`${path}.orig`, root, fs);
  await fs.rename(old, join(root, name));
  return name;
}

async function hashFileIfExists(path: string, fs: FileSystem): Promise<string | undefined> {
  return (await doesPathExist(path, fs)) ? hashContents(await fs.readText(path)) : undefined;
}

async function removeSavedCopy(copy: string, path: string, { root, folder, fs }: Staging): Promise<void> {
  const [kept, target] = [join(root, copy), join(root, path)];
  if ((await doesPathExist(join(folder, 'new', copy), fs)) || !(await doesPathExist(kept, fs))) return;
  if (!(await doesPathExist(target, fs)) || (await fs.readText(kept)) !== (await fs.readText(target))) return;
  await fs.removeFile(kept);
}

async function restoreOldFile(path: string, { root, folder, fs }: Staging): Promise<void> {
  const [target, old] = [join(root, path), join(folder, 'old', path)];
  if ((await doesPathExist(old, fs)) && !(await doesPathExist(target, fs))) await fs.rename(old, target);
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

async function doesPathExist(path: string, fs: FileSystem): Promise<boolean> {
  return (await fs.look(path)) !== undefined;
}
