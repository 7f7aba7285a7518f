/** The exit codes scripts rely on; `mcpgen --help` documents them. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';

export const EXIT = {
  fine: 0,
  /** Errors found, or output stale. */
  errors: 1,
  /** Wrong usage or configuration. */
  usage: 2,
  /** A bug in mcpgen (`EX_SOFTWARE` of sysexits). */
  bug: 70,
  /** Stopped by Ctrl-C: 128 + SIGINT, as in shells. */
  interrupted: 130,
} as const;

/** Errors of usage and configuration (`MCPG6xx`) outrank others, since they are found first. */
export function exitCodeFor(diagnostics: readonly Diagnostic[]): number {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return EXIT.fine;
  return errors.some(({ code }) => code.startsWith('MCPG6')) ? EXIT.usage : EXIT.errors;
}
