import type { Flags } from '../../config/options/option-types.ts';
import { join, resolve } from 'node:path';
import type { CompileOptions } from '../../api/options.ts';
import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { isConfigFile } from '../../config/options/project-config.ts';
import { listSourceFiles, isFunctions } from '../../config/options/sources.ts';
import { type Outcome, outcomeWithoutSource, successOutcome } from '../outcome.ts';
import { makeConfigRun } from '../compile-options.ts';
import type { Host } from '../host.ts';
import type { ReadOptions } from '../serve-watching.ts';
import { isCodeFile, isFolder, listCompileFlags, reportInapplicableFlags } from '../source-kind.ts';
import { writeOutcome } from '../present.ts';
import { readServer } from '../sources.ts';
import { quoteShellWord, printablePath } from '../words.ts';

export async function runServe(source: string, rest: string[], flags: Flags, host: Host): Promise<Outcome> {
  const diagnostics = new DiagnosticCollector();
  const { documentArguments, serverArgs } = splitServerArguments(rest);
  if (source !== '-' && source.startsWith('-')) {
    const problem = `the source must come before the server's option ${source}`;
    diagnostics.report('invalid-usage', { problem, suggestion: '', command: 'mcpgen serve' });
  }
  if (source === '-' && usesStdio(serverArgs)) diagnostics.report('stdin-taken', {});
  if (diagnostics.hasErrors) return outcomeWithoutSource(diagnostics);
  if (await isFolder(source, host.cwd)) return serveFolder(source, serverArgs, flags, host, diagnostics);
  if (isCodeFile(source))
    reportInapplicableFlags(
      listCompileFlags('document', flags),
      'applies only to documents, not to functions',
      diagnostics,
    );
  // Among the operations that a configuration selects, the flags select when the server starts.
  const { include = [], exclude = [], ...sharedFlags } = flags;
  const compileFlags = isConfigFile(source) ? sharedFlags : flags;
  // Read for each compilation, since configurations and route maps change too.
  const readOptions: ReadOptions = (readDiagnostics, observer) =>
    readServer([source, ...documentArguments], {
      ...{ flags: compileFlags, host, observer, command: 'mcpgen serve' },
      diagnostics: readDiagnostics,
    });
  const options = await readOptions(diagnostics);
  if (options === undefined) return outcomeWithoutSource(diagnostics);
  if (!usesStdio(serverArgs)) refuseAuth(options, diagnostics);
  if (options.noCode === true) refuseFunctions(options, diagnostics);
  if (diagnostics.hasErrors) return outcomeWithoutSource(diagnostics);
  // Operations of a document are selected by compiling, functions and what a configuration selects when the server starts.
  const { makeServerArgs: toServerArgs } = await import('../serve-project.ts');
  const isSelectedLater = options.typescript !== undefined || isConfigFile(source);
  const selected = isSelectedLater ? toServerArgs({ include, exclude }) : [];
  const args = [...selected, ...serverArgs];
  if (flags.watch === true) {
    const { serveWatching } = await import('../serve-watching.ts');
    return serveWatching({ readOptions, args, waits: !usesStdio(serverArgs) }, flags, host);
  }
  const { compileForServing: compiledOutcome } = await import('../compiled-outcome.ts');
  const { outcome, served } = await compiledOutcome(options, flags, host);
  if (served === undefined) return outcome;
  // Printed before the server starts, which may run for days.
  writeOutcome(outcome, flags, host);
  const { serving } = await import('../guard.ts');
  const { serveModel } = await import('../../serve/serve-model.ts');
  return { ...successOutcome(null), exitCode: await serveModel(served, args, serving) };
}

/** Only a project has the package that checks tokens; without the check, everybody could call the server. */
function refuseAuth({ auth }: CompileOptions, diagnostics: DiagnosticCollector): void {
  if (auth === undefined || auth === 'none') return;
  const problem = 'this server requires tokens ("auth"), which only a generated project can check';
  const suggestion =
    ' Run `mcpgen generate` and serve the folder of the project, or use stdio, which needs no token.';
  diagnostics.report('invalid-usage', { problem, suggestion, command: 'mcpgen serve' });
}

/** With `--no-code`, functions may be compiled, but not run. */
function refuseFunctions(
  { typescript, sources = [] }: CompileOptions,
  diagnostics: DiagnosticCollector,
): void {
  const files = typescript?.files ?? sources.filter(isFunctions).flatMap(listSourceFiles);
  for (const file of files)
    diagnostics.report('code-refused', {
      file: printablePath(file),
      because: 'the server would run its functions',
    });
}

/** Splits the arguments into more files of functions, and those of the server. */
function splitServerArguments(rest: string[]): { documentArguments: string[]; serverArgs: string[] } {
  const end = rest.findIndex((arg) => arg.startsWith('-'));
  const others = end === -1 ? rest : rest.slice(0, end);
  return { documentArguments: others, serverArgs: rest.slice(others.length) };
}

async function serveFolder(
  dir: string,
  serverArgs: string[],
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
): Promise<Outcome> {
  const { readSingleServer } = await import('../../config/load/read-config.ts');
  const { mayWriteProject, findProjectDir } = await import('../../api/project-options.ts');
  const run = makeConfigRun(flags, host, diagnostics);
  const read = await readSingleServer(dir, run, 'mcpgen serve');
  if (read === undefined) return outcomeWithoutSource(diagnostics);
  const project = findProjectDir(read, host.cwd);
  if (!(await mayWriteProject(read, project, run))) return outcomeWithoutSource(diagnostics);
  const config = join(read.dir, read.name);
  // The configuration has no known project, so its sources are served.
  if (project === undefined) return runServe(config, serverArgs, flags, host);
  const { serveProject } = await import('../serve-project.ts');
  const { hasOwnHandlers } = await import('../../project/own-handlers.ts');
  if (flags.watch === true) {
    if (hasOwnHandlers(resolve(host.cwd, project))) return refuseHandlers(project, config, diagnostics);
    return runServe(config, serverArgs, flags, host);
  }
  const exitCode = await serveProject(project, flags, serverArgs, host, diagnostics);
  const outcome = outcomeWithoutSource(diagnostics);
  return exitCode === undefined ? outcome : { ...outcome, exitCode };
}

/** `--watch` serves the sources, and would ignore the handlers of the project. */
function refuseHandlers(project: string, config: string, diagnostics: DiagnosticCollector): Outcome {
  const handlers = printablePath(join(project, 'src/handlers/'));
  const problem = `--watch serves the sources of the configuration without the code in ${handlers}`;
  const [dir, file] = [project, config].map((path) => quoteShellWord(printablePath(path)));
  const suggestion =
    ` Without that code: \`mcpgen serve ${file} --watch\`. With it: \`mcpgen generate ${dir} --watch\`, and start the` +
    ` server again (\`mcpgen serve ${dir}\`) after a change.`;
  diagnostics.report('invalid-usage', { problem, suggestion, command: 'mcpgen serve' });
  return outcomeWithoutSource(diagnostics);
}

function usesStdio(serverArgs: readonly string[]): boolean {
  const at = serverArgs.indexOf('--transport');
  const transport =
    at === -1
      ? serverArgs.find((arg) => arg.startsWith('--transport='))?.slice('--transport='.length)
      : serverArgs[at + 1];
  return transport === undefined || transport === 'stdio';
}
