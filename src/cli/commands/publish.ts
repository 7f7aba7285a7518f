import type { Flags } from '../../config/options/option-types.ts';
import { Argument, type Command } from 'commander';
import {
  CHECKED_PLACES,
  type CheckedPlace,
  type PublishTarget,
  publishTargets,
} from '../../model/published.ts';
import type { CommandContext } from '../outcome.ts';
import { addHelpOption, addCommandOptions } from '../options.ts';
import { runRegeneration } from '../run-generation.ts';

const EXAMPLES = `Examples:
  mcpgen publish init docker
  mcpgen publish init registry petstore-mcp
  mcpgen publish check docker petstore-mcp
`;

export function addPublish(program: Command, context: CommandContext): void {
  const command = program
    .command('publish')
    .summary('add files for publishing a project, check what a registry wants')
    .description(
      'Adds files for npm, Docker, the MCP registry, MCP bundles, Kubernetes and GitHub to a project, and checks what they want.',
    )
    .helpCommand(false)
    .addHelpText('before', EXAMPLES);
  addInit(command, context);
  addCheck(command, context);
  addHelpOption(command);
}

function addInit(publish: Command, { host, finish }: CommandContext): void {
  const command = publish
    .command('init')
    .summary('add a target and its files')
    .description(
      'Adds the target to `publish` in the configuration of the project, generates the project again, and writes a LICENSE if there is none and the holder is known.',
    )
    .addArgument(new Argument('<target>', 'where the project is published').choices(publishTargets))
    .argument('[dir]', 'folder of the project', '.')
    .addHelpText('before', EXAMPLES);
  addCommandOptions(command, 'publish init');
  command.action(async (target: PublishTarget, dir: string, flags: Flags) => {
    const outcome = await runRegeneration(dir, flags, { addTargets: [target] }, host);
    const { addLicense } = await import('../publish-project.ts');
    finish(await addLicense(dir, flags, outcome, host), flags);
  });
}

function addCheck(publish: Command, { host, finish }: CommandContext): void {
  const command = publish
    .command('check')
    .summary('say what a registry misses')
    .description(
      'Checks a project against the rules of a registry, with their source and date, and exits 1 if something is missing. Writes nothing.',
    )
    .addArgument(new Argument('<place>', 'where the server is published').choices(CHECKED_PLACES))
    .argument('[dir]', 'folder of the project', '.')
    .addHelpText('before', EXAMPLES);
  addCommandOptions(command, 'publish check');
  command.action(async (place: CheckedPlace, dir: string, flags: Flags) => {
    const { checkPublishing } = await import('../publish-project.ts');
    finish(await checkPublishing(place, dir, flags, host), flags);
  });
}
