/** What `check` shows of the files that differ. */
import { join } from 'node:path';
import { type GeneratedFile, lockPath } from '../emit/index.ts';
import { unifiedDiff } from './lines/unified-diff.ts';
import type { Comparison, Plan } from './plan.ts';
import type { FileDiff } from './write-target.ts';

/**
 * Unified diffs from what is there to what would be written, as `git apply` takes them; of obsolete files and missing ones
 * the name says it all. The lock follows from the others.
 */
export async function diffFiles(
  files: GeneratedFile[],
  { changes, edited, foreign }: Plan,
  { root, fs }: Comparison,
): Promise<FileDiff[]> {
  const unwritten = files.filter(({ path }) => edited.includes(path) || foreign.includes(path));
  const diffs: FileDiff[] = [];
  for (const { path, contents } of [...changes, ...unwritten]) {
    const place = join(root, path);
    if (path === lockPath || (await fs.look(place)) === undefined) continue;
    const diff = unifiedDiff(await fs.readText(place), contents, `a/${path}`, `b/${path}`);
    if (diff !== '') diffs.push({ path, diff });
  }
  return diffs;
}
