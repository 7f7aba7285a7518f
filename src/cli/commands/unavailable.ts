/** Commands that belong to mcpgen and are not in this version: they say so, and are not listed. */
import type { Command } from 'commander';
import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { CommandContext } from '../command-context.ts';
import { outcomeWithoutSource } from '../outcome-without-source.ts';

export const UNAVAILABLE: readonly string[] = ['templates'];

export function addUnavailable(program: Command, { host, finish }: CommandContext): void {
  for (const name of UNAVAILABLE) {
    program
      .command(name, { hidden: true })
      .argument('[anything...]')
      .allowUnknownOption()
      .helpOption(false)
      .action(() => {
        const diagnostics = new DiagnosticCollector();
        reportUnavailable(name, diagnostics);
        finish(outcomeWithoutSource(diagnostics), { json: host.args.includes('--json') });
      });
  }
}

export function reportUnavailable(command: string, diagnostics: DiagnosticCollector): void {
  diagnostics.report('command-not-available', { command });
}
