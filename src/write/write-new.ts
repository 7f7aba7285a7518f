import { basename, dirname, join } from 'node:path';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { type GeneratedFile, lockPath } from '../emit/index.ts';
import { cleanUp } from './clean-up.ts';
import { makeFolders, writeStaged } from './commit.ts';
import { breathe, type FileSystem } from './file-system.ts';
import { foldersOf } from './folders-of.ts';
import { removeLeftovers } from './recover.ts';
import { nameTarget } from './report-fault.ts';
import { makeStagingFolder, releaseStagingFolder, stagingPath } from './staging-folder.ts';
import type { WriteTarget } from './write-target.ts';

/**
 * Writes a new project by one rename of its complete folder, which needs no journal. Resolves to false if another run made the
 * project meanwhile; that is reported, and its project stays.
 */
export async function writeNew(
  files: GeneratedFile[],
  { dir, signal }: WriteTarget,
  diagnostics: DiagnosticCollector,
  fs: FileSystem,
): Promise<boolean> {
  await removeLeftovers(dir, diagnostics, fs);
  const parents = await makeFolders(dirname(dir), fs);
  const parent = await fs.realPath(dirname(dir)).catch(() => dirname(dir));
  const staging = stagingPath(parent, basename(dir));
  try {
    await makeStagingFolder(staging, fs);
    for (const folder of foldersOf(files.map(({ path }) => path))) await fs.makeFolder(join(staging, folder));
    for (const { path, contents, executable = false } of files) {
      await breathe(signal);
      await writeStaged({ path, contents, executable }, staging, fs);
    }
    signal?.throwIfAborted();
    if (await putInPlace(staging, dir, fs)) return true;
    diagnostics.report('project-changed-meanwhile', { dir });
    await cleanUp(staging, fs, diagnostics);
    return false;
  } catch (error) {
    await cleanUp(staging, fs, diagnostics);
    for (const folder of parents.toReversed()) await fs.removeEmptyFolder(folder).catch(() => undefined);
    throw nameTarget(error, staging, dir);
  } finally {
    releaseStagingFolder(staging);
  }
}

/** False if there is a project by now. */
async function putInPlace(staging: string, dir: string, fs: FileSystem): Promise<boolean> {
  try {
    await fs.rename(staging, dir);
    return true;
  } catch (error) {
    if ((await fs.follow(join(dir, lockPath)))?.kind === 'file') return false;
    throw error;
  }
}
