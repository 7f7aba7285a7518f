/** Undoes a run that was killed, at the start of the next one. */
import { basename, dirname, join } from 'node:path';
import { createDiagnostic, type DiagnosticCollector } from '../diagnostics/collector.ts';
import { type FileSystem, withMarkedReadErrors, nodeFileSystem, reportSystemError } from './file-system.ts';
import { isTracked } from './git.ts';
import { type Journal, RollbackError, removeJournal, readJournal, rollBack } from './journal.ts';
import { isInUse, listStagingFolders, type StagingFolder } from './staging-folder.ts';

/**
 * Undoes and reports the changes of a killed run to the project in `dir`. Resolves to false if that fails or another run uses the
 * project; that is reported. A staging folder that this user's mcpgen has not made is reported and stays. With `check` or
 * `dryRun`, leftovers are only reported.
 */
export async function recoverProject(
  dir: string,
  diagnostics: DiagnosticCollector,
  { check = false, dryRun = false }: { check?: boolean; dryRun?: boolean } = {},
  system: FileSystem = nodeFileSystem,
): Promise<boolean> {
  const fs = withMarkedReadErrors(system);
  try {
    const [root, leftovers] = await findLeftovers(dir, fs);
    const used = leftovers.find(({ left }) => left === 'in-use');
    if (used !== undefined) {
      diagnostics.report('project-in-use', { dir, folder: used.path, process: used.owner });
      return false;
    }
    const ours = leftovers.filter((each) => !reportIfStaying(each, dir, check || dryRun, diagnostics));
    for (const each of ours) if (!(await rollBackLeftover(root, each, diagnostics, fs))) return false;
    return true;
  } catch (error) {
    reportSystemError(error, dir, diagnostics);
    return false;
  }
}

export async function reportLeftovers(dir: string, diagnostics: DiagnosticCollector): Promise<void> {
  const [, leftovers] = await findLeftovers(dir, nodeFileSystem).catch(() => [dir, []] as const);
  for (const each of leftovers) if (each.left !== 'in-use') reportIfStaying(each, dir, true, diagnostics);
}

interface Leftover extends StagingFolder {
  left: Journal | 'in-use' | 'foreign' | 'damaged' | undefined;
}

async function findLeftovers(dir: string, fs: FileSystem): Promise<[root: string, Leftover[]]> {
  if ((await fs.follow(dir))?.kind !== 'folder') return [dir, []];
  const root = await fs.realPath(dir);
  const leftovers: Leftover[] = [];
  for (const staging of await listStagingFolders(root, fs))
    leftovers.push({ ...staging, left: await judgeLeftover(root, staging, fs) });
  return [root, leftovers];
}

/** A folder is foreign if its name is not signed, if git tracks it, or if it contains a link, which could lead anywhere. */
async function judgeLeftover(
  root: string,
  staging: StagingFolder,
  fs: FileSystem,
): Promise<Leftover['left']> {
  const { path } = staging;
  if (!(await isOwnStagingFolder(staging, root))) return 'foreign';
  if (isInUse(staging)) return 'in-use';
  if (await hasLink(path, fs)) return 'foreign';
  return readJournal(root, path, fs);
}

async function isOwnStagingFolder(
  { path, isOurs: isNamedByUs }: StagingFolder,
  parent: string,
): Promise<boolean> {
  return isNamedByUs && !(await isTracked(parent, basename(path)));
}

async function hasLink(folder: string, fs: FileSystem): Promise<boolean> {
  for (const name of await fs.readFolder(folder)) {
    const path = join(folder, name);
    const kind = (await fs.look(path))?.kind;
    if (kind === 'folder' ? await hasLink(path, fs) : kind !== 'file') return true;
  }
  return false;
}

/** Reports a folder that this run leaves alone, once however often it looks. Returns whether the folder stays. */
function reportIfStaying(
  { path: folder, left }: Leftover,
  dir: string,
  looksOnly: boolean,
  diagnostics: DiagnosticCollector,
): boolean {
  if (left !== 'foreign' && !looksOnly) return false;
  const found =
    left === 'foreign'
      ? createDiagnostic('leftover-foreign', { folder })
      : createDiagnostic('leftover-found', { dir, folder });
  if (!diagnostics.found.some(({ message }) => message === found.message)) diagnostics.add(found);
  return true;
}

async function rollBackLeftover(
  root: string,
  { path: folder, left }: Leftover,
  diagnostics: DiagnosticCollector,
  fs: FileSystem,
): Promise<boolean> {
  if (left === 'damaged') {
    diagnostics.report('journal-damaged', { folder });
    return false;
  }
  if (typeof left === 'object') {
    try {
      const saved = await rollBack(left, { root, folder, fs, links: false });
      const place = (await isInRepository(root, fs)) ? 'repository' : 'folder';
      diagnostics.report('run-undone', { dir: root, saved: saved.join(', '), place });
    } catch (error) {
      if (!(error instanceof RollbackError)) throw error;
      reportFailedRollback(error, folder, diagnostics);
      return false;
    }
    await removeJournal(folder, fs);
  }
  await fs.removeTree(folder);
  return true;
}

async function isInRepository(folder: string, fs: FileSystem): Promise<boolean> {
  if ((await fs.look(join(folder, '.git'))) !== undefined) return true;
  return dirname(folder) !== folder && isInRepository(dirname(folder), fs);
}

export function reportFailedRollback(
  { path, message: reason }: RollbackError,
  folder: string,
  diagnostics: DiagnosticCollector,
): void {
  diagnostics.report('rollback-failed', { path, folder: join(folder, 'old'), reason });
}

export async function removeLeftovers(
  dir: string,
  diagnostics: DiagnosticCollector,
  fs: FileSystem,
): Promise<void> {
  if ((await fs.follow(dirname(dir)))?.kind !== 'folder') return;
  const parent = await fs.realPath(dirname(dir));
  for (const folder of await listStagingFolders(parent, fs, basename(dir))) {
    if (!(await isOwnStagingFolder(folder, parent)))
      diagnostics.report('leftover-foreign', { folder: folder.path });
    else if (!isInUse(folder)) await fs.removeTree(folder.path);
  }
}
