/**
 * Writes one file of the user atomically. Rejects with `EEXIST` if the file exists; with `force`, it is replaced, and kept as
 * `<name>.orig` unless `original` is false or nothing changes. The target of a link is replaced, not the link.
 */
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import {
  type FileSystem,
  findCopyName,
  isSystemError,
  nodeFileSystem,
  reportSystemError,
} from './file-system.ts';
import { makeTemporaryPath, removeTemporaryFilesOf } from './temporary-files.ts';

export async function saveFile(
  path: string,
  contents: string,
  { force, original = true }: { force: boolean; original?: boolean },
  fs: FileSystem = nodeFileSystem,
): Promise<void> {
  const there = await fs.look(path);
  if (there !== undefined && !force)
    throw Object.assign(new Error(`EEXIST: there is a file ${path}`), { code: 'EEXIST', path });
  const target = there?.kind === 'link' ? await fs.realPath(path) : path;
  removeTemporaryFilesOf(target);
  const temporary = makeTemporaryPath(target);
  try {
    await fs.writeText(temporary, contents);
    const current = await fs.follow(path);
    if (current?.kind === 'file') await fs.changeMode(temporary, current.mode);
    if (original) await backUpOriginal(path, contents, fs);
    await fs.rename(temporary, target);
  } catch (error) {
    await fs.removeFile(temporary).catch(() => undefined);
    throw error;
  }
}

/** Saves as {@link saveFile} does, but makes missing folders, and reports errors for the path `shown`. */
export async function saveFileOrReport(
  path: string,
  contents: string,
  { force, shown }: { force: boolean; shown: string },
  diagnostics: DiagnosticCollector,
): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await saveFile(path, contents, { force });
  } catch (error) {
    const named = isSystemError(error) ? Object.assign(error, { path: shown, dest: undefined }) : error;
    reportSystemError(named, shown, diagnostics);
  }
}

async function backUpOriginal(path: string, contents: string, fs: FileSystem): Promise<void> {
  if ((await fs.follow(path))?.kind !== 'file' || (await fs.readText(path)) === contents) return;
  const name = await findCopyName(basename(path), dirname(path), fs);
  if (name === undefined) return;
  const copy = join(dirname(path), name);
  const temporary = makeTemporaryPath(copy);
  removeTemporaryFilesOf(copy);
  try {
    await fs.copyFile(path, temporary);
    await fs.rename(temporary, copy);
  } catch (error) {
    await fs.removeFile(temporary).catch(() => undefined);
    throw error;
  }
}
