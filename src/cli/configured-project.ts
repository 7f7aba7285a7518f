/** The emitted project that a command means: the folder itself, or the one that `output` of its configuration names. */
import { findConfig } from '../config/load/find-config.ts';
import type { Flags } from '../config/options/option-types.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { type BuiltProject, listProjectsBelow, readBuiltProject } from '../project/built-project.ts';
import { makeConfigRun } from './compile-options.ts';
import type { Host } from './host.ts';
import { quoteShellWord, printablePath } from './words.ts';

/** Returns `undefined` without an error if there is no project and no configuration. */
export async function findProject(
  dir: string,
  command: string,
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
): Promise<BuiltProject | undefined> {
  const { cwd } = host;
  const existingProject = await readBuiltProject(dir, cwd);
  if (existingProject !== undefined || findConfig(dir, cwd).names.length === 0) return existingProject;
  const run = makeConfigRun(flags, host, diagnostics);
  const { readSingleServer } = await import('../config/load/read-config.ts');
  const read = await readSingleServer(dir, run, command);
  if (read === undefined) return undefined;
  const { findProjectDir, mayWriteProject } = await import('../api/project-options.ts');
  const output = findProjectDir(read, cwd);
  if (output === undefined || !(await mayWriteProject(read, output, run))) return undefined;
  const project = await readBuiltProject(output, cwd);
  if (project === undefined) reportNoProject(output, command, cwd, diagnostics);
  return project;
}

export function reportNoProject(
  dir: string,
  command: string,
  cwd: string,
  diagnostics: DiagnosticCollector,
): void {
  if (diagnostics.hasErrors) return;
  const below = listProjectsBelow(dir, cwd).map(
    (folder) => `\`${command} ${quoteShellWord(printablePath(folder))}\``,
  );
  diagnostics.report('not-a-project', { dir: printablePath(dir), command, below: below.join(' or ') });
}
