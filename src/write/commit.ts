/** Carries out a plan, all or nothing: everything is prepared first, then put in place by renames that can be undone. */
import { dirname, join } from 'node:path';
import { breathe, type FileSystem } from './file-system.ts';
import type { Change, Plan } from './plan.ts';

/** Something that was done, and how to undo it. */
interface Step {
  path: string;
  undo: () => Promise<void>;
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

/** Something that is no folder stands where a folder must be. */
export class PathInTheWay extends Error {
  override readonly name = 'PathInTheWay';
  readonly path: string;

  constructor(path: string) {
    super(`${path} is not a folder`);
    this.path = path;
  }
}

/** A folder inside the project (so on its file system) with the files to come in `new/` and copies in `old/`. */
export interface Staging {
  /** The project's folder. */
  root: string;
  folder: string;
  fs: FileSystem;
}

/** Writes every new file and copies every file it replaces. Nothing of the project changes. */
export async function stage({ changes }: Plan, staging: Staging, signal?: AbortSignal): Promise<void> {
  const { root, folder, fs } = staging;
  await fs.makeFolder(folder);
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

/** Writes one file below `folder`, with the permissions it will have. */
export async function stageFile(change: Change, folder: string, fs: FileSystem): Promise<void> {
  const place = join(folder, change.path);
  await makeFolders(dirname(place), fs);
  await fs.writeText(place, change.contents);
  const executable = change.executable ? 0o111 : 0;
  if (change.replaces === undefined && executable === 0) return;
  await changeMode(place, (change.replaces ?? 0o644) | executable, fs);
}

/** Puts the staged files in place. After a failure the project is as it was, or a `RollbackError` says otherwise. */
export async function commit({ changes, removals }: Plan, staging: Staging): Promise<void> {
  const done: Step[] = [];
  try {
    for (const path of removals) await remove(path, staging, done);
    for (const change of changes) await place(change, staging, done);
  } catch (error) {
    await rollBack(done);
    throw error;
  }
}

async function place({ path, replaces, saveAs }: Change, staging: Staging, done: Step[]): Promise<void> {
  const { root, folder, fs } = staging;
  const target = join(root, path);
  for (const made of await makeFolders(dirname(target), fs)) {
    done.push({ path: made, undo: () => fs.removeEmptyFolder(made) });
  }
  if (saveAs !== undefined) {
    await fs.rename(join(folder, 'new', saveAs), join(root, saveAs));
    done.push({ path: saveAs, undo: () => fs.removeFile(join(root, saveAs)) });
  }
  await fs.rename(join(folder, 'new', path), target);
  const undo = () =>
    replaces === undefined ? fs.removeFile(target) : fs.rename(join(folder, 'old', path), target);
  done.push({ path, undo });
}

async function remove(path: string, { root, folder, fs }: Staging, done: Step[]): Promise<void> {
  const old = join(folder, 'old', path);
  await makeFolders(dirname(old), fs);
  await fs.rename(join(root, path), old);
  done.push({ path, undo: () => fs.rename(old, join(root, path)) });
}

async function rollBack(done: Step[]): Promise<void> {
  let failure: RollbackError | undefined;
  for (const { path, undo } of done.toReversed()) {
    try {
      await undo();
    } catch (error) {
      failure ??= new RollbackError(path, error);
    }
  }
  if (failure !== undefined) throw failure;
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
