import { join } from 'node:path';
import { type GeneratedFile, isHashOf, isReserved, pathOfBuild } from '../emit/index.ts';
import { findObstacle } from './find-obstacle.ts';
import type { PlanContext, Plan } from './write-target.ts';

/**
 * Adds the files of the last run that are no longer generated to `plan`, each with what was built from it. Only unedited files that
 * the lock lists are removed.
 */
export async function planRemovals(files: GeneratedFile[], plan: Plan, context: PlanContext): Promise<void> {
  const { lock, root, fs, diagnostics } = context;
  const current = new Set(files.map(({ path }) => path));
  for (const [path, entry] of Object.entries(lock?.files ?? {})) {
    if (current.has(path) || isReserved(path) || !(await isPlainFile(path, context))) continue;
    if (isHashOf(entry, await fs.readText(join(root, path)))) {
      plan.report.removed.push(path);
      const built = pathOfBuild(path);
      if (/^(?:src|test)\//.test(path) && !current.has(built) && (await isPlainFile(built, context)))
        plan.report.removed.push(built);
    } else {
      plan.report.kept.push(path);
      diagnostics.report('obsolete-file-kept', { path });
    }
  }
}

async function isPlainFile(path: string, { root, fs }: PlanContext): Promise<boolean> {
  if ((await findObstacle(root, path, fs, { links: false })) !== undefined) return false;
  return (await fs.look(join(root, path))) !== undefined;
}
