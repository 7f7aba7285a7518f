/** Compares a project in memory with the one on disk, and plans the changes. */
import { getOwnMember } from '../../templates/runtime/contract/json-value.ts';
import { join } from 'node:path';

import {
  type GeneratedFile,
  hashContents,
  hashTokens,
  isHashOf,
  lockPath,
  allFileHashes,
  manifestPath,
  packagePath,
  addOwnedToLock,
} from '../emit/index.ts';
import { formatNameList } from '../util/collections.ts';
import { findConflict, splitConflict } from '../util/conflict-markers.ts';
import { stampPath } from './built-stamp.ts';
import { makeFileChange, planUserChangedFile, reportConflicts } from './edited-files.ts';
import { type Obstacle, findObstacle } from './find-obstacle.ts';
import { planPackage } from './plan-package.ts';
import type { PlanContext, Plan, WriteTarget } from './write-target.ts';

/** Plans the changes that make the disk hold `files`. The lock comes last, since it depends on the other files. */
export async function planChanges(files: GeneratedFile[], context: PlanContext): Promise<Plan> {
  const plan = emptyPlan();
  const obstacles = new Map<string, Obstacle>();
  for (const each of files) {
    const file = each.path === lockPath ? addOwnedToLock(each, plan.owned) : each;
    const verdict = await compareWithDisk(file, context, obstacles);
    if (verdict === 'merged') plan.remade.push(file.path);
    if (verdict === 'same') plan.unchanged.push(file.path);
    else if (verdict === 'users') plan.kept.push(file.path);
    else if (verdict === 'obstructed') plan.obstructed = true;
    else if (verdict === 'foreign' && !context.rebuilds && context.edits !== 'force')
      plan.foreign.push(file.path);
    else if ((verdict === 'edited' || verdict === 'foreign') && file.path === packagePath)
      await planPackage(file, context, plan);
    else if (verdict === 'edited' || (verdict === 'foreign' && context.rebuilds))
      await planUserChangedFile(file, context, plan);
    else {
      const isUsers = verdict === 'foreign' || (verdict === 'merged' && (await hasOtherLines(file, context)));
      plan.changes.push(await makeFileChange(file, context, isUsers));
    }
  }
  reportConflicts(plan.conflicts, context);
  for (const { kind, path } of obstacles.values()) context.diagnostics.report(kind, { path });
  return plan;
}

/** Whether the file that git merged has a line that is not generated now: a person may have written it. */
async function hasOtherLines({ path, contents }: GeneratedFile, { root, fs }: PlanContext): Promise<boolean> {
  const generatedLines = new Set(contents.split('\n'));
  const sides = splitConflict(await fs.readText(join(root, path)));
  return sides.some((side) => side.split('\n').some((line) => !generatedLines.has(line)));
}

function emptyPlan(): Plan {
  return {
    changes: [],
    removals: [],
    unchanged: [],
    kept: [],
    edited: [],
    foreign: [],
    taken: [],
    remade: [],
    owned: {},
    conflicts: [],
    obstructed: false,
  };
}

export function reportRefusals(
  { edited, foreign }: Plan,
  { root, lock, diagnostics }: PlanContext,
  { configuration = 'mcpgen.config.json' }: Pick<WriteTarget, 'configuration'>,
): void {
  if (edited.length > 0)
    diagnostics.report('file-edited', { dir: root, configuration, files: formatNameList(edited) });
  if (foreign.length > 0)
    diagnostics.report('file-not-ours', {
      dir: root,
      files: formatNameList(foreign),
      lock: lock === undefined ? 'none' : 'there',
    });
}

/** `edited`: generated, and edited or taken over by the user. `merged`: git has merged it from two generated versions. */
type Verdict = 'new' | 'same' | 'ours' | 'merged' | 'users' | 'edited' | 'foreign' | 'obstructed';

/** `obstacles` has each obstacle once, since one link or file can obstruct many files. */
async function compareWithDisk(
  file: GeneratedFile,
  context: PlanContext,
  obstacles: Map<string, Obstacle>,
): Promise<Verdict> {
  const { root, fs, lockText } = context;
  const path = join(root, file.path);
  if (file.ownership === 'once' && (await fs.follow(path)) !== undefined) return 'users';
  const obstacle = await findObstacle(root, file.path, fs);
  if (obstacle !== undefined) {
    obstacles.set(obstacle.path, obstacle);
    return 'obstructed';
  }
  if ((await fs.look(path)) === undefined) return 'new';
  const lockContents = file.path === lockPath ? lockText : undefined;
  return compareContents(file, lockContents ?? (await fs.readText(path)), context);
}

/** A copy of a file that functions read beside themselves: a server may also write to it. */
function isData(path: string): boolean {
  return path !== stampPath && path.startsWith('dist/app/') && !/\.[cm]?[jt]sx?$/.test(path);
}

function compareContents(
  { path, contents, ownership }: GeneratedFile,
  onDisk: string,
  {
    lock,
    isProject,
    rebuilds = false,
    check = false,
    mergedPaths,
    oldHashes = {},
    builtHashes = {},
    diagnostics,
  }: PlanContext,
): Verdict {
  if (onDisk === contents) return 'same';
  if (ownership === 'built' && isData(path) && hashContents(onDisk) !== getOwnMember(builtHashes, path)) {
    diagnostics.report('built-data-kept', { path });
    return 'users';
  }
  // Built modules are not edited by hand.
  if (path === stampPath || (ownership === 'built' && isProject)) return 'ours';
  if (path === lockPath && (rebuilds || lock !== undefined)) return 'ours';
  const isConflicted = findConflict(onDisk) !== undefined && findConflict(contents) === undefined;
  if (lock === undefined) {
    if (isHashOf(getOwnMember(oldHashes, path), path, onDisk)) return 'ours';
    return rebuilds && isConflicted && path !== packagePath ? 'merged' : 'foreign';
  }
  if (hashContents(onDisk) === hashContents(contents)) return 'same';
  const isFormatted = hashTokens(path, onDisk) === hashTokens(path, contents);
  // `check` accepts the layout of a formatter.
  if (check && isFormatted) return 'same';
  if (path === manifestPath && (lock.runtime ?? lock.unfinished) !== undefined) return 'ours';
  const lockedHash = getOwnMember(allFileHashes(lock), path);
  if (lockedHash === undefined) return 'foreign';
  if (isFormatted || isHashOf(lockedHash, path, onDisk)) return 'ours';
  // Both sides have generated it.
  const isMerged = isConflicted || mergedPaths?.has(path) === true;
  return isMerged && path !== packagePath && !Object.hasOwn(lock.owned ?? {}, path) ? 'merged' : 'edited';
}
