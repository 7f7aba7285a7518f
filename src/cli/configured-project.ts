/** The emitted project that a command means: the folder itself, or the one that `output` of its configuration names. */
import { findConfig } from '../config/load/find-config.ts';
import type { Flags } from '../config/options/option-types.ts';
import type { ConfigRun } from '../config/load/read-config.ts';
import { DiagnosticCollector } from '../diagnostics/collector.ts';
import { type BuiltProject, listProjectsBelow, readBuiltProject } from '../project/built-project.ts';
import { makeConfigRun } from './compile-options.ts';
import type { Host } from './host.ts';
import { quoteShellWord, printablePath } from './words.ts';

/**
 * Returns `undefined` without an error if there is no project and `command` needs none. `readsSettings`: the command uses
 * what the configuration says about publishing.
 */
export async function findProject(
  dir: string,
  { command, readsSettings }: { command: string; readsSettings: boolean },
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
): Promise<BuiltProject | undefined> {
  const { cwd } = host;
  const run = makeConfigRun(flags, host, diagnostics);
  const own = await (readsSettings ? readProjectWithSettings(dir, command, run) : readBuiltProject(dir, cwd));
  if (own !== undefined || !hasConfig(dir, cwd)) return own;
  const { readSingleServer } = await import('../config/load/read-config.ts');
  const read = await readSingleServer(dir, run, command);
  if (read === undefined) return undefined;
  const { findProjectDir, mayWriteProject } = await import('../api/project-options.ts');
  const output = findProjectDir(read, cwd);
  if (output === undefined || !(await mayWriteProject(read, output, run))) return undefined;
  const project = await readBuiltProject(output, cwd, async () => read.config);
  if (project === undefined) reportNoProject(output, command, cwd, diagnostics);
  return project;
}

/** The server starts without its configuration, so one that cannot be read is a warning. */
export async function readProjectWithSettings(
  dir: string,
  command: string,
  run: ConfigRun,
): Promise<BuiltProject | undefined> {
  return readBuiltProject(dir, run.cwd, async () => {
    if (!hasConfig(dir, run.cwd)) return {};
    const { readSingleServer } = await import('../config/load/read-config.ts');
    const diagnostics = new DiagnosticCollector();
    const read = await readSingleServer(dir, { ...run, diagnostics }, command);
    const error = diagnostics.found.find(({ severity }) => severity === 'error');
    if (error !== undefined)
      run.diagnostics.report('publishing-unread', { dir: printablePath(dir), because: error.message });
    return read?.config ?? {};
  });
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

function hasConfig(dir: string, cwd: string): boolean {
  return findConfig(dir, cwd).names.length > 0;
}
