import type { Command } from 'commander';
import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { noPlaces } from '../../diagnostics/render/place.ts';
import type { CommandContext } from '../command-context.ts';
import { compileOptions } from '../compile-options.ts';
import { exitCodeFor } from '../exit-code.ts';
import type { CompileFlags, ReportFlags } from '../flags.ts';
import type { Host } from '../host.ts';
import { isFolder } from '../is-folder.ts';
import { addCompileOptions, addHelpOption, addStrictOption } from '../options.ts';
import type { Outcome } from '../outcome.ts';
import { outcomeWithoutSource } from '../outcome-without-source.ts';
import { placesFor } from '../places.ts';
import { present } from '../present.ts';

type Flags = CompileFlags & ReportFlags;

const EXAMPLES = `Examples:
  mcpgen serve petstore.yaml
  mcpgen serve petstore.yaml --transport http --port 8080
  mcpgen serve petstore-mcp
  mcpgen serve https://api.example.com/openapi.json --include tag:pets
`;

const SERVER_OPTIONS = `
What the server takes:
  Options that are not listed here go to the server: --transport stdio|http, --port, --host,
  --path, --log-level and the others its --help lists (mcpgen serve <source> -- --help).
  Credentials and API_BASE_URL come from the environment.`;

export function addServe(program: Command, { host, finish }: CommandContext): void {
  const command = program
    .command('serve')
    .summary('run the server straight from a source, or that of a project')
    .description(
      'Compiles a document in memory and runs the server, or runs the server of a project from its dist/, as it was last built. stdout carries the protocol alone.',
    )
    .argument('<source>', 'file, http(s) URL, - for standard input, or the folder of a project')
    .argument('[server-options...]', 'what the server takes')
    .usage('<source> [options] [server options]')
    .allowUnknownOption()
    .addHelpText('before', EXAMPLES)
    .addHelpText('after', SERVER_OPTIONS);
  addCompileOptions(command);
  addStrictOption(command)
    .option('--quiet', 'say nothing on stderr but errors')
    .option('--verbose', 'show every diagnostic in full');
  addHelpOption(command);
  command.action(async (source: string, serverArgs: string[], flags: Flags) => {
    finish(await serve(source, serverArgs, flags, host), flags);
  });
}

async function serve(source: string, serverArgs: string[], flags: Flags, host: Host): Promise<Outcome> {
  const diagnostics = new DiagnosticCollector();
  if (source !== '-' && source.startsWith('-')) {
    const problem = `the source must stand before the server's option ${source}`;
    diagnostics.report('invalid-usage', { problem, suggestion: '', command: 'mcpgen serve' });
  }
  if (source === '-' && speaksStdio(serverArgs)) diagnostics.report('stdin-taken', {});
  if (diagnostics.hasErrors) return outcomeWithoutSource(diagnostics);
  if (await isFolder(source, host.cwd)) return serveFolder(source, serverArgs, flags, host, diagnostics);
  const options = await compileOptions(source, flags, host, diagnostics);
  if (options === undefined) return outcomeWithoutSource(diagnostics);
  const { compile } = await import('../../compile.ts');
  const { model, texts, diagnostics: found } = await compile(options);
  const outcome = {
    exitCode: exitCodeFor(found),
    diagnostics: found,
    places: await placesFor(found, texts, host.cwd),
    result: null,
  };
  if (model === undefined) return outcome;
  // Said before the server starts, which may run for days.
  present(outcome, flags, host);
  const { serveModel } = await import('../serve-model.ts');
  const exitCode = await serveModel(model, serverArgs);
  return { exitCode, diagnostics: [], places: noPlaces, result: null };
}

async function serveFolder(
  dir: string,
  serverArgs: string[],
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
): Promise<Outcome> {
  const { readConfig } = await import('../../config/read-config.ts');
  if ((await readConfig(dir, host.cwd, diagnostics)) === undefined) return outcomeWithoutSource(diagnostics);
  const { serveProject } = await import('../serve-project.ts');
  const exitCode = await serveProject(dir, flags, serverArgs, host, diagnostics);
  const outcome = outcomeWithoutSource(diagnostics);
  return exitCode === undefined ? outcome : { ...outcome, exitCode };
}

function speaksStdio(serverArgs: readonly string[]): boolean {
  const at = serverArgs.indexOf('--transport');
  const transport =
    at === -1
      ? serverArgs.find((arg) => arg.startsWith('--transport='))?.slice('--transport='.length)
      : serverArgs[at + 1];
  return transport === undefined || transport === 'stdio';
}
