/** The source of `mcpgen serve`. Its options are read for every compilation, since configurations and route maps change too. */
import { omitUndefined } from '../util/collections.ts';
import type { Flags } from '../config/options/option-types.ts';
import type { CompileOptions } from '../api/options.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { makeCompileOptions, makeConfigRun, makeFunctionOptions, pickRunOptions } from './compile-options.ts';
import { refuseServerFlag } from './inspected-options.ts';
import type { Observer } from '../model/observer.ts';
import type { Host } from './host.ts';
import { isConfigFile } from '../config/options/project-config.ts';
import { listCompileFlags, isCodeFile, reportInapplicableFlags } from './source-kind.ts';

/** Reads the options; resolves to `undefined` after an error. */
export type ReadOptions = (
  diagnostics: DiagnosticCollector,
  observer?: Observer,
) => Promise<(CompileOptions & { cwd: string }) | undefined>;

/** Makes the function that reads the options of each compilation. Several `sources` are allowed only if all are files of functions. */
export function makeOptionsReader(
  sources: readonly [string, ...string[]],
  flags: Flags,
  host: Host,
): ReadOptions {
  const [source] = sources;
  if (isCodeFile(source))
    return (diagnostics) => Promise.resolve(readFunctionOptions(sources, flags, host, diagnostics));
  return async (diagnostics, observer) => {
    if (sources.length > 1) reportSeveralSources(sources, diagnostics);
    // Among the operations that a configuration selects, the flags select when the server starts.
    const { include, exclude, ...sharedFlags } = flags;
    const compileFlags = isConfigFile(source)
      ? sharedFlags
      : { ...sharedFlags, ...omitUndefined({ include, exclude }) };
    const compileOptions = await makeCompileOptions(source, compileFlags, host, diagnostics, observer);
    if (!isConfigFile(source) && flags.server !== undefined) refuseServerFlag(diagnostics, 'mcpgen serve');
    if (compileOptions === undefined || diagnostics.hasErrors || !isConfigFile(source)) return compileOptions;
    const { readProjectOptions: projectOptions } = await import('../api/project-options.ts');
    const run = makeConfigRun(flags, host, diagnostics, observer);
    const project = await projectOptions(source, run, 'mcpgen serve');
    return (
      project && { ...project, ...compileOptions, source: project.source, ...pickRunOptions(host, flags) }
    );
  };
}

function readFunctionOptions(
  sources: readonly string[],
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
): (CompileOptions & { cwd: string }) | undefined {
  if (!sources.every(isCodeFile)) reportSeveralSources(sources, diagnostics);
  if (flags.server !== undefined) refuseServerFlag(diagnostics, 'mcpgen serve');
  const unfit = listCompileFlags('document', flags);
  reportInapplicableFlags(unfit, 'applies only to documents, not to functions', diagnostics);
  return diagnostics.hasErrors ? undefined : makeFunctionOptions([...sources], flags, host);
}

function reportSeveralSources(sources: readonly string[], diagnostics: DiagnosticCollector): void {
  const other = sources.find((source) => !isCodeFile(source)) ?? '';
  const problem = `${JSON.stringify(other)} cannot be combined with other sources; only files of functions can`;
  const suggestion =
    ' To serve several sources, name them in a configuration: `mcpgen serve mcpgen.config.json`.';
  diagnostics.report('invalid-usage', { problem, suggestion, command: 'mcpgen serve' });
}
