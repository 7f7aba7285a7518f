/**
 * Writes one file of the user atomically. Rejects with `EEXIST` if the file exists with other contents; with `force`, it is replaced, and kept as
 * `<name>.orig` unless `original` is false or nothing changes. The target of a link is replaced, not the link; a link that
 * leads out of the folder `within` is refused. Resolves with the path of the copy.
 */
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

import { type DiagnosticCollector, DiagnosticError, createDiagnostic } from '../diagnostics/collector.ts';
import {
  type FileSystem,
  findCopyName,
  isSystemError,
  nodeFileSystem,
  reportSystemError,
} from './file-system.ts';
import { isBelow } from './find-obstacle.ts';
import { makeTemporaryPath, removeTemporaryFilesOf } from './temporary-files.ts';

export async function saveFile(
  path: string,
  contents: string,
  { force, original = true, within }: { force: boolean; original?: boolean; within?: string },
  fs: FileSystem = nodeFileSystem,
): Promise<string | undefined> {
  const link = within === undefined ? undefined : await findLinkOut(path, within, fs);
  if (link !== undefined) throw new DiagnosticError(createDiagnostic('path-outside-target', { path: link }));
  const there = await fs.look(path);
  if (!force && (await isSaved(path, contents, fs))) return undefined;
  if (there !== undefined && !force)
    throw Object.assign(new Error(`EEXIST: there is a file ${path}`), { code: 'EEXIST', path });
  const target = there?.kind === 'link' ? await fs.realPath(path) : path;
  removeTemporaryFilesOf(target);
  const temporary = makeTemporaryPath(target);
  try {
    await fs.writeText(temporary, contents);
    const current = await fs.follow(path);
    if (current?.kind === 'file') await fs.changeMode(temporary, current.mode);
    const copy = original ? await backUpOriginal(path, contents, fs) : undefined;
    await fs.rename(temporary, target);
    return copy;
  } catch (error) {
    await fs.removeFile(temporary).catch(() => undefined);
    throw error;
  }
}

/** Whether the file has these contents, as after a run that was killed. What such a run left of it is removed. */
export async function isSaved(
  path: string,
  contents: string,
  fs: FileSystem = nodeFileSystem,
): Promise<boolean> {
  removeTemporaryFilesOf(path);
  return (await fs.follow(path))?.kind === 'file' && (await fs.readText(path)) === contents;
}

/** Saves as {@link saveFile} does, but makes missing folders, and reports errors for the path `shown`. */
export async function saveFileOrReport(
  path: string,
  contents: string,
  { force, shown, within }: { force: boolean; shown: string; within: string },
  diagnostics: DiagnosticCollector,
): Promise<string | undefined> {
  try {
    const link = await findLinkOut(path, within, nodeFileSystem);
    if (link !== undefined) {
      diagnostics.report('path-outside-target', { path: relative(within, link) });
      return undefined;
    }
    await mkdir(dirname(path), { recursive: true });
    return await saveFile(path, contents, { force });
  } catch (error) {
    const shownError = isSystemError(error) ? Object.assign(error, { path: shown, dest: undefined }) : error;
    reportSystemError(shownError, shown, diagnostics);
    return undefined;
  }
}

/**
 * Finds a link that leads a path below the folder out of it: a stranger's repository may have one. A path elsewhere is the
 * word of whoever typed it.
 */
async function findLinkOut(path: string, folder: string, fs: FileSystem): Promise<string | undefined> {
  if (!isBelow(folder, path)) return undefined;
  let place = path;
  while ((await fs.look(place)) === undefined) place = dirname(place);
  const root = await fs.realPath(folder);
  // A link to nothing has no real path.
  const target = await fs.realPath(place).catch(() => '/');
  return target === root || isBelow(root, target) ? undefined : place;
}

async function backUpOriginal(path: string, contents: string, fs: FileSystem): Promise<string | undefined> {
  if ((await fs.follow(path))?.kind !== 'file' || (await fs.readText(path)) === contents) return undefined;
  const name = await findCopyName(basename(path), dirname(path), fs);
  if (name === undefined) return undefined;
  const copy = join(dirname(path), name);
  const temporary = makeTemporaryPath(copy);
  removeTemporaryFilesOf(copy);
  try {
    await fs.copyFile(path, temporary);
    await fs.rename(temporary, copy);
    return copy;
  } catch (error) {
    await fs.removeFile(temporary).catch(() => undefined);
    throw error;
  }
}
