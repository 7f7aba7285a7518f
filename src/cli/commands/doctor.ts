import type { Flags } from '../../config/options/option-types.ts';
import type { Command } from 'commander';
import type { CommandContext } from '../outcome.ts';
import { addCommandOptions } from '../options.ts';

const EXAMPLES = `Examples:
  mcpgen doctor petstore-mcp
  mcpgen doctor petstore-mcp --offline --json
`;

export function addDoctor(program: Command, { host, finish }: CommandContext): void {
  const command = program
    .command('doctor')
    .summary('find out why a server does not work')
    .description(
      'Checks Node.js, the project, its lock and build, whether it is stale, the API and its credentials (by one tool that only reads), the clock, the port, and the clients that start the server. Each problem has a next step, and exit code 1 says that there is one. Writes nothing.',
    )
    .argument('[dir]', 'folder of the project', '.')
    .addHelpText('before', EXAMPLES);
  addCommandOptions(command, 'doctor');
  command.action(async (dir: string, flags: Flags) => {
    const { runDoctor: examine } = await import('../examine.ts');
    finish(await examine(dir, flags, host), flags);
  });
}
