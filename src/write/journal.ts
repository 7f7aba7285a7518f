/** What a run is about to do to a project, written down first, so that a run that was killed in the middle can be undone. */
import { basename, join } from 'node:path';
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import { isReserved, isSafePath } from '../emit/index.ts';
import type { FileSystem } from './file-system.ts';
import { isSigned, sign } from './user-key.ts';

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

/** A journal as it is on the disk. */
interface SignedJournal {
  /** A `Journal`, as JSON. */
  journal: string;
  /** Of that text and the staging folder, by the user's key; empty where there is no key. */
  signature: string;
}

/** Complete or not there at all. From now on changes of the project can be undone. */
export async function writeJournal(
  journal: Journal,
  { root, folder, fs }: { root: string; folder: string; fs: FileSystem },
): Promise<void> {
  const draft = join(folder, `${NAME}.draft`);
  const text = JSON.stringify(journal);
  const signature = sign(signedText(folder, text), root) ?? '';
  await fs.writeText(draft, JSON.stringify({ journal: text, signature } satisfies SignedJournal));
  await fs.rename(draft, join(folder, NAME));
}

/** The folder's name belongs to it, so that a journal is of no use in another one. */
function signedText(folder: string, journal: string): string {
  return JSON.stringify([basename(folder), journal]);
}

/** The changes hold: nothing will be undone any more. */
export async function closeJournal(folder: string, fs: FileSystem): Promise<void> {
  await fs.removeFile(join(folder, NAME));
}

/**
 * `undefined` when nothing of the project had been changed, or all of it; `foreign` when this user has not written it on this
 * machine, in this folder; `damaged` when it is signed and yet no journal that this version knows.
 */
export async function readJournal(
  root: string,
  folder: string,
  fs: FileSystem,
): Promise<Journal | 'damaged' | 'foreign' | undefined> {
  const file = join(folder, NAME);
  const entry = await fs.look(file);
  if (entry === undefined) return undefined;
  const { journal, signature } = (entry.kind === 'file' ? parse(await fs.readText(file)) : undefined) ?? {};
  if (typeof journal !== 'string' || typeof signature !== 'string') return 'foreign';
  if (!isSigned(signedText(folder, journal), signature, root)) return 'foreign';
  const value = parse(journal);
  return isJournal(value) ? value : 'damaged';
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** No path of it reaches out of the project, or to what git and npm keep in it. */
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
  return typeof value === 'string' && isSafePath(value) && !isReserved(value);
}
