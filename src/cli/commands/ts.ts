import type { Flags } from '../../config/options/option-types.ts';
import type { Command } from 'commander';
import type { CompileOptions } from '../../api/options.ts';
import {
  type CommandContext,
  type Outcome,
  outcomeWithoutSource,
  loadDiagnosticCollector,
} from '../outcome.ts';
import { printCommandLine, pickRunOptions, pickWriteOptions } from '../compile-options.ts';
import type { Host } from '../host.ts';
import { addCommandOptions } from '../options.ts';
import { pickOptions } from '../../config/options/rows.ts';
import { runGeneration } from '../run-generation.ts';
import { addSurfaceFileSettings } from '../surface-beside.ts';
import { omitUndefined } from '../../util/collections.ts';

const EXAMPLES = `Examples:
  mcpgen ts src/tools.ts
  mcpgen ts "src/**/*.ts" -o my-server --name my-server
`;

export function addTs(program: Command, { host, finish }: CommandContext): void {
  const command = program
    .command('ts')
    .summary('compile annotated TypeScript functions to a server project')
    .description(
      'Compiles exported functions with the JSDoc tags @tool, @resource, @prompt and @complete to a server project. ' +
        'The project contains a copy of their imports, or with --link, builds them in place.',
    )
    .argument('<files...>', 'TypeScript or JavaScript files and globs')
    .addHelpText('before', EXAMPLES);
  addCommandOptions(command, 'ts');
  command.action(async (files: string[], flags: Flags) => {
    finish(await generateFromFunctions(files, flags, host), flags);
  });
}

async function generateFromFunctions(files: string[], flags: Flags, host: Host): Promise<Outcome> {
  const diagnostics = await loadDiagnosticCollector();
  const options = await addSurfaceFileSettings(makeFunctionOptions(files, flags, host), flags, host, {
    diagnostics,
  });
  if (options === undefined) return outcomeWithoutSource(diagnostics);
  const { generate } = await import('../../api/generate.ts');
  const target = { ...pickWriteOptions(flags), command: printCommandLine(host), env: host.env };
  return runGeneration(options.source, flags, host, (run) => generate({ ...options, ...target, ...run }));
}

export function makeFunctionOptions(
  files: string[],
  flags: Flags,
  host: Host,
): CompileOptions & { cwd: string } {
  return {
    ...pickRunOptions(host, flags),
    source: nameFunctionSource(files),
    typescript: { files, ...omitUndefined({ tsconfig: flags.tsconfig }) },
    ...pickOptions(flags, 'server'),
  };
}

/** Names the first file, and how many more there are: the shell may have expanded a glob. */
function nameFunctionSource([first = '', ...moreSources]: string[]): string {
  return moreSources.length === 0 ? first : `${first} and ${moreSources.length} more`;
}
