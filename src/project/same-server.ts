/** Checks the folder of a run: it may have another server's project, be beside or within another one, or change its name. */
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Lock, Provenance } from '../emit/index.ts';
import type { ExistingProject, ProjectRun } from './existing-project.ts';
import type { ServerModel } from '../model/server-model.ts';

/** Another server has another name and no document in common; either alone is a usual change of a project. */
function isOfAnother(lock: Lock | undefined, name: string, { inputs }: Provenance): boolean {
  const before = lock?.package?.['name'];
  if (lock?.inputs === undefined || typeof before !== 'string' || before === name) return false;
  const documents = Object.keys(inputs);
  return documents.length > 0 && !documents.some((path) => Object.hasOwn(lock.inputs ?? {}, path));
}

/**
 * False, and reported, if the folder has another server's project, which a wrong `-o` would replace. A run from the project's own
 * configuration is never wrong.
 */
export function assertSameServer(
  { name }: ServerModel,
  provenance: Provenance,
  { dir, lock, problems }: ExistingProject,
  { configText, configFile, force = false, check = false, rebuildLock = false }: ProjectRun,
  diagnostics: DiagnosticCollector,
): boolean {
  if (force || check || rebuildLock || configText !== undefined || configFile !== undefined) return true;
  diagnostics.include(problems);
  if (!isOfAnother(lock, name, provenance)) return true;
  diagnostics.report('target-of-another', { dir, there: String(lock?.package?.['name']), name });
  return false;
}
