/** Compares a file on disk with the generated one. */
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
import type { FindMaking } from './merged-files.ts';
import type { Comparison } from './write-target.ts';

export type Verdict = 'new' | 'same' | 'ours' | 'users' | 'edited' | 'owned' | 'foreign' | 'obstructed';

/** `obstacles` has each obstacle once, since one link or file can obstruct many files. */
export async function judge(
  file: GeneratedFile,
  comparison: Comparison,
  obstacles: Map<string, Obstacle>,
  findMaking: FindMaking,
): Promise<{ verdict: Verdict; isMerged: boolean }> {
  const verdict = await look(file, comparison, obstacles);
  const isStrange = verdict === 'edited' || verdict === 'foreign';
  if (!isStrange || comparison.lock === undefined || file.path === packagePath)
    return { verdict, isMerged: false };
  // A text that git has merged is neither edited nor foreign.
  const making = await findMaking(file.path, await comparison.fs.readText(join(comparison.root, file.path)));
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
  // Built files are not edited by hand.
  if (path === stampPath || (ownership === 'built' && isProject)) return 'ours';
  if (path === lockPath && (rebuilds || lock !== undefined)) return 'ours';
  if (lock === undefined) return isHashOf(told[path], path, onDisk) ? 'ours' : 'foreign';
  if (hashContents(onDisk) === hashContents(contents)) return 'same';
  const isFormatted = hashTokens(path, onDisk) === hashTokens(path, contents);
  // `check` accepts the layout of a formatter.
  if (check && isFormatted) return 'same';
  if (path === manifestPath && lock.runtime !== undefined) return 'ours';
  const known = lockedFiles(lock)[path];
  if (known === undefined) return 'foreign';
  if (isFormatted || isHashOf(known, path, onDisk)) return 'ours';
  return Object.hasOwn(lock.owned ?? {}, path) ? 'owned' : 'edited';
}
