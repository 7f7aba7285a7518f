import type { Command } from 'commander';
import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { CommandContext } from '../command-context.ts';
import { outcomeWithoutSource } from '../outcome-without-source.ts';

/** `mcpgen help [command]`: what `--help` says, for those who type it in this order. */
export function addHelp(program: Command, { host, finish }: CommandContext): void {
  program
    .command('help')
    .summary('show the help of a command')
    .argument('[command]', 'without it, the help of mcpgen')
    .helpOption(false)
    .option('--json', 'one JSON document on stdout')
    .action(async (name?: string) => {
      const command = name === undefined ? program : program.commands.find((one) => one.name() === name);
      const diagnostics = new DiagnosticCollector();
      if (command !== undefined) return command.help();
      await reportUnknown(name ?? '', program, diagnostics);
      finish(outcomeWithoutSource(diagnostics), { json: host.args.includes('--json') });
    });
}

async function reportUnknown(
  name: string,
  program: Command,
  diagnostics: DiagnosticCollector,
): Promise<void> {
  const { nearest } = await import('../../derive/nearest.ts');
  const near = nearest(
    name,
    program.commands.map((one) => one.name()),
  );
  diagnostics.report('invalid-usage', {
    problem: `unknown command '${name}'`,
    suggestion: near === undefined ? '' : ` Did you mean ${near}?`,
    command: 'mcpgen',
  });
}
