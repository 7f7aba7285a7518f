import { join } from 'node:path';
import {
  pathOfBuild,
  type GeneratedFile,
  isHashOf,
  isReserved,
  allFileHashes,
  manifestPath,
} from '../emit/index.ts';
import { type FileSystem, listFiles } from './file-system.ts';
import { findObstacle } from './find-obstacle.ts';
import type { PlanContext, Plan } from './write-target.ts';

/** The built runtime: few files by this compiler, or one per module by `npm run build`. */
const builtRuntime = 'dist/runtime';
const builtHandlers = 'dist/handlers';

/**
 * Adds the files of the last run that are no longer generated to `plan`, with the files built from them. Only unedited files
 * that the lock lists are removed.
 */
export async function planRemovals(files: GeneratedFile[], plan: Plan, context: PlanContext): Promise<void> {
  const { lock, diagnostics } = context;
  const current = new Set(files.map(({ path }) => path));
  if (lock?.runtime !== undefined && !current.has(manifestPath)) plan.removals.push(manifestPath);
  const listed = lock === undefined ? {} : lock.isManifestForeign === true ? lock.files : allFileHashes(lock);
  const obsolete = Object.entries(listed).filter(([path]) => !current.has(path) && !isReserved(path));
  for (const [path, hash] of obsolete) {
    const text = await readPlainFile(path, context);
    if (text === undefined) continue;
    if (!isHashOf(hash, path, text)) {
      plan.kept.push(path);
      diagnostics.report('obsolete-file-kept', { path });
      continue;
    }
    plan.removals.push(path);
    const built = pathOfBuild(path);
    if (built.startsWith(`${builtRuntime}/`)) continue;
    if (!current.has(built) && (await readPlainFile(built, context)) !== undefined) plan.removals.push(built);
  }
}

/**
 * Adds unused files of the built runtime and built handlers without source to `plan`, since all of `dist/` is published. Files
 * built from the user's own files beside the runtime stay.
 */
export async function planBuiltRemovals(
  files: GeneratedFile[],
  plan: Plan,
  { lock, isProject, root, fs }: PlanContext,
): Promise<void> {
  if (!isProject) return;
  const current = new Set(files.map(({ path }) => path));
  const sources = await listFiles('src/runtime', root, fs);
  const locked = lock === undefined ? {} : allFileHashes(lock);
  const isInLock = (path: string): boolean => Object.hasOwn(locked, path);
  const own = sources.filter((path) => !current.has(path) && !isInLock(path)).map(pathOfBuild);
  const stale = (await listFiles(builtRuntime, root, fs)).filter((path) => !current.has(path));
  plan.removals.push(...stale.filter((path) => !own.includes(path)));
  plan.removals.push(...(await findOrphanedHandlers(current, root, fs)));
}

/** Built handlers without source: a handler that still imports one would run until the next `npm run build`. */
async function findOrphanedHandlers(
  current: ReadonlySet<string>,
  root: string,
  fs: FileSystem,
): Promise<string[]> {
  const files = await listFiles('src/handlers', root, fs);
  const sources = new Set(files.map((path) => path.replace(/^src/, 'dist').replace(/\.tsx?$/, '.js')));
  const modules = (await listFiles(builtHandlers, root, fs)).filter((path) => path.endsWith('.js'));
  return modules.filter((path) => !current.has(path) && !sources.has(path));
}

async function readPlainFile(path: string, { root, fs }: PlanContext): Promise<string | undefined> {
  if ((await findObstacle(root, path, fs, { links: false })) !== undefined) return undefined;
  const place = join(root, path);
  return (await fs.look(place)) === undefined ? undefined : fs.readText(place);
}
