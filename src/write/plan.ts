/** Compares a project in memory with the one on disk, and plans the changes. */
import { ownMember } from '../../templates/runtime/json-rpc.ts';
import { join } from 'node:path';

import {
  type GeneratedFile,
  hashContents,
  hashWithoutLayout,
  isHashOf,
  lockPath,
  packagePath,
  parseLock,
  printLock,
} from '../emit/index.ts';
import { formatNameList } from '../util/collections.ts';
import { findConflict, splitConflict } from '../util/conflict-markers.ts';
import { makeFileChange, planUserChangedFile, reportConflicts } from './edited-files.ts';
import { type Obstacle, findObstacle } from './find-obstacle.ts';
import { planPackage } from './plan-package.ts';
import { type PlanContext, type Plan, emptyReport } from './write-target.ts';

/** Plans the changes that make the disk hold `files`. The lock comes last, since it depends on the other files. */
export async function planChanges(files: GeneratedFile[], context: PlanContext): Promise<Plan> {
  const plan: Plan = {
    report: structuredClone(emptyReport),
    changes: [],
    remade: [],
    owned: {},
    conflicts: [],
    obstructed: false,
  };
  const obstacles = new Map<string, Obstacle>();
  for (const each of files) {
    const file = each.path === lockPath ? addOwnedFiles(each, plan.owned) : each;
    const verdict = await compareWithDisk(file, context, obstacles);
    if (verdict === 'merged') plan.remade.push(file.path);
    if (verdict === 'same') plan.report.unchanged.push(file.path);
    else if (verdict === 'users') plan.report.kept.push(file.path);
    else if (verdict === 'obstructed') plan.obstructed = true;
    else if (verdict === 'foreign' && !context.rebuilds && context.force !== true)
      plan.report.foreign.push(file.path);
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

function addOwnedFiles(file: GeneratedFile, owned: Record<string, string>): GeneratedFile {
  const lock = Object.keys(owned).length === 0 ? undefined : parseLock(file.contents);
  return lock === undefined ? file : { ...file, contents: printLock({ ...lock, owned }) };
}

/** Whether the file that git merged has a line that is not generated now: a person may have written it. */
async function hasOtherLines({ path, contents }: GeneratedFile, { root, fs }: PlanContext): Promise<boolean> {
  const generatedLines = new Set(contents.split('\n'));
  const sides = splitConflict(await fs.readText(join(root, path)));
  return sides.some((side) => side.split('\n').some((line) => !generatedLines.has(line)));
}

export function reportRefusals({ report: { edited, foreign } }: Plan, context: PlanContext): void {
  const { root: dir, lock, configuration = 'mcpgen.config.json', diagnostics } = context;
  if (edited.length > 0)
    diagnostics.report('file-edited', { dir, configuration, files: formatNameList(edited) });
  if (foreign.length > 0)
    diagnostics.report('file-not-ours', {
      dir,
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
  return path.startsWith('dist/app/') && !/\.[cm]?[jt]sx?$/.test(path);
}

function compareContents(
  { path, contents, ownership }: GeneratedFile,
  onDisk: string,
  context: PlanContext,
): Verdict {
  const { lock, isProject, rebuilds, check = false, mergedPaths } = context;
  if (onDisk === contents || hashContents(onDisk) === hashContents(contents)) return 'same';
  const copiedFrom = ownMember(lock?.files ?? {}, path.replace(/^dist\//, 'src/'));
  if (ownership === 'built' && isData(path) && copiedFrom !== undefined && !isHashOf(copiedFrom, onDisk)) {
    context.diagnostics.report('built-data-kept', { path });
    return 'users';
  }
  // Built modules are not edited by hand.
  if (ownership === 'built' && isProject) return 'ours';
  if (path === lockPath && (rebuilds || lock !== undefined)) return 'ours';
  const isConflicted = findConflict(onDisk) !== undefined && findConflict(contents) === undefined;
  if (lock === undefined) return rebuilds && isConflicted && path !== packagePath ? 'merged' : 'foreign';
  const hash = hashWithoutLayout(contents);
  const entry = ownMember(lock.files, path);
  // `check` accepts the layout of a formatter.
  if (isHashOf(hash, onDisk)) return check ? 'same' : 'ours';
  if (entry === undefined) return 'foreign';
  if (isHashOf(entry, onDisk)) return 'ours';
  // Both sides have generated it.
  const isMerged = isConflicted || mergedPaths?.has(path) === true;
  return isMerged && path !== packagePath && !Object.hasOwn(lock.owned ?? {}, path) ? 'merged' : 'edited';
}
