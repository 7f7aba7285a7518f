import { join } from 'node:path';
import { type GeneratedFile, lockPath } from '../emit/index.ts';
import { unifiedDiff } from './lines/unified-diff.ts';
import type { Comparison, FileDiff, Plan } from './write-target.ts';

/** Unified diffs from the files on disk to the generated ones, for `git apply`; without obsolete and missing files, and the lock. */
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
