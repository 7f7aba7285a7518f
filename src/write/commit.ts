/** Carries out a plan, all or nothing: everything is prepared first, then put in place by renames that can be undone. */
import { dirname, join } from 'node:path';
import { hashContents } from '../emit/index.ts';
import { breathe, type FileSystem } from './file-system.ts';
import { foldersOf } from './folders-of.ts';
import { closeJournal, type Journal, JOURNAL_FORMAT, writeJournal } from './journal.ts';
import type { Change } from './change.ts';
import type { Plan } from './plan.ts';
import { rollBack, type Staging } from './roll-back.ts';

/** Something that is no folder stands where a folder must be. */
export class PathInTheWay extends Error {
  override readonly name = 'PathInTheWay';
  readonly path: string;

  constructor(path: string) {
    super(`${path} is not a folder`);
    this.path = path;
  }
}

/** Writes every new file and copies every file it replaces. Nothing of the project changes. */
export async function stage({ changes }: Plan, staging: Staging, signal?: AbortSignal): Promise<void> {
  const { root, folder, fs } = staging;
  for (const change of changes) {
    await breathe(signal);
    await stageFile(change, join(folder, 'new'), fs);
    if (change.replaces === undefined) continue;
    await copy(join(root, change.path), join(folder, 'old', change.path), fs);
    if (change.saveAs !== undefined) {
      await copy(join(root, change.path), join(folder, 'new', change.saveAs), fs);
    }
  }
}

async function stageFile(change: Change, folder: string, fs: FileSystem): Promise<void> {
  await makeFolders(dirname(join(folder, change.path)), fs);
  await writeStaged(change, folder, fs);
}

/** Writes one file below `folder`, with the permissions it will have. Its own folder is there. */
export async function writeStaged(change: Change, folder: string, fs: FileSystem): Promise<void> {
  const place = join(folder, change.path);
  await fs.writeText(place, change.contents);
  const executable = change.executable ? 0o111 : 0;
  if (change.replaces === undefined && executable === 0) return;
  await changeMode(place, (change.replaces ?? 0o644) | executable, fs);
}

/**
 * Puts the staged files in place. After a failure the project is as it was, or a `RollbackError` says otherwise; after the
 * end of the process `recover` puts it back.
 */
export async function commit(plan: Plan, staging: Staging): Promise<void> {
  const { folder, fs } = staging;
  const journal = await journalOf(plan, staging);
  await writeJournal(journal, staging);
  try {
    for (const path of journal.folders) await fs.makeFolder(join(staging.root, path));
    for (const path of plan.removals) await remove(path, staging);
    for (const change of plan.changes) await place(change, staging);
    await closeJournal(folder, fs);
  } catch (error) {
    await rollBack(journal, staging);
    throw error;
  }
}

async function journalOf({ changes, removals }: Plan, staging: Staging): Promise<Journal> {
  return {
    format: JOURNAL_FORMAT,
    folders: await missingFolders(changes, staging),
    removals,
    changes: changes.map(({ path, contents, replaces, saveAs }) => ({
      path,
      hash: hashContents(contents),
      replaces: replaces !== undefined,
      ...(saveAs === undefined ? {} : { saveAs }),
    })),
  };
}

/** That new files will be in, outer ones first. */
async function missingFolders(changes: readonly Change[], { root, fs }: Staging): Promise<string[]> {
  const missing: string[] = [];
  for (const folder of foldersOf(changes.map(({ path }) => path))) {
    const entry = await fs.follow(join(root, folder));
    if (entry === undefined) missing.push(folder);
    else if (entry.kind !== 'folder') throw new PathInTheWay(join(root, folder));
  }
  return missing;
}

async function place({ path, saveAs }: Change, { root, folder, fs }: Staging): Promise<void> {
  if (saveAs !== undefined) await fs.rename(join(folder, 'new', saveAs), join(root, saveAs));
  await fs.rename(join(folder, 'new', path), join(root, path));
}

async function remove(path: string, { root, folder, fs }: Staging): Promise<void> {
  const old = join(folder, 'old', path);
  await makeFolders(dirname(old), fs);
  await fs.rename(join(root, path), old);
}

/** Makes a folder and its missing parents; returns those it made, outermost first. Undoes itself when it fails. */
export async function makeFolders(path: string, fs: FileSystem): Promise<string[]> {
  const entry = await fs.follow(path);
  if (entry?.kind === 'folder') return [];
  if (entry !== undefined) throw new PathInTheWay(path);
  const made = await makeFolders(dirname(path), fs);
  try {
    await fs.makeFolder(path);
  } catch (error) {
    // Another run has made it meanwhile.
    if ((await fs.follow(path))?.kind === 'folder') return made;
    for (const folder of made.toReversed()) await fs.removeEmptyFolder(folder).catch(() => undefined);
    throw error;
  }
  return [...made, path];
}

async function copy(from: string, to: string, fs: FileSystem): Promise<void> {
  await makeFolders(dirname(to), fs);
  await fs.copyFile(from, to);
}

/** Windows and some mounted file systems know no such bits; a file without them still does its work. */
async function changeMode(path: string, mode: number, fs: FileSystem): Promise<void> {
  await fs.changeMode(path, mode).catch(() => undefined);
}
