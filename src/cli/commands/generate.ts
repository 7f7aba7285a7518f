import type { Flags } from '../../config/options/option-types.ts';
import type { Command } from 'commander';
import type { CommandContext } from '../outcome.ts';
import { addCommandOptions } from '../options.ts';
import { maySkipUnchanged } from '../present.ts';
import { runRegeneration } from '../run-generation.ts';

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
    .description(
      'Compiles a project from its configuration: the one that mcpgen.lock names, or mcpgen.config.json, .ts, .js or .mjs in the folder. Flags that change the project are written into it.',
    )
    .argument('[dir]', 'folder of the project or the configuration', '.')
    .addHelpText('before', EXAMPLES);
  addCommandOptions(command, 'generate');
  command.action(async (dir: string, flags: Flags) => {
    finish(await runRegeneration(dir, flags, { skip: maySkipUnchanged(flags, host) }, host), flags);
  });
}
