import type { Flags } from '../../config/options/option-types.ts';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { permissions, runOptions } from '../compile-options.ts';
import { addOptions } from '../options.ts';
import { pickOptions } from '../../config/options/rows.ts';
import { maySkip } from '../report-format.ts';
import { runGenerations } from '../run-generation.ts';
import { definedMembers } from '../../util/defined-members.ts';

const EXAMPLES = `Examples:
  mcpgen generate
  mcpgen generate petstore-mcp --dry-run
  mcpgen generate petstore-mcp --watch
  mcpgen generate -o build/petstore-mcp
  mcpgen generate --server orders
`;

export function addGenerate(program: Command, { host, finish }: CommandContext): void {
  const command = program
    .command('generate')
    .summary('compile a project from its mcpgen.config.*')
    .description('Compiles a project from its mcpgen.config.json, .ts, .js, .mjs or .yaml.')
    .argument('[dir]', 'folder of the configuration', '.')
    .addHelpText('before', EXAMPLES);
  addOptions(command, 'generate');
  command.action(async (dir: string, flags: Flags) => {
    const { regenerateEach } = await import('../../api/check.ts');
    const options = {
      ...runOptions(host, flags),
      ...permissions(flags, host),
      ...pickOptions(flags, 'run'),
      ...definedMembers({ output: flags.output, server: flags.server }),
      skip: maySkip(flags, host),
      env: host.env,
    };
    finish(
      await runGenerations(dir, flags, flags, host, (run) => regenerateEach(dir, { ...options, ...run })),
      flags,
    );
  });
}
