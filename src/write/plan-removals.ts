import { join } from 'node:path';
import {
  type GeneratedFile,
  hashContents,
  isHashOf,
  isReserved,
  allFileHashes,
  manifestPath,
} from '../emit/index.ts';
import { listFiles } from './file-system.ts';
import { findObstacle } from './find-obstacle.ts';
import type { PlanContext, Plan } from './write-target.ts';

/** Adds the files of the last run that are no longer generated to `plan`. Only unedited files that the lock lists are removed. */
export async function planRemovals(files: GeneratedFile[], plan: Plan, context: PlanContext): Promise<void> {
  const { lock, diagnostics } = context;
  const current = new Set(files.map(({ path }) => path));
  if (lock?.runtime !== undefined && !current.has(manifestPath)) plan.removals.push(manifestPath);
  const listed = lock === undefined ? {} : lock.isManifestForeign === true ? lock.files : allFileHashes(lock);
  const obsolete = Object.entries(listed).filter(([path]) => !current.has(path) && !isReserved(path));
  for (const [path, hash] of obsolete) {
    const text = await readPlainFile(path, context);
    if (text === undefined) continue;
    if (!isHashOf(hash, path, text)) {
      plan.kept.push(path);
      diagnostics.report('obsolete-file-kept', { path });
      continue;
    }
    plan.removals.push(path);
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
  const { lock, root, fs, builtHashes = {} } = context;
  const current = new Set(files.map(({ path }) => path));
  const locked = lock === undefined ? {} : allFileHashes(lock);
  // Of the generated runtime, `npm run build` writes other files than mcpgen.
  const isSource = (path: string): boolean =>
    !plan.removals.includes(path) &&
    !(path.startsWith('src/runtime/') && (current.has(path) || Object.hasOwn(locked, path)));
  const sources = [...(await listFiles('src', root, fs)), ...(await listFiles('test', root, fs))];
  const stems = new Set(sources.filter(isSource).map((path) => stemOf(path.replace(/^src\//, ''))));
  for (const [path, hash] of Object.entries(builtHashes)) {
    const below = /^dist\/(?!src\/)(.+)/.exec(path)?.[1];
    if (below === undefined || stems.has(stemOf(below))) continue;
    if (current.has(path) || plan.removals.includes(path)) continue;
    const text = await readPlainFile(path, context);
    if (text !== undefined && hashContents(text) === hash) plan.removals.push(path);
  }
}

function stemOf(path: string): string {
  return path.replace(/\.map$/, '').replace(/\.[cm]?[jt]sx?$/, '');
}

async function readPlainFile(path: string, { root, fs }: PlanContext): Promise<string | undefined> {
  if ((await findObstacle(root, path, fs, { links: false })) !== undefined) return undefined;
  const place = join(root, path);
  return (await fs.look(place)) === undefined ? undefined : fs.readText(place);
}
