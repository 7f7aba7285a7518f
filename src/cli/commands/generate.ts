import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { runOptions } from '../compile-options.ts';
import type { ReportFlags, WriteFlags } from '../flags.ts';
import { addHelpOption, addReportOptions, renameOption } from '../options.ts';
import { runGeneration } from '../run-generation.ts';

type Flags = Pick<WriteFlags, 'dryRun' | 'force' | 'rename'> & ReportFlags;

const EXAMPLES = `Examples:
  mcpgen generate
  mcpgen generate petstore-mcp --dry-run
`;

export function addGenerate(program: Command, { host, finish }: CommandContext): void {
  const command = program
    .command('generate')
    .summary('compile a project again, from its mcpgen.config.json')
    .description('Compiles a project again, with the source and the options in its mcpgen.config.json.')
    .argument('[dir]', 'folder of the project', '.')
    .addHelpText('before', EXAMPLES)
    .optionsGroup('What is written:')
    .option('--dry-run', 'show what would be written, and write nothing')
    .option('--force', 'overwrite files that are not ours, keeping each as .orig')
    .addOption(renameOption());
  addReportOptions(command);
  addHelpOption(command);
  command.action(async (dir: string, flags: Flags) => {
    const { regenerate } = await import('../../check.ts');
    const { dryRun = false, force = false, rename = false } = flags;
    const outcome = await runGeneration(dir, { dryRun }, flags, host, (onStage) =>
      regenerate(dir, { ...runOptions(host), dryRun, force, rename, onStage }),
    );
    finish(outcome, flags);
  });
}
