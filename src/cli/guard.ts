/** Watches over the user's code that runs in this process. */
import { relative } from 'node:path';

import { DiagnosticError, createDiagnostic } from '../diagnostics/collector.ts';
import { abandonCode, findPlaceInCode, nameOfRunningCode } from '../diagnostics/running-code.ts';
import type { Serving } from '../serve/serve-model.ts';
import type { Host } from './host.ts';
import { restoreStdout } from './node-host.ts';
import { reportFailure } from './report-failure.ts';

/** Lets a server run here: the runtime uses stdout for the protocol, and diverts other output itself. */
export const serving: Serving = {
  process,
  release: () => {
    restoreStdout();
    releaseUserCodeGuard();
  },
};

let releaseGuard = (): void => undefined;

/**
 * Reports user code that ends the process, never settles, or throws outside of a call, until `releaseUserCodeGuard` is called. The exit code is then
 * never 0.
 */
export function guardAgainstUserCode(host: Host): void {
  const makeCodeEndReporter = (how: string) => (): void => {
    const code = nameOfRunningCode();
    if (code === undefined) return;
    releaseGuard();
    abandonCode();
    const diagnostic = createDiagnostic('user-code-ended', { code, ending: how });
    process.exitCode = reportFailure(new DiagnosticError(diagnostic), host);
  };
  const listeners = [
    // Node emits this when the event loop is empty: the promise of the user's code will never settle.
    ['beforeExit', makeCodeEndReporter('never settles, although nothing is pending')],
    ['exit', makeCodeEndReporter('ended the process')],
    [
      'uncaughtException',
      (thrown: unknown) => releaseAndExit(reportFailure(convertUncaughtError(thrown, host), host)),
    ],
    [
      'unhandledRejection',
      (thrown: unknown) => releaseAndExit(reportFailure(convertUncaughtError(thrown, host), host)),
    ],
  ] as const;
  for (const [event, listener] of listeners) process.on(event, listener);
  releaseGuard = () => {
    for (const [event, listener] of listeners) process.off(event, listener);
  };
}

function releaseUserCodeGuard(): void {
  releaseGuard();
}

function releaseAndExit(exitCode: number): void {
  releaseGuard();
  abandonCode();
  process.exit(exitCode);
}

/** Turns an error of user code into a diagnostic; other errors stay as they are. */
function convertUncaughtError(thrown: unknown, { cwd }: Host): unknown {
  const place = findPlaceInCode(thrown);
  const code = nameOfRunningCode();
  if (place === undefined && code === undefined) return thrown;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  const at = place && { ...place, file: relative(cwd, place.file) };
  const where = code ?? at?.file ?? '';
  return new DiagnosticError(
    createDiagnostic(
      'user-code-ended',
      { code: where, ending: `threw an uncaught error: ${reason}` },
      { at },
    ),
  );
}
