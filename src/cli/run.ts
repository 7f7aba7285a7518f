/** One run of the command line: from arguments to an exit code. Never throws. */
import { CommanderError } from 'commander';

import type { ReportOptions } from '../config/options/option-types.ts';
import type { Host } from './host.ts';
import { EXIT, type Outcome, successOutcome } from './outcome.ts';
import { hasJsonFlag, isReportFormat, writeOutcome, writeOutcomeInParts } from './present.ts';
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
    const isPrinted = await writeOutcomeInParts(finished.outcome, finished.flags, host);
    return isPrinted ? finished.outcome.exitCode : EXIT.interrupted;
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

/** Refuses values that are misspelt, since they would be ignored. */
async function assertEnvironment(env: Host['env']): Promise<void> {
  await assertVariableValue('MCPGEN_FORMAT', env, isReportFormat, 'It must be one of pretty, github, agent.');
  const isSwitch = (value: string): boolean => /^(?:[01]|true|false)$/i.test(value);
  await assertVariableValue('MCPGEN_NO_CODE', env, isSwitch, 'It must be 1 or 0.');
}

async function assertVariableValue(
  option: string,
  env: Host['env'],
  isFit: (value: string) => boolean,
  expected: string,
): Promise<void> {
  const value = env[option];
  if (value === undefined || value === '' || isFit(value)) return;
  const { DiagnosticError, createDiagnostic } = await import('../diagnostics/collector.ts');
  throw new DiagnosticError(createDiagnostic('invalid-option', { option, value, expected }));
}
