/** Whether an emitted project is what would be written today. */
import { checkOptions } from './check-options.ts';
import type { Generation, ProjectOptions, RunCall } from './options.ts';
import { type Diagnostic, DiagnosticCollector, joinWithoutRepeats } from '../diagnostics/collector.ts';
import { noTexts } from '../diagnostics/locate/text-places.ts';
import { generate } from './generate.ts';
import { listServerResolvers, type ResolvedServer } from './project-options.ts';

export interface ServerGeneration extends Generation {
  /** The server's name in the configuration; absent if the configuration has only one server. */
  server?: string;
}

/**
 * Compiles the project in `dir` again, in memory, and compares: `ok` is false when a file differs, is missing, is no
 * longer generated, or was edited by hand. `dist/` and `src/handlers/` are not judged. Nothing is written.
 */
export async function check(dir: string, options: ProjectOptions = {}): Promise<Generation> {
  return generateSingleServer('check', dir, options);
}

/** `check` for each server of the configuration in `dir`, in its order; with `server`, for that one alone. */
export async function checkAll(dir: string, options: ProjectOptions = {}): Promise<ServerGeneration[]> {
  return generateAllServers('checkAll', dir, options);
}

/**
 * Compiles the project in `dir` again, with the options in its `mcpgen.config.*`. Of a configuration of several servers
 * `server` names one; without it that is a problem.
 */
export async function regenerate(dir: string, options: ProjectOptions = {}): Promise<Generation> {
  return generateSingleServer('regenerate', dir, options);
}

async function generateSingleServer(
  call: 'check' | 'regenerate',
  dir: string,
  requestedOptions: ProjectOptions,
): Promise<Generation> {
  const { diagnostics, servers, options } = await readServersToGenerate(call, dir, requestedOptions, 'this');
  const [only] = servers ?? [];
  if (only === undefined) return failedGeneration(dir, diagnostics.found);
  return prependDiagnostics(await generateServer(await only(), dir, options), diagnostics);
}

/** `regenerate` for each server of the configuration in `dir`, in its order. One that fails does not keep the others from it. */
export async function regenerateAll(dir: string, options: ProjectOptions = {}): Promise<ServerGeneration[]> {
  return generateAllServers('regenerateAll', dir, options);
}

async function generateAllServers(
  call: 'checkAll' | 'regenerateAll',
  dir: string,
  options: ProjectOptions,
): Promise<ServerGeneration[]> {
  const all: ServerGeneration[] = [];
  for await (const generation of regenerateEach(dir, options, call)) all.push(generation);
  return all;
}

/** As `regenerateAll`, but compiles each server only when the caller asks for its result. */
export async function* regenerateEach(
  dir: string,
  requestedOptions: ProjectOptions = {},
  call: 'checkAll' | 'regenerateAll' = 'regenerateAll',
): AsyncGenerator<ServerGeneration, void, void> {
  const { diagnostics, servers, options } = await readServersToGenerate(call, dir, requestedOptions);
  if (servers === undefined) return yield failedGeneration(dir, diagnostics.found);
  for (const [index, optionsOf] of servers.entries()) {
    const generation = await generateServer(await optionsOf(), dir, options);
    yield index === 0 ? prependDiagnostics(generation, diagnostics) : generation;
  }
}

async function readServersToGenerate(
  call: RunCall,
  dir: string,
  requestedOptions: ProjectOptions,
  taker?: string,
) {
  const diagnostics = new DiagnosticCollector();
  if (!checkOptions(requestedOptions, call, diagnostics))
    return { diagnostics, servers: undefined, options: requestedOptions };
  const options =
    call === 'check' || call === 'checkAll' ? { ...requestedOptions, check: true } : requestedOptions;
  const { cwd = '.' } = options;
  const run = { ...options, cwd, diagnostics };
  return { diagnostics, options, servers: await listServerResolvers(dir, run, taker) };
}

async function generateServer(
  { server, options, diagnostics }: ResolvedServer,
  dir: string,
  { cwd, output, server: requestedServer, env, allowEnv, allowOutput, command, ...run }: ProjectOptions,
): Promise<ServerGeneration> {
  void [cwd, output, requestedServer, env, allowEnv, allowOutput];
  // A check takes no consent, so its messages name the command that writes.
  const writes = command !== undefined && run.check !== true;
  const generation = options
    ? prependDiagnostics(await generate({ ...options, ...run, ...(writes && { command }) }), diagnostics)
    : failedGeneration(dir, diagnostics.found);
  if (server === undefined) return generation;
  const labelled = generation.diagnostics.map((diagnostic) => ({ ...diagnostic, server }));
  return { ...generation, server, diagnostics: labelled };
}

function prependDiagnostics(generation: ServerGeneration, { found }: DiagnosticCollector): ServerGeneration {
  return { ...generation, diagnostics: joinWithoutRepeats(found, generation.diagnostics) };
}

function failedGeneration(dir: string, diagnostics: readonly Diagnostic[]): Generation {
  return { ok: false, dir, diagnostics, texts: noTexts };
}
