import type { Diagnostic } from './diagnostic.ts';

/** `--strict`: warnings count as errors. Infos stay what they are. */
export function raiseWarnings(found: readonly Diagnostic[]): Diagnostic[] {
  return found.map((diagnostic) =>
    diagnostic.severity === 'warning' ? { ...diagnostic, severity: 'error' } : diagnostic,
  );
}
