import { join } from 'node:path';
import { type GeneratedFile, isHashOf, isReserved } from '../emit/index.ts';
import { listFiles } from './file-system.ts';
import { findObstacle } from './find-obstacle.ts';
import type { PlanContext, Plan } from './write-target.ts';

/** Adds the files of the last run that are no longer generated to `plan`. Only unedited files that the lock lists are removed. */
export async function planRemovals(files: GeneratedFile[], plan: Plan, context: PlanContext): Promise<void> {
  const { lock, root, fs, diagnostics } = context;
  const current = new Set(files.map(({ path }) => path));
  for (const [path, entry] of Object.entries(lock?.files ?? {})) {
    if (current.has(path) || isReserved(path) || !(await isPlainFile(path, context))) continue;
    if (isHashOf(entry, await fs.readText(join(root, path)))) {
      plan.report.removed.push(path);
    } else {
      plan.report.kept.push(path);
      diagnostics.report('obsolete-file-kept', { path });
    }
  }
}

/**
 * Adds files that a build or an earlier run has written to `dist/`, and that have no source any more, since all of `dist/` is
 * published. Other files there are data of the server. Call it after `planRemovals`.
 */
export async function planBuiltRemovals(
  files: GeneratedFile[],
  plan: Plan,
  context: PlanContext,
): Promise<void> {
  const { lock, root, fs, builtHashes } = context;
  const current = new Set(files.map(({ path }) => path));
  // Of the generated runtime, `npm run build` writes other files than mcpgen.
  const isSource = (path: string): boolean =>
    !plan.report.removed.includes(path) &&
    !(path.startsWith('src/runtime/') && (current.has(path) || Object.hasOwn(lock?.files ?? {}, path)));
  const sources = [...(await listFiles('src', root, fs)), ...(await listFiles('test', root, fs))];
  const stems = new Set(sources.filter(isSource).map((path) => stemOf(path.replace(/^src\//, ''))));
  for (const path of Object.keys(builtHashes)) {
    const below = /^dist\/(?!src\/)(.+)/.exec(path)?.[1];
    if (below === undefined || stems.has(stemOf(below)) || current.has(path)) continue;
    if (!plan.report.removed.includes(path) && (await isPlainFile(path, context)))
      plan.report.removed.push(path);
  }
}

function stemOf(path: string): string {
  return path.replace(/\.map$/, '').replace(/\.[cm]?[jt]sx?$/, '');
}

async function isPlainFile(path: string, { root, fs }: PlanContext): Promise<boolean> {
  if ((await findObstacle(root, path, fs, { links: false })) !== undefined) return false;
  return (await fs.look(join(root, path))) !== undefined;
}
