/** The exit codes scripts rely on; `mcpgen --help` documents them. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';

export const EXIT = {
  fine: 0,
  /** Errors found, or output stale. */
  errors: 1,
  /** Wrong usage or configuration. */
  usage: 2,
  /** A bug of ours (`EX_SOFTWARE` of sysexits). */
  bug: 70,
  /** Ctrl-C, as shells report it: 128 + SIGINT. */
  interrupted: 130,
} as const;

/** Usage and configuration have the codes `MCPG6xx`; they outrank other errors, since they come first. */
export function exitCodeFor(diagnostics: readonly Diagnostic[]): number {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return EXIT.fine;
  return errors.some(({ code }) => code.startsWith('MCPG6')) ? EXIT.usage : EXIT.errors;
}
