/** Reports user code that ends the process, never settles, or throws outside of a call. The exit code is then never 0. */
import { relative } from 'node:path';
import { createDiagnostic, DiagnosticError } from '../diagnostics/collector.ts';
import { abandonCode, placeInCode, runningCode } from '../diagnostics/running-code.ts';
import type { Host } from './host.ts';

type Report = (error: unknown, host: Host) => number;

let release = (): void => undefined;

/** Guards until `unguard`. `report` prints a failure and returns its exit code. */
export function guard(host: Host, report: Report): void {
  const ended = (how: string) => (): void => {
    const code = runningCode();
    if (code === undefined) return;
    release();
    abandonCode();
    const diagnostic = createDiagnostic('user-code-ended', { code, way: how });
    process.exitCode = report(new DiagnosticError(diagnostic), host);
  };
  const listeners = [
    // The event loop is empty, so the code's promise will never settle.
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

/** Called before a server runs in this process, which survives errors of its code. */
export function unguard(): void {
  release();
}

function endWith(exitCode: number): void {
  release();
  abandonCode();
  process.exit(exitCode);
}

/** Turns an error of user code into a diagnostic; other errors stay as they are. */
function uncaught(thrown: unknown, { cwd }: Host): unknown {
  const place = placeInCode(thrown);
  const code = runningCode();
  if (place === undefined && code === undefined) return thrown;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  const at = place && { ...place, file: relative(cwd, place.file) };
  const where = code ?? at?.file ?? '';
  return new DiagnosticError(createDiagnostic('user-code-threw', { code: where, reason }, { at }));
}
