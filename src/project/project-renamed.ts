import { CONFIG_FILE } from '../config/options/project-config.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { ExistingProject, ProjectRun } from './existing-project.ts';
import { isPackageName } from '../model/published.ts';
import type { ServerModel } from '../model/server-model.ts';

/** Reports that the server's name, which follows its source, differs from the one in the lock. */
export function reportRenamed(
  { name }: ServerModel,
  { lock }: ExistingProject,
  { name: given, configText, configFile, outer }: ProjectRun,
  diagnostics: DiagnosticCollector,
): void {
  if (given !== undefined) return;
  const there = lock?.package?.['name'];
  if (typeof there !== 'string' || there === name || !isPackageName(there)) return;
  const own = configFile ?? (configText === undefined ? '' : CONFIG_FILE);
  diagnostics.report('project-renamed', { there, name, file: outer?.file ?? own });
}
