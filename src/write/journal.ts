/** What a run is about to do to a project, written down first, so that a run that was killed in the middle can be undone. */
import { join } from 'node:path';
import { isSafePath } from '../emit/index.ts';
import { isRecord } from '../is-record.ts';
import type { FileSystem } from './file-system.ts';

/** Paths are relative to the project. */
export interface Journal {
  format: typeof JOURNAL_FORMAT;
  /** Folders to be made, outer ones first. */
  folders: string[];
  removals: string[];
  changes: JournalChange[];
}

export interface JournalChange {
  path: string;
  /** `hashContents` of what is put there. */
  hash: string;
  /** A file was there, of which the staging folder has a copy. */
  replaces: boolean;
  /** Where the replaced file of the user is kept. */
  saveAs?: string;
}

export const JOURNAL_FORMAT = 1;

const NAME = 'journal.json';

/** Complete or not there at all. From now on changes of the project can be undone. */
export async function writeJournal(journal: Journal, folder: string, fs: FileSystem): Promise<void> {
  const draft = join(folder, `${NAME}.draft`);
  await fs.writeText(draft, JSON.stringify(journal));
  await fs.rename(draft, join(folder, NAME));
}

/** The changes hold: nothing will be undone any more. */
export async function closeJournal(folder: string, fs: FileSystem): Promise<void> {
  await fs.removeFile(join(folder, NAME));
}

/** `undefined` when nothing of the project had been changed, or all of it; `damaged` when nobody can say. */
export async function readJournal(folder: string, fs: FileSystem): Promise<Journal | 'damaged' | undefined> {
  const file = join(folder, NAME);
  if ((await fs.look(file)) === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(await fs.readText(file));
    return isJournal(value) ? value : 'damaged';
  } catch (error) {
    if (error instanceof SyntaxError) return 'damaged';
    throw error;
  }
}

/** A journal may have come with a project of somebody else: no path of it reaches out of the project. */
function isJournal(value: unknown): value is Journal {
  if (!isRecord(value) || value['format'] !== JOURNAL_FORMAT) return false;
  const { folders, removals, changes } = value;
  return arePaths(folders) && arePaths(removals) && Array.isArray(changes) && changes.every(isChange);
}

function isChange(value: unknown): value is JournalChange {
  if (!isRecord(value)) return false;
  const { path, hash, replaces, saveAs } = value;
  return (
    isPath(path) &&
    typeof hash === 'string' &&
    typeof replaces === 'boolean' &&
    (saveAs === undefined || isPath(saveAs))
  );
}

function arePaths(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isPath);
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && isSafePath(value);
}
