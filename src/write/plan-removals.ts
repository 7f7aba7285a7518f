import { join } from 'node:path';
import { builtPath, type GeneratedFile, hashContents } from '../emit/index.ts';
import { findObstacle } from './find-obstacle.ts';
import type { Comparison, Plan } from './plan.ts';

/**
 * Adds to `plan` the files of the last run that this one doesn't make. Only files the lock lists and nobody edited
 * are removed, each with what was built from it.
 */
export async function planRemovals(
  files: GeneratedFile[],
  plan: Plan,
  comparison: Comparison,
): Promise<void> {
  const { lock, diagnostics } = comparison;
  const current = new Set(files.map(({ path }) => path));
  const obsolete = Object.entries(lock?.files ?? {}).filter(([path]) => !current.has(path));
  for (const [path, hash] of obsolete) {
    const text = await readPlainFile(path, comparison);
    if (text === undefined) continue;
    if (hashContents(text) !== hash) {
      plan.kept.push(path);
      diagnostics.report('obsolete-file-kept', { path });
      continue;
    }
    plan.removals.push(path);
    const built = builtPath(path);
    if (!current.has(built) && (await readPlainFile(built, comparison)) !== undefined)
      plan.removals.push(built);
  }
}

async function readPlainFile(path: string, { root, fs }: Comparison): Promise<string | undefined> {
  if ((await findObstacle(root, path, fs)) !== undefined) return undefined;
  const place = join(root, path);
  return (await fs.look(place)) === undefined ? undefined : fs.readText(place);
}
