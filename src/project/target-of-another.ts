/** Whether a folder holds the project of another server, which a slip of `-o` would replace. */
import { resolve } from 'node:path';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Lock, Provenance } from '../emit/index.ts';
import type { GenerateOptions } from '../api/generate.ts';
import type { ServerModel } from '../model/server-model.ts';
import { readLock } from '../write/index.ts';

/** Another name, and not one document in common. Either alone is how a project changes with time. */
function isOfAnother(lock: Lock | undefined, name: string, { inputs }: Provenance): boolean {
  const before = lock?.package?.['name'];
  if (lock?.inputs === undefined || typeof before !== 'string' || before === name) return false;
  const documents = Object.keys(inputs);
  return documents.length > 0 && !documents.some((path) => Object.hasOwn(lock.inputs ?? {}, path));
}

/** False, and reported, where another server's project is. One that is generated from its own configuration is its own. */
export async function checkTarget(
  { name }: ServerModel,
  provenance: Provenance,
  dir: string,
  { cwd = '.', configText, configFile, force = false, check = false, rebuildLock = false }: GenerateOptions,
  diagnostics: DiagnosticCollector,
): Promise<boolean> {
  if (force || check || rebuildLock || configText !== undefined || configFile !== undefined) return true;
  const lock = await readLock(resolve(cwd, dir), diagnostics);
  if (!isOfAnother(lock, name, provenance)) return true;
  diagnostics.report('target-of-another', { dir, there: String(lock?.package?.['name']), name });
  return false;
}
