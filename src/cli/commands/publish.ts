import { Argument, type Command } from 'commander';
import { type PublishTarget, publishTargets } from '../../model/published.ts';
import type { CommandContext } from '../command-context.ts';
import { permissions, runOptions } from '../compile-options.ts';
import type { PermissionFlags, ReportFlags, WriteFlags } from '../flags.ts';
import { addEditOptions, addHelpOption, addReportOptions } from '../options.ts';
import { runGenerations } from '../run-generation.ts';

type Flags = PermissionFlags &
  ReportFlags &
  Pick<WriteFlags, 'dryRun' | 'force' | 'keep' | 'merge' | 'acceptOrigin' | 'rebuildLock'>;

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
    .addHelpText('before', EXAMPLES)
    .optionsGroup('Output:')
    .option('--dry-run', 'list the changes, write nothing');
  addEditOptions(command);
  addReportOptions(command);
  addHelpOption(command);
  command.action(async (target: PublishTarget, dir: string, flags: Flags) => {
    const { regenerateEach } = await import('../../api/check.ts');
    const { dryRun = false, force = false, keep = false, merge = false, rebuildLock = false } = flags;
    const options = {
      ...runOptions(host, flags),
      ...permissions(flags, host),
      dryRun,
      force,
      keep,
      merge,
      rebuildLock,
      addTargets: [target],
      env: host.env,
      ...(flags.acceptOrigin === undefined ? {} : { acceptOrigins: flags.acceptOrigin }),
    };
    const run = { dryRun, watch: false };
    finish(
      await runGenerations(dir, run, flags, host, (each) => regenerateEach(dir, { ...options, ...each })),
      flags,
    );
  });
}
