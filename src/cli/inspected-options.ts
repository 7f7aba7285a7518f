import type { Flags } from '../config/options/option-types.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { isConfigFile } from '../config/options/project-config.ts';
import {
  type CommandOptions,
  makeCompileOptions,
  makeConfigRun,
  makeFunctionOptions,
  pickRunOptions,
} from './compile-options.ts';
import type { Host } from './host.ts';
import {
  type Outcome,
  type ServerOutcome,
  outcomeWithoutSource,
  loadDiagnosticCollector,
} from './outcome.ts';
import { isCodeFile, isFolder } from './source-kind.ts';

/** `dir` is the folder of a project. */
export type InspectedOptions = CommandOptions & { dir?: string };

/** Reads the options for one source of the command line. Flags override those of a project. `taker` names the command, which takes one server. */
export async function readInspectedOptions(
  source: string,
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
  taker: string,
): Promise<InspectedOptions | undefined> {
  const all = await listServerReaders(source, flags, host, diagnostics, taker);
  const [only] = all ?? [];
  const inspect = await only?.();
  if (inspect !== undefined) diagnostics.include(inspect.diagnostics);
  return inspect?.options;
}

interface InspectedServer {
  server?: string;
  options?: InspectedOptions;
  diagnostics: DiagnosticCollector;
}

/** Returns a reader of options for each server. `taker` is the command, if it takes one server. */
async function listServerReaders(
  source: string,
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
  taker?: string,
): Promise<(() => Promise<InspectedServer>)[] | undefined> {
  const isProject = isConfigFile(source) || (await isFolder(source, host.cwd));
  if (!isProject && flags.server !== undefined)
    return refuseServerFlag(diagnostics, taker ?? 'mcpgen inspect');
  const isCode = isCodeFile(source) && !isProject;
  const functionOptions = isCode
    ? makeFunctionOptions([source], flags, host)
    : await makeCompileOptions(source, flags, host, diagnostics);
  if (functionOptions === undefined) return undefined;
  if (!isProject) return [makeServerReader(functionOptions)];
  const { listServerResolvers: eachServer } = await import('../api/project-options.ts');
  const servers = await eachServer(source, makeConfigRun(flags, host, diagnostics), taker);
  return servers?.map((read) => async () => {
    const { options, ...rest } = await read();
    if (options === undefined) return rest;
    return {
      ...rest,
      options: { ...options, ...functionOptions, source: options.source, ...pickRunOptions(host, flags) },
    };
  });
}

/** Runs `work` for each server of a source. `undefined`: the source can't be read. */
export async function runForServers(
  source: string,
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
  work: (options: InspectedOptions, diagnostics: DiagnosticCollector) => Promise<Outcome>,
): Promise<ServerOutcome[] | undefined> {
  const servers = await listServerReaders(source, flags, host, diagnostics);
  if (servers === undefined) return undefined;
  const outcomes: ServerOutcome[] = [];
  for (const read of servers) {
    const { server, options, diagnostics: readDiagnostics } = await read();
    outcomes.push({
      server,
      outcome:
        options === undefined ? outcomeWithoutSource(readDiagnostics) : await work(options, readDiagnostics),
    });
  }
  return outcomes;
}

function makeServerReader(options: InspectedOptions): () => Promise<InspectedServer> {
  return async () => ({ options, diagnostics: await loadDiagnosticCollector() });
}

/** Adds the names and decisions that the lock of their project has. `undefined` after an error. */
export async function addLockedNames(
  options: InspectedOptions,
  { cwd }: Host,
  diagnostics: DiagnosticCollector,
): Promise<InspectedOptions | undefined> {
  if (options.dir === undefined) return options;
  const { readLockedChoices } = await import('../project/locked-names.ts');
  const { readProject } = await import('../project/existing-project.ts');
  const locked = await readLockedChoices(await readProject(options.dir, cwd), {}, diagnostics);
  return diagnostics.hasErrors ? undefined : { ...options, ...locked };
}

export function refuseServerFlag(diagnostics: DiagnosticCollector, command: string): undefined {
  const problem = '--server applies only to a configuration or its folder';
  diagnostics.report('invalid-usage', { problem, suggestion: '', command });
}
