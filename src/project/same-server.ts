/** Whether a folder holds the project of another server, which a slip of `-o` would replace. */
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Lock, Provenance } from '../emit/index.ts';
import type { ExistingProject, ProjectRun } from './existing-project.ts';
import type { ServerModel } from '../model/server-model.ts';

/** Another name, and not one document in common. Either alone is how a project changes with time. */
function isOfAnother(lock: Lock | undefined, name: string, { inputs }: Provenance): boolean {
  const before = lock?.package?.['name'];
  if (lock?.inputs === undefined || typeof before !== 'string' || before === name) return false;
  const documents = Object.keys(inputs);
  return documents.length > 0 && !documents.some((path) => Object.hasOwn(lock.inputs ?? {}, path));
}

/** False, and reported, where another server's project is. One that is generated from its own configuration is its own. */
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
