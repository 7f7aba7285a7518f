/** One run of the command line: from arguments to an exit code. Never throws. */
import { CommanderError } from 'commander';

import type { ReportOptions } from '../config/options/option-types.ts';
import type { Host } from './host.ts';
import { EXIT, type Outcome, successOutcome } from './outcome.ts';
import { hasJsonFlag, writeOutcome } from './present.ts';
import { buildProgram } from './program.ts';

/** Runs the command in `host.args`; resolves to the exit code. */
export async function run(host: Host): Promise<number> {
  let finished: { outcome: Outcome; flags: ReportOptions } | undefined;
  const keepOutcome = (outcome: Outcome, flags: ReportOptions): void => {
    finished = { outcome, flags };
  };
  let help = '';
  try {
    await assertEnvironment(host.env);
    const appendHelp = (text: string): void => void (help += text);
    await buildProgram({ host, finish: keepOutcome, tell: appendHelp }).parseAsync(host.args, {
      from: 'user',
    });
    if (finished === undefined) return EXIT.fine;
    writeOutcome(finished.outcome, finished.flags, host);
    return finished.outcome.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) {
      writeOutcome(
        successOutcome({ text: help }, help),
        { json: hasJsonFlag(host.args), quiet: false },
        host,
      );
      return EXIT.fine;
    }
    const { reportFailure } = await import('./report-failure.ts');
    return reportFailure(error, host);
  }
}

/** Refuses a misspelt switch, since it would be ignored. */
async function assertEnvironment({ MCPGEN_NO_CODE: value = '' }: Host['env']): Promise<void> {
  if (value === '' || /^(?:[01]|true|false)$/i.test(value)) return;
  const { DiagnosticError, createDiagnostic } = await import('../diagnostics/collector.ts');
  const parameters = { option: 'MCPGEN_NO_CODE', value, expected: 'It must be 1 or 0.' };
  throw new DiagnosticError(createDiagnostic('invalid-option', parameters));
}
