/** The changes of a run, written to disk before they begin, so that a killed run can be undone. */
import { basename, join } from 'node:path';
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import { isReserved, isSafePath } from '../emit/index.ts';
import type { FileSystem } from './file-system.ts';
import { isSigned, sign } from './user-key.ts';

/** Paths are relative to the project. */
export interface Journal {
  format: typeof JOURNAL_FORMAT;
  /** New folders, outer ones first. */
  folders: string[];
  removals: string[];
  changes: JournalChange[];
}

export interface JournalChange {
  path: string;
  /** `hashContents` of the new text. */
  hash: string;
  /** The change replaces a file, of which the staging folder has a copy. */
  replaces: boolean;
  /** The path of the copy of the user's file that it replaces. */
  saveAs?: string | undefined;
}

export const JOURNAL_FORMAT = 1;

const NAME = 'journal.json';

interface SignedJournal {
  /** A `Journal`, as JSON. */
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
  const signature = sign(signedText(folder, text), root) ?? '';
  await fs.writeText(draft, JSON.stringify({ journal: text, signature } satisfies SignedJournal));
  await fs.rename(draft, join(folder, NAME));
}

/** The folder's name is signed too, so that a journal is not valid in another folder. */
function signedText(folder: string, journal: string): string {
  return JSON.stringify([basename(folder), journal]);
}

/** Accepts the changes: they will not be undone any more. */
export async function closeJournal(folder: string, fs: FileSystem): Promise<void> {
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

/** Refuses paths that lead out of the project or to files of git and npm. */
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
