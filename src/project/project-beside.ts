/** Whether a project without a folder of its own choosing would leave the one beside it behind, since its title is another now. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { type Lock, lockPath, type Provenance } from '../emit/index.ts';
import { type ProjectRun, readProject } from './existing-project.ts';

/**
 * False, and reported, where a new project would stand beside one of the same source and nobody has named either folder or
 * server. Whoever has is taken at his word; of standard input nothing is known.
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
    const file = outer?.file ?? '';
    diagnostics.report('project-beside', {
      dir,
      there: join(dirname(dir), basename(there)),
      output: basename(there),
      file,
    });
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

/** Paths in locks are taken from the project, and so are the same for those that stand beside each other. */
function isOfSame(lock: Lock | undefined, { config, inputs }: Provenance): boolean {
  if (lock === undefined) return false;
  const files = Object.keys(inputs).sort();
  const isSame = files.length > 0 && isDeepStrictEqual(Object.keys(lock.inputs ?? {}).sort(), files);
  return isSame || lock.config === config;
}
