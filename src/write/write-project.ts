import { join, resolve } from 'node:path';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { type GeneratedFile, lockPath } from '../emit/index.ts';
import { applyPlan, makeFolders, removeTemporaryFiles, UnfinishedError } from './apply.ts';
import { reportNamesOfHandlers, replaceBuiltHandlers } from './handlers.ts';
import { type FileSystem, describeSystemError, nodeFileSystem, reportSystemError } from './file-system.ts';
import { unifiedDiff } from './diff-lines.ts';
import { formatNameList } from '../util/collections.ts';
import { planChanges, reportRefusals } from './plan.ts';
import { planRemovals } from './plan-removals.ts';
import { type LockFile, readLockFile, reportStrayPaths } from './read-lock.ts';
import { removeTemporaryEnding } from './temporary-files.ts';
import {
  type PlanContext,
  emptyReport as nothing,
  type FileDiff,
  type Plan,
  type WriteReport,
  type WriteTarget,
} from './write-target.ts';

/** A file that every project has, and hardly any other folder. */
const MARK = 'src/generated/catalog.json';

/**
 * Writes a project into `target.dir`. If an error is reported, nothing has changed; after `write-unfinished`, some files are new,
 * and the next run completes the project. Files of the user are never lost: they are refused, or with `force` kept as
 * `<name>.orig`.
 *
 * Throws the signal's reason if it is aborted before files change.
 */
export async function writeProject(
  files: GeneratedFile[],
  target: WriteTarget,
  diagnostics: DiagnosticCollector,
  fs: FileSystem = nodeFileSystem,
): Promise<WriteReport> {
  const dir = resolve(target.dir);
  try {
    target.signal?.throwIfAborted();
    const entry = await fs.follow(dir);
    if (entry?.kind === 'folder') return await updateProject(files, { ...target, dir }, diagnostics, fs);
    if (entry !== undefined) diagnostics.report('target-not-a-folder', { dir, is: 'a file' });
    else if ((await fs.look(dir)) !== undefined)
      diagnostics.report('target-not-a-folder', { dir, is: 'a link that leads nowhere' });
    else if (target.check === true) reportMissingProject(target, diagnostics);
    else return await createProject(files, { ...target, dir }, diagnostics, fs);
  } catch (error) {
    if (!(error instanceof UnfinishedError)) reportSystemError(error, dir, diagnostics);
    else diagnostics.report('write-unfinished', { dir, reason: describeSystemError(error.cause, dir) });
  }
  return nothing;
}

function reportMissingProject(
  { dir, label = dir, again = '' }: WriteTarget,
  diagnostics: DiagnosticCollector,
): void {
  diagnostics.report('project-missing', { dir: label, command: again });
}

async function createProject(
  files: GeneratedFile[],
  target: WriteTarget,
  diagnostics: DiagnosticCollector,
  fs: FileSystem,
): Promise<WriteReport> {
  if (target.dryRun === true) return { ...nothing, written: files.map(({ path }) => path) };
  const folders = await makeFolders(target.dir, fs);
  try {
    return await updateProject(files, target, diagnostics, fs);
  } finally {
    // Only folders in which nothing was written are empty.
    for (const folder of folders.toReversed()) await fs.removeEmptyFolder(folder).catch(() => undefined);
  }
}

async function findLock(
  root: string,
  { existing, rebuildLock = false }: WriteTarget,
  diagnostics: DiagnosticCollector,
  fs: FileSystem,
): Promise<LockFile> {
  if (rebuildLock) return {};
  if (existing === undefined) return readLockFile(root, diagnostics, fs);
  diagnostics.include(existing.problems);
  return existing;
}

async function updateProject(
  files: GeneratedFile[],
  target: WriteTarget,
  diagnostics: DiagnosticCollector,
  fs: FileSystem,
): Promise<WriteReport> {
  const root = await fs.realPath(target.dir);
  const problemCount = diagnostics.found.length;
  const { lock, text: lockText, mergedPaths } = await findLock(root, target, diagnostics, fs);
  if (lock !== undefined) reportStrayPaths(lock, join(root, lockPath), diagnostics);
  if (diagnostics.found.length > problemCount) return nothing;
  const isProject = lock !== undefined || (await fs.follow(join(root, MARK)))?.kind === 'file';
  const rebuilds = isProject && target.rebuildLock === true;
  const { label = target.dir } = target;
  const state = { root, label, lock, lockText, mergedPaths, isProject, rebuilds };
  const context: PlanContext = { ...target, ...state, fs, diagnostics };
  if (target.check === true) {
    if (lock !== undefined) return compareWithoutWriting(files, context);
    reportMissingProject(target, diagnostics);
    return nothing;
  }
  const isMixed =
    lock === undefined && !rebuilds && target.force !== true && (await reportUnrelatedFiles(files, context));
  const ready = await replaceBuiltHandlers(files, context);
  const plan = await planChanges(ready, context);
  reportRefusals(plan, context);
  if (plan.obstructed || isMixed) return nothing;
  await planRemovals(ready, plan, context);
  const { edited, foreign, removed } = plan.report;
  const refused = ready.filter(({ path }) => edited.includes(path));
  const diffs = await makeFileDiffs(refused, context);
  if (target.dryRun === true) return { ...makeWriteReport(plan), diffs };
  if (edited.length + foreign.length > 0 || diagnostics.hasErrors) {
    await removeTemporaryFiles(context);
    return { ...nothing, edited, foreign, diffs };
  }
  await target.beforeWriting?.(removed.filter(isOutsideBuild).sort(compareBySetting));
  if (!(await applyPlan(plan, context))) return nothing;
  await removeTemporaryFiles(context);
  if (plan.remade.length > 0)
    diagnostics.report('merge-generated-anew', { dir: root, files: formatNameList(plan.remade) });
  return makeWriteReport(plan);
}

/** `dist/` is built from the rest. */
function isOutsideBuild(path: string): boolean {
  return !path.startsWith('dist/');
}

/** Files of targets and features that a person has chosen come before the code that every project has. */
function compareBySetting(one: string, other: string): number {
  return Number(one.startsWith('src/')) - Number(other.startsWith('src/')) || (one < other ? -1 : 1);
}

async function compareWithoutWriting(files: GeneratedFile[], context: PlanContext): Promise<WriteReport> {
  await reportNamesOfHandlers(files, context);
  const compared = files.filter(({ ownership }) => ownership !== 'built');
  const plan = await planChanges(compared, context);
  if (plan.obstructed) return nothing;
  await planRemovals(compared, plan, context);
  const { edited, foreign, removed } = plan.report;
  const refused = compared.filter(({ path }) => edited.includes(path) || foreign.includes(path));
  const diffs = await makeFileDiffs([...plan.changes, ...refused], context);
  return { ...makeWriteReport(plan), removed: removed.filter(isOutsideBuild), diffs };
}

/** Unified diffs from the files on disk to the generated ones, for `git apply`; without missing files, and the lock. */
async function makeFileDiffs(
  files: readonly Pick<GeneratedFile, 'path' | 'contents'>[],
  { root, fs }: PlanContext,
): Promise<FileDiff[]> {
  const diffs: FileDiff[] = [];
  for (const { path, contents } of files) {
    const place = join(root, path);
    if (path === lockPath || (await fs.look(place)) === undefined) continue;
    const diff = await unifiedDiff(await fs.readText(place), contents, `a/${path}`, `b/${path}`);
    if (diff !== '') diffs.push({ path, diff });
  }
  return diffs;
}

/** Reports files of a folder that is no project, since it was hardly meant; hidden ones (`.git`) are ignored. */
async function reportUnrelatedFiles(
  files: GeneratedFile[],
  { root, fs, known: sourcePaths = [], diagnostics }: PlanContext,
): Promise<boolean> {
  const ours = new Set([...files.map(({ path }) => path), ...sourcePaths].map((path) => path.split('/')[0]));
  const strangers = (await fs.readFolder(root)).filter(
    (name) => !name.startsWith('.') && !ours.has(removeTemporaryEnding(name)),
  );
  if (strangers.length === 0) return false;
  diagnostics.report('target-not-empty', { dir: root, files: formatNameList(strangers, 5) });
  return true;
}

function makeWriteReport({ report, changes }: Plan): WriteReport {
  return {
    ...report,
    written: changes.map(({ path }) => path),
    saved: changes.flatMap(({ saveAs }) => saveAs ?? []),
  };
}
