/** Writes one file of the user atomically. */
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import {
  type FileSystem,
  findCopyName,
  isSystemError,
  nodeFileSystem,
  reportSystemError,
} from './file-system.ts';
import { isBelow } from './find-obstacle.ts';
import { makeTemporaryPath, removeTemporaryFilesOf } from './temporary-files.ts';

/**
 * Rejects with `EEXIST` if the file exists with other contents; with `force`, it is replaced, and kept as `<name>.orig` unless
 * `original` is false or nothing changes. The target of a link is replaced, not the link. Resolves with the path of the copy.
 */
export async function saveFile(
  path: string,
  contents: string,
  { force, original = true }: { force: boolean; original?: boolean },
  fs: FileSystem = nodeFileSystem,
): Promise<string | undefined> {
  if (!force && (await isSaved(path, contents, fs))) return undefined;
  const entry = await fs.look(path);
  if (entry !== undefined && !force)
    throw Object.assign(new Error(`EEXIST: there is a file ${path}`), { code: 'EEXIST', path });
  const current = await fs.follow(path);
  const isReplaced = current?.kind === 'file' && (await fs.readText(path)) !== contents;
  const name = original && isReplaced ? await findCopyName(basename(path), dirname(path), fs) : undefined;
  const copy = name && join(dirname(path), name);
  if (copy !== undefined) await putInPlace(copy, fs, (temporary) => fs.copyFile(path, temporary));
  await putInPlace(entry?.kind === 'link' ? await fs.realPath(path) : path, fs, async (temporary) => {
    await fs.writeText(temporary, contents);
    if (current?.kind === 'file') await fs.changeMode(temporary, current.mode);
  });
  return copy;
}

/** Makes a file beside its place, and renames it. */
async function putInPlace(
  place: string,
  fs: FileSystem,
  make: (temporary: string) => Promise<void>,
): Promise<void> {
  removeTemporaryFilesOf(place);
  const temporary = makeTemporaryPath(place);
  try {
    await make(temporary);
    await fs.rename(temporary, place);
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

/**
 * Saves as {@link saveFile} does, but makes missing folders, refuses a link that leads out of the folder `within`, and reports
 * errors for the path `shown`.
 */
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
