/** Compares a project in memory with the one on disk: what has to change, and what stands against it. */
import { join } from 'node:path';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { type GeneratedFile, hashContents, type Lock, lockPath } from '../emit/index.ts';
import type { FileSystem } from './file-system.ts';
import { findObstacle, type Obstacle } from './find-obstacle.ts';
import { freeName } from './free-name.ts';

/** One file to be put in place. */
export interface Change {
  path: string;
  contents: string;
  /** Permission bits of the file it replaces; absent when it is new. */
  replaces?: number;
  executable: boolean;
  /** Where the replaced file of the user is kept. */
  saveAs?: string;
}

export interface Plan {
  changes: Change[];
  removals: string[];
  unchanged: string[];
  kept: string[];
  /** Generated files that were edited by hand, and are not overwritten. */
  edited: string[];
  /** Files in the way that mcpgen did not write, and does not overwrite. */
  foreign: string[];
  /** Something else stands in the way; it has been reported. */
  obstructed: boolean;
}

/** What the plan is made from. */
export interface Comparison {
  /** Real path of the project's folder. */
  root: string;
  /** Absent when mcpgen did not write the folder. */
  lock: Lock | undefined;
  force: boolean;
  fs: FileSystem;
  diagnostics: DiagnosticCollector;
}

/** How a file on disk relates to the one that should be there. */
type Verdict = 'new' | 'same' | 'ours' | 'users' | 'edited' | 'foreign' | 'obstructed';

/** What has to change so that the disk holds `files`. */
export async function planChanges(files: GeneratedFile[], comparison: Comparison): Promise<Plan> {
  const plan: Plan = {
    changes: [],
    removals: [],
    unchanged: [],
    kept: [],
    edited: [],
    foreign: [],
    obstructed: false,
  };
  const obstacles = new Map<string, Obstacle>();
  for (const file of files) {
    const verdict = await judge(file, comparison, obstacles);
    if (verdict === 'same') plan.unchanged.push(file.path);
    else if (verdict === 'users') plan.kept.push(file.path);
    else if (verdict === 'obstructed') plan.obstructed = true;
    else if ((verdict === 'edited' || verdict === 'foreign') && !comparison.force)
      plan[verdict].push(file.path);
    else plan.changes.push(await change(file, verdict, comparison));
  }
  for (const { kind, path } of obstacles.values()) comparison.diagnostics.report(kind, { path });
  return plan;
}

/** One link or file can stand in the way of a hundred files: `obstacles` gathers each once. */
async function judge(
  file: GeneratedFile,
  comparison: Comparison,
  obstacles: Map<string, Obstacle>,
): Promise<Verdict> {
  const { root, fs } = comparison;
  const path = join(root, file.path);
  if (file.ownership === 'once' && (await fs.follow(path)) !== undefined) return 'users';
  const obstacle = await findObstacle(root, file.path, fs);
  if (obstacle !== undefined) {
    obstacles.set(obstacle.path, obstacle);
    return 'obstructed';
  }
  if ((await fs.look(path)) === undefined) return 'new';
  return compare(file, await fs.readText(path), comparison.lock);
}

function compare(
  { path, contents, ownership }: GeneratedFile,
  onDisk: string,
  lock: Lock | undefined,
): Verdict {
  if (onDisk === contents) return 'same';
  if (lock === undefined) return 'foreign';
  if (ownership === 'built' || path === lockPath) return 'ours';
  const hash = hashContents(onDisk);
  if (hash === hashContents(contents)) return 'same';
  if (!Object.hasOwn(lock.files, path)) return 'foreign';
  return lock.files[path] === hash ? 'ours' : 'edited';
}

async function change(
  { path, contents, executable = false }: GeneratedFile,
  verdict: Verdict,
  { root, fs }: Comparison,
): Promise<Change> {
  const entry = await fs.look(join(root, path));
  const users = verdict === 'edited' || verdict === 'foreign';
  return {
    path,
    contents,
    executable,
    ...(entry === undefined ? {} : { replaces: entry.mode }),
    ...(users ? { saveAs: await freeName(`${path}.orig`, root, fs) } : {}),
  };
}

/** Says what the plan will not overwrite; false when there is nothing of the kind. */
export function reportRefusals({ edited, foreign }: Plan, { root, diagnostics }: Comparison): boolean {
  if (edited.length > 0) diagnostics.report('file-edited', { dir: root, files: listNames(edited) });
  if (foreign.length > 0) diagnostics.report('file-not-ours', { dir: root, files: listNames(foreign) });
  return edited.length + foreign.length > 0;
}

/** `a, b, c and 4 more` */
export function listNames(names: string[], limit = 10): string {
  const more = names.length - limit;
  return `${names.slice(0, limit).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
}
