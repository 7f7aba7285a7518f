import type { Flags } from '../../config/options/option-types.ts';
import { Argument, type Command } from 'commander';
import { type PublishTarget, publishTargets } from '../../model/published.ts';
import type { CommandContext } from '../outcome.ts';
import { addHelpOption, addOptions } from '../options.ts';
import { runRegeneration } from '../run-generation.ts';

const EXAMPLES = `Examples:
  mcpgen publish init docker
  mcpgen publish init registry petstore-mcp
`;

export function addPublish(program: Command, context: CommandContext): void {
  const command = program
    .command('publish')
    .summary('add files for publishing a project')
    .description('Adds files for npm, Docker, the MCP registry, MCP bundles and GitHub to a project.')
    .helpCommand(false)
    .addHelpText('before', EXAMPLES);
  addInit(command, context);
  addHelpOption(command);
}

function addInit(publish: Command, { host, finish }: CommandContext): void {
  const command = publish
    .command('init')
    .summary('add a target and its files')
    .description('Adds the target to `publish` in mcpgen.config.json, and generates the project again.')
    .addArgument(new Argument('<target>', 'where the project is published').choices(publishTargets))
    .argument('[dir]', 'folder of the project', '.')
    .addHelpText('before', EXAMPLES);
  addOptions(command, 'publish init');
  command.action(async (target: PublishTarget, dir: string, flags: Flags) => {
    finish(await runRegeneration(dir, flags, { addTargets: [target] }, host), flags);
  });
}
