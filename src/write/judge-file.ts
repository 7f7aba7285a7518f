/** How a file on disk relates to the one that is generated. */
import { join } from 'node:path';
import {
  type GeneratedFile,
  hashContents,
  hashTokens,
  isHashOf,
  lockedFiles,
  lockPath,
  manifestPath,
  packagePath,
} from '../emit/index.ts';
import { stampPath } from './built-stamp.ts';
import { findObstacle, type Obstacle } from './find-obstacle.ts';
import type { MakingOf } from './merged-files.ts';
import type { Comparison } from './plan.ts';

export type Verdict = 'new' | 'same' | 'ours' | 'users' | 'edited' | 'owned' | 'foreign' | 'obstructed';

/** One link or file can stand in the way of a hundred files: `obstacles` gathers each once. */
export async function judge(
  file: GeneratedFile,
  comparison: Comparison,
  obstacles: Map<string, Obstacle>,
  makingOf: MakingOf,
): Promise<{ verdict: Verdict; isMerged: boolean }> {
  const verdict = await look(file, comparison, obstacles);
  const isStrange = verdict === 'edited' || verdict === 'foreign';
  if (!isStrange || comparison.lock === undefined || file.path === packagePath)
    return { verdict, isMerged: false };
  // What git has put there is no edit, and not somebody else's.
  const making = await makingOf(file.path, await comparison.fs.readText(join(comparison.root, file.path)));
  return { verdict: making === 'unknown' ? verdict : 'ours', isMerged: making === 'merged' };
}

async function look(
  file: GeneratedFile,
  comparison: Comparison,
  obstacles: Map<string, Obstacle>,
): Promise<Verdict> {
  const { root, fs, lockText } = comparison;
  const path = join(root, file.path);
  if (file.ownership === 'once' && (await fs.follow(path)) !== undefined) return 'users';
  const obstacle = await findObstacle(root, file.path, fs);
  if (obstacle !== undefined) {
    obstacles.set(obstacle.path, obstacle);
    return 'obstructed';
  }
  if ((await fs.look(path)) === undefined) return 'new';
  const known = file.path === lockPath ? lockText : undefined;
  return compare(file, known ?? (await fs.readText(path)), comparison);
}

function compare(
  { path, contents, ownership }: GeneratedFile,
  onDisk: string,
  { lock, isProject, rebuilds = false, check = false, told = {} }: Comparison,
): Verdict {
  if (onDisk === contents) return 'same';
  // Nobody writes it by hand.
  if (path === stampPath || (ownership === 'built' && isProject)) return 'ours';
  if (path === lockPath && (rebuilds || lock !== undefined)) return 'ours';
  if (lock === undefined) return isHashOf(told[path], path, onDisk) ? 'ours' : 'foreign';
  if (hashContents(onDisk) === hashContents(contents)) return 'same';
  const isFormatted = hashTokens(path, onDisk) === hashTokens(path, contents);
  // A formatter's layout stays until the next run writes the file.
  if (check && isFormatted) return 'same';
  if (path === manifestPath && lock.runtime !== undefined) return 'ours';
  const known = lockedFiles(lock)[path];
  if (known === undefined) return 'foreign';
  if (isFormatted || isHashOf(known, path, onDisk)) return 'ours';
  return Object.hasOwn(lock.owned ?? {}, path) ? 'owned' : 'edited';
}
