import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { permissions, runOptions } from '../compile-options.ts';
import type { PermissionFlags, ReportFlags, WriteFlags } from '../flags.ts';
import {
  addEditOptions,
  addHelpOption,
  addReportOptions,
  addServerOption,
  addWatchOption,
  renameOption,
} from '../options.ts';
import { maySkip } from '../report-format.ts';
import { runGenerations } from '../run-generation.ts';
import { definedMembers } from '../../util/defined-members.ts';

type Flags = { watch?: boolean; server?: string } & PermissionFlags &
  Pick<
    WriteFlags,
    'output' | 'dryRun' | 'force' | 'keep' | 'merge' | 'rename' | 'acceptOrigin' | 'rebuildLock'
  > &
  ReportFlags;

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
    .addHelpText('before', EXAMPLES)
    .optionsGroup('Output:')
    .option('-o, --output <dir>', 'project folder (default: output in the configuration)')
    .option('--dry-run', 'list the changes, write nothing');
  addEditOptions(command).addOption(renameOption());
  addServerOption(command);
  addWatchOption(command, 'regenerate when a source, the configuration or a handler changes');
  addReportOptions(command);
  addHelpOption(command);
  command.action(async (dir: string, flags: Flags) => {
    const { regenerateEach } = await import('../../api/check.ts');
    const { output, server, dryRun = false, force = false, keep = false, merge = false } = flags;
    const { rename = false, rebuildLock = false, watch = false, acceptOrigin } = flags;
    const options = {
      ...runOptions(host, flags),
      ...permissions(flags, host),
      dryRun,
      force,
      keep,
      merge,
      rename,
      rebuildLock,
      skip: maySkip(flags, host),
      env: host.env,
      ...definedMembers({ acceptOrigins: acceptOrigin, output, server }),
    };
    finish(
      await runGenerations(dir, { dryRun, watch }, flags, host, (run) =>
        regenerateEach(dir, { ...options, ...run }),
      ),
      flags,
    );
  });
}
