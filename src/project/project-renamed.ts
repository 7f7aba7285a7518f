/** Whether a project's server is called otherwise than before, though nobody has named it. */
import { resolve } from 'node:path';
import { CONFIG_FILE } from '../config/options/project-config.ts';
import { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { GenerateOptions } from '../api/generate.ts';
import { isPackageName } from '../model/published.ts';
import type { ServerModel } from '../model/server-model.ts';
import { readLock } from '../write/index.ts';

/** Reports a name that follows a source, where the project in `dir` was written with another one. */
export async function reportRenamed(
  { name }: ServerModel,
  dir: string,
  { cwd = '.', name: given, configText, configFile, outer }: GenerateOptions,
  diagnostics: DiagnosticCollector,
): Promise<void> {
  if (given !== undefined) return;
  // What is wrong with the lock is told when the project is written.
  const lock = await readLock(resolve(cwd, dir), new DiagnosticCollector());
  const there = lock?.package?.['name'];
  if (typeof there !== 'string' || there === name || !isPackageName(there)) return;
  const own = configFile ?? (configText === undefined ? '' : CONFIG_FILE);
  diagnostics.report('project-renamed', { there, name, file: outer?.file ?? own });
}
