import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { type Lock, lockPath, type Provenance } from '../emit/index.ts';
import { type ProjectRun, readProject } from './existing-project.ts';

/**
 * False, and reported, if a new project would be beside another one of the same source, since its title has changed. Not checked
 * if the run names its folder or server, or reads standard input.
 */
export async function checkBeside(
  provenance: Provenance,
  dir: string,
  { dir: given, name, source, cwd = '.', force = false, outer }: ProjectRun,
  diagnostics: DiagnosticCollector,
): Promise<boolean> {
  if (force || given !== undefined || name !== undefined || source === '-') return true;
  if (existsSync(resolve(cwd, dir, lockPath))) return true;
  for (const there of foldersBeside(resolve(cwd, dir))) {
    const { lock } = await readProject(there);
    if (!isOfSame(lock, provenance)) continue;
    const output = basename(there);
    const parameters = { dir, there: join(dirname(dir), output), output, file: outer?.file ?? '' };
    diagnostics.report('project-beside', parameters);
    return false;
  }
  return true;
}

/** Other projects in the folder that holds `dir`, by name. */
function foldersBeside(dir: string): string[] {
  const parent = dirname(dir);
  if (!existsSync(parent)) return [];
  const names = readdirSync(parent).sort();
  return names.map((name) => join(parent, name)).filter((each) => existsSync(join(each, lockPath)));
}

/** Projects beside each other have the same relative paths of sources in their locks. */
function isOfSame(lock: Lock | undefined, { config, inputs }: Provenance): boolean {
  if (lock === undefined) return false;
  const files = Object.keys(inputs).sort();
  const isSame = files.length > 0 && isDeepStrictEqual(Object.keys(lock.inputs ?? {}).sort(), files);
  return isSame || lock.config === config;
}
