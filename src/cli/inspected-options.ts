import type { Flags } from '../config/options/option-types.ts';
import { DiagnosticCollector } from '../diagnostics/collector.ts';
import { isConfigFile } from '../config/options/project-config.ts';
import { functionOptions } from './commands/ts.ts';
import { type CommandOptions, compileOptions, permissions, runOptions } from './compile-options.ts';
import type { Host } from './host.ts';
import { isFolder } from './is-folder.ts';
import { isCode } from './source-kind.ts';

/** `dir` is that of a project. */
export type InspectedOptions = CommandOptions & { dir?: string };

/**
 * What a word on the command line compiles to. A project's folder brings its own options; flags win over them. `taker` is
 * the command, which takes one server.
 */
export async function inspectedOptions(
  source: string,
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
  taker: string,
): Promise<InspectedOptions | undefined> {
  const all = await inspectedServers(source, flags, host, diagnostics, taker);
  const [only] = all ?? [];
  const found = await only?.();
  if (found !== undefined) diagnostics.include(found.diagnostics);
  return found?.options;
}

export interface InspectedServer {
  /** Absent where there is one alone. */
  server?: string;
  /** Absent after an error. */
  options?: InspectedOptions;
  diagnostics: DiagnosticCollector;
}

/** `inspectedOptions` for each server of a configuration, when it is asked for. `taker` is what takes one alone. */
export async function inspectedServers(
  source: string,
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
  taker?: string,
): Promise<(() => Promise<InspectedServer>)[] | undefined> {
  const isProject = isConfigFile(source) || (await isFolder(source, host.cwd));
  if (!isProject && flags.server !== undefined) return refuseServer(diagnostics, taker ?? 'mcpgen inspect');
  if (isCode(source) && !isProject) return [alone(functionOptions([source], flags, host))];
  const given = await compileOptions(source, flags, host, diagnostics);
  if (given === undefined) return undefined;
  if (!isProject) return [alone(given)];
  const { eachServer } = await import('../api/project-options.ts');
  const run = {
    ...permissions(flags, host),
    cwd: host.cwd,
    env: host.env,
    diagnostics,
    server: flags.server,
  };
  const servers = await eachServer(source, run, taker);
  return servers?.map((read) => async () => {
    const { options, ...rest } = await read();
    if (options === undefined) return rest;
    return { ...rest, options: { ...options, ...given, source: options.source, ...runOptions(host, flags) } };
  });
}

function alone(options: InspectedOptions): () => Promise<InspectedServer> {
  return () => Promise.resolve({ options, diagnostics: new DiagnosticCollector() });
}

export function refuseServer(diagnostics: DiagnosticCollector, command: string): undefined {
  const problem = '--server applies only to a configuration or its folder';
  diagnostics.report('invalid-usage', { problem, suggestion: '', command });
}
