/** What a run leaves that was killed is put right by the next one. */
import { basename, dirname, join } from 'node:path';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { type FileSystem, markReads, nodeFileSystem } from './file-system.ts';
import { closeJournal, readJournal } from './journal.ts';
import { reportFault } from './report-fault.ts';
import { rollBack, RollbackError } from './roll-back.ts';
import { isInUse, listStagingFolders } from './staging-folder.ts';

/**
 * Undoes what a run that was killed has done to the project in `dir`, and says so. False when that can't be done, or
 * another run is at work; that is reported.
 */
export async function recover(
  dir: string,
  diagnostics: DiagnosticCollector,
  system: FileSystem = nodeFileSystem,
): Promise<boolean> {
  const fs = markReads(system);
  try {
    if ((await fs.follow(dir))?.kind !== 'folder') return true;
    const root = await fs.realPath(dir);
    for (const staging of await listStagingFolders(root, fs)) {
      if (isInUse(staging)) {
        diagnostics.report('project-in-use', { dir, folder: staging.path, process: staging.owner });
        return false;
      }
      if (!(await undo(root, staging.path, diagnostics, fs))) return false;
    }
    return true;
  } catch (error) {
    reportFault(error, dir, diagnostics);
    return false;
  }
}

async function undo(
  root: string,
  folder: string,
  diagnostics: DiagnosticCollector,
  fs: FileSystem,
): Promise<boolean> {
  const journal = await readJournal(folder, fs);
  if (journal === 'damaged') {
    diagnostics.report('journal-damaged', { folder });
    return false;
  }
  if (journal !== undefined) {
    try {
      const saved = await rollBack(journal, { root, folder, fs });
      const place = (await isInRepository(root, fs)) ? 'repository' : 'folder';
      diagnostics.report('run-undone', { dir: root, saved: saved.join(', '), place });
    } catch (error) {
      if (!(error instanceof RollbackError)) throw error;
      reportRollback(error, folder, diagnostics);
      return false;
    }
    await closeJournal(folder, fs);
  }
  await fs.removeTree(folder);
  return true;
}

async function isInRepository(folder: string, fs: FileSystem): Promise<boolean> {
  if ((await fs.look(join(folder, '.git'))) !== undefined) return true;
  return dirname(folder) !== folder && isInRepository(dirname(folder), fs);
}

export function reportRollback(
  { path, message: reason }: RollbackError,
  folder: string,
  diagnostics: DiagnosticCollector,
): void {
  diagnostics.report('rollback-failed', { path, folder: join(folder, 'old'), reason });
}

/** What killed runs have left beside a project that is not there yet. Nothing is lost with it. */
export async function removeLeftovers(dir: string, fs: FileSystem): Promise<void> {
  const parent = dirname(dir);
  if ((await fs.follow(parent))?.kind !== 'folder') return;
  for (const folder of await listStagingFolders(parent, fs, basename(dir))) {
    if (!isInUse(folder)) await fs.removeTree(folder.path);
  }
}
