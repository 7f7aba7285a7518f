import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { runOptions } from '../compile-options.ts';
import type { ReportFlags } from '../flags.ts';
import { addHelpOption, addReportOptions } from '../options.ts';
import { maySkip } from '../report-format.ts';
import { runGeneration } from '../run-generation.ts';

const EXAMPLES = `Examples:
  mcpgen check petstore-mcp
  mcpgen check petstore-mcp --json
`;

export function addCheck(program: Command, { host, finish }: CommandContext): void {
  const command = program
    .command('check')
    .summary('exit 1 when a project is stale or was edited by hand')
    .description(
      'Compiles a project again in memory and lists the files that differ. src/handlers/ and dist/ are not judged; nothing is written.',
    )
    .argument('[dir]', 'folder of the project', '.')
    .addHelpText('before', EXAMPLES);
  addReportOptions(command);
  addHelpOption(command);
  command.action(async (dir: string, flags: ReportFlags) => {
    const { check } = await import('../../check.ts');
    const outcome = await runGeneration(dir, { check: true }, flags, host, (run) =>
      check(dir, { ...runOptions(host), skip: maySkip(flags, host), ...run }),
    );
    finish(outcome, flags);
  });
}
