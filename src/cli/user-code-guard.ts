/** Code of the user that ends the process, never settles, or throws where nobody catches it: told, and never exit code 0. */
import { relative } from 'node:path';
import { createDiagnostic, DiagnosticError } from '../diagnostics/collector.ts';
import { abandonCode, placeInCode, runningCode } from '../diagnostics/running-code.ts';
import type { Host } from './host.ts';

type Report = (error: unknown, host: Host) => number;

let release = (): void => undefined;

/** Until `unguard`. `report` prints a failure and returns the exit code for it. */
export function guard(host: Host, report: Report): void {
  const ended = (way: string) => (): void => {
    const code = runningCode();
    if (code === undefined) return;
    release();
    abandonCode();
    process.exitCode = report(new DiagnosticError(createDiagnostic('user-code-ended', { code, way })), host);
  };
  const listeners = [
    // Nothing is left that could settle it.
    ['beforeExit', ended('never settles, although nothing is pending')],
    ['exit', ended('ended the process')],
    ['uncaughtException', (thrown: unknown) => endWith(report(uncaught(thrown, host), host))],
    ['unhandledRejection', (thrown: unknown) => endWith(report(uncaught(thrown, host), host))],
  ] as const;
  for (const [event, listener] of listeners) process.on(event, listener);
  release = () => {
    for (const [event, listener] of listeners) process.off(event, listener);
  };
}

/** Before a server runs in this process: it outlives what its code throws. */
export function unguard(): void {
  release();
}

function endWith(exitCode: number): void {
  release();
  abandonCode();
  process.exit(exitCode);
}

/** As it is where no code of the user is known to have thrown it. */
function uncaught(thrown: unknown, { cwd }: Host): unknown {
  const place = placeInCode(thrown);
  const code = runningCode();
  if (place === undefined && code === undefined) return thrown;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  const at = place && { ...place, file: relative(cwd, place.file) };
  const where = code ?? at?.file ?? '';
  return new DiagnosticError(createDiagnostic('user-code-threw', { code: where, reason }, { at }));
}
