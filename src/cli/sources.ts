/** From the words of a command line to the options of each server that they name. */
import type { Flags } from '../config/options/option-types.ts';
import { isConfigFile } from '../config/options/project-config.ts';
import type { ConfigRun } from '../config/load/read-config.ts';
import { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Observer } from '../model/observer.ts';
import {
  type CommandOptions,
  makeCompileOptions,
  makeConfigRun,
  makeFunctionOptions,
  pickRunOptions,
} from './compile-options.ts';
import type { Host } from './host.ts';
import { type Outcome, type ServerOutcome, outcomeWithoutSource } from './outcome.ts';
import { isCodeFile, isFolder } from './source-kind.ts';

/** `dir` is the folder of a project. */
export type SourceOptions = CommandOptions & { dir?: string };

export interface NamedServer {
  /** Absent if the configuration has one server, or there is none. */
  server?: string;
  /** Absent after an error. */
  options?: SourceOptions;
  diagnostics: DiagnosticCollector;
}

export interface SourceRun {
  flags: Flags;
  host: Host;
  diagnostics: DiagnosticCollector;
  /** `mcpgen lint`, for messages. */
  command: string;
  observer?: Observer | undefined;
  draft?: ConfigRun['draft'];
}

/** A configuration, its folder, or the folder of a project. */
export async function isProject(source: string, { cwd }: Host): Promise<boolean> {
  return isConfigFile(source) || (await isFolder(source, cwd));
}

/**
 * Returns a reader of the options for each server of a project, or for that of a document or of files of functions. Flags override
 * the settings of a project. `taker` is what takes one server alone. `undefined` after an error.
 */
export async function listServers(
  words: readonly string[],
  { flags, host, diagnostics, command, observer, draft }: SourceRun,
  taker?: string,
): Promise<(() => Promise<NamedServer>)[] | undefined> {
  const [source = '', ...moreSources] = words;
  const isConfigured = await isProject(source, host);
  const isFunctions = !isConfigured && words.every(isCodeFile);
  const refuse = (problem: string, suggestion = ''): void =>
    diagnostics.report('invalid-usage', { problem, suggestion, command });
  if (moreSources.length > 0 && !isFunctions)
    refuse(
      'several sources must all be files of functions',
      ' For several sources of one server, name them in a configuration.',
    );
  if (!isConfigured && flags.server !== undefined)
    refuse('--server applies only to a configuration or its folder');
  if (diagnostics.hasErrors) return undefined;
  const flagOptions = isFunctions
    ? makeFunctionOptions([...words], flags, host)
    : await makeCompileOptions(source, flags, host, diagnostics, observer);
  if (flagOptions === undefined) return undefined;
  if (!isConfigured) return [async () => ({ options: flagOptions, diagnostics: new DiagnosticCollector() })];
  const { listServerResolvers } = await import('../api/project-options.ts');
  const run = { ...makeConfigRun(flags, host, diagnostics, observer), draft };
  const servers = await listServerResolvers(source, run, taker);
  return servers?.map((read) => async () => {
    const { options, ...rest } = await read();
    if (options === undefined) return rest;
    const joined = { ...options, ...flagOptions, source: options.source, ...pickRunOptions(host, flags) };
    return { ...rest, options: joined };
  });
}

/** Reads the options of the only server. `undefined` after an error. */
export async function readServer(
  words: readonly string[],
  run: SourceRun,
  taker = run.command,
): Promise<SourceOptions | undefined> {
  const [read] = (await listServers(words, run, taker)) ?? [];
  const only = await read?.();
  if (only !== undefined) run.diagnostics.include(only.diagnostics);
  return only?.options;
}

/** Runs `work` for each server of a source. `undefined`: the source can't be read. */
export async function runForServers(
  source: string,
  run: SourceRun,
  work: (options: SourceOptions, diagnostics: DiagnosticCollector) => Promise<Outcome>,
): Promise<ServerOutcome[] | undefined> {
  const servers = await listServers([source], run);
  if (servers === undefined) return undefined;
  const outcomes: ServerOutcome[] = [];
  for (const read of servers) {
    const { server, options, diagnostics } = await read();
    outcomes.push({
      server,
      outcome: options === undefined ? outcomeWithoutSource(diagnostics) : await work(options, diagnostics),
    });
  }
  return outcomes;
}

/** Adds the names and decisions that the lock of their project has. `undefined` after an error. */
export async function addLockedNames(
  options: SourceOptions,
  { cwd }: Host,
  diagnostics: DiagnosticCollector,
): Promise<SourceOptions | undefined> {
  if (options.dir === undefined) return options;
  const { readLockedChoices } = await import('../project/locked-names.ts');
  const { readProject } = await import('../project/existing-project.ts');
  const locked = await readLockedChoices(await readProject(options.dir, cwd), {}, diagnostics);
  return diagnostics.hasErrors ? undefined : { ...options, ...locked };
}
