import type { Flags } from '../../config/options/option-types.ts';
import type { Command } from 'commander';
import type { CommandContext } from '../outcome.ts';
import { addCommandOptions } from '../options.ts';
import { maySkipUnchanged } from '../present.ts';
import { runRegeneration } from '../run-generation.ts';

const EXAMPLES = `Examples:
  mcpgen check petstore-mcp
  mcpgen check petstore-mcp --json
`;

export function addCheck(program: Command, { host, finish }: CommandContext): void {
  const command = program
    .command('check')
    .summary('exit 1 if a project is stale or edited')
    .description(
      'Compiles a project in memory and lists the files that differ, except src/handlers/ and dist/. Writes nothing.',
    )
    .argument('[dir]', 'folder of the project', '.')
    .addHelpText('before', EXAMPLES);
  addCommandOptions(command, 'check');
  command.action(async (dir: string, flags: Flags) => {
    const run = { skip: maySkipUnchanged(flags, host) };
    finish(await runRegeneration(dir, { ...flags, check: true }, run, host), flags);
  });
}
