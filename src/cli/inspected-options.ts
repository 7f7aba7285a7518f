import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { isConfigFile } from '../read-config.ts';
import { functionOptions } from './commands/ts.ts';
import { type CommandOptions, compileOptions, runOptions } from './compile-options.ts';
import type { CompileFlags } from './flags.ts';
import type { Host } from './host.ts';
import { isFolder } from './is-folder.ts';
import { isCode } from './source-kind.ts';

/** `dir` is that of a project. */
export type InspectedOptions = CommandOptions & { dir?: string };

/** What a word on the command line compiles to. A project's folder brings its own options; flags win over them. */
export async function inspectedOptions(
  source: string,
  flags: CompileFlags,
  host: Host,
  diagnostics: DiagnosticCollector,
): Promise<InspectedOptions | undefined> {
  const isProject = isConfigFile(source) || (await isFolder(source, host.cwd));
  if (isCode(source) && !isProject) return { ...functionOptions([source], flags, host) };
  const given = await compileOptions(source, flags, host, diagnostics);
  if (given === undefined || !isProject) return given;
  const { projectOptions } = await import('../project-options.ts');
  const project = await projectOptions(source, host.cwd, diagnostics);
  return project === undefined
    ? undefined
    : { ...project, ...given, source: project.source, ...runOptions(host) };
}
