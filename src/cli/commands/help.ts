import type { Command } from 'commander';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { type CommandContext, outcomeWithoutSource, loadDiagnosticCollector } from '../outcome.ts';

/** `mcpgen help [command...]` prints the same as `--help`. */
export function addHelp(program: Command, { host, finish }: CommandContext): void {
  program
    .command('help')
    .summary('show the help of a command')
    .argument('[command...]', 'without it, the help of mcpgen')
    .helpOption(false)
    .option('--json', 'one JSON document on stdout')
    .action(async (names: string[]) => {
      const { command, stranger } = findCommandByNames(program, names);
      if (stranger === undefined) return command.help();
      const diagnostics = await loadDiagnosticCollector();
      await reportUnknownCommand(stranger, command, diagnostics);
      finish(outcomeWithoutSource(diagnostics), { json: host.args.includes('--json') });
    });
}

/** Finds the command that the names lead to, and the first name that is no command. */
function findCommandByNames(
  program: Command,
  names: readonly string[],
): { command: Command; stranger?: string } {
  let command = program;
  for (const name of names) {
    const next = command.commands.find((one) => one.name() === name);
    if (next === undefined) return { command, stranger: name };
    command = next;
  }
  return { command };
}

async function reportUnknownCommand(
  name: string,
  within: Command,
  diagnostics: DiagnosticCollector,
): Promise<void> {
  const { suggestNearest: suggest } = await import('../../../templates/runtime/contract/feature.ts');
  const near = suggest(
    name,
    within.commands.map((one) => one.name()),
  );
  diagnostics.report('invalid-usage', {
    problem: `unknown command '${name}'`,
    suggestion: near === undefined ? '' : ` Did you mean ${near}?`,
    command: 'mcpgen',
  });
}
