import type { Flags } from '../../config/options/option-types.ts';
import type { Command } from 'commander';
import {
  type CommandContext,
  type Outcome,
  outcomeWithoutSource,
  loadDiagnosticCollector,
} from '../outcome.ts';
import { printCommandLine, makeCompileOptions, pickWriteOptions } from '../compile-options.ts';
import type { Host } from '../host.ts';
import { addCommandOptions } from '../options.ts';
import { runGeneration } from '../run-generation.ts';
import { addSurfaceFileSettings } from '../surface-beside.ts';

const EXAMPLES = `Examples:
  mcpgen openapi petstore.yaml
  mcpgen openapi https://api.example.com/openapi.json -o example-mcp
  mcpgen openapi petstore.yaml --include tag:pets --exclude method:DELETE
  curl -s https://api.example.com/openapi.json | mcpgen openapi - --name example-mcp
`;

export function addOpenapi(program: Command, { host, finish }: CommandContext): void {
  const command = program
    .command('openapi')
    .summary('compile an OpenAPI document to a server project')
    .description('Compiles an OpenAPI document (2.0, 3.0, 3.1, 3.2; JSON or YAML) to a server project.')
    .argument('<source>', 'file, http(s) URL, or - for standard input')
    .addHelpText('before', EXAMPLES);
  addCommandOptions(command, 'openapi');
  command.action(async (source: string, flags: Flags) => {
    finish(await runOpenapi(source, flags, host), flags);
  });
}

async function runOpenapi(source: string, flags: Flags, host: Host): Promise<Outcome> {
  const diagnostics = await loadDiagnosticCollector();
  const compileOptions = await makeCompileOptions(source, flags, host, diagnostics);
  const options =
    compileOptions && (await addSurfaceFileSettings(compileOptions, flags, host, { diagnostics }));
  if (options === undefined) return outcomeWithoutSource(diagnostics);
  const { generate } = await import('../../api/generate.ts');
  const target = { ...pickWriteOptions(flags), command: printCommandLine(host), env: host.env };
  return runGeneration(source, flags, host, (run) => generate({ ...options, ...target, ...run }));
}
