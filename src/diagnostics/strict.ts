import type { Diagnostic } from './diagnostic.ts';

/** `--strict`: warnings become errors. */
export function raiseWarnings(found: readonly Diagnostic[]): Diagnostic[] {
  return found.map((diagnostic) =>
    diagnostic.severity === 'warning' ? { ...diagnostic, severity: 'error' } : diagnostic,
  );
}
