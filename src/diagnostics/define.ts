type MessageParameters = Record<string, string | number>;

/** The definition of one kind of diagnostic, as the registry holds it. Cause, fix and example are in `docs/diagnostics/<code>.md`. */
export interface DiagnosticDefinition<P extends MessageParameters = MessageParameters> {
  /** `MCPG` and three digits; never changes, never reused. */
  code: `MCPG${number}`;
  severity: Severity;
  message: (parameters: P) => string;
  hint?: string | ((parameters: P) => string);
}

/** Without a severity it is an error. */
export function defineDiagnostic<P extends MessageParameters>(
  definition: Omit<DiagnosticDefinition<P>, 'severity'> & { severity?: 'warning' | 'info' },
): DiagnosticDefinition<P> {
  return { severity: 'error', ...definition };
}

/**
 * - `error`: nothing is written.
 * - `warning`: one part does not work as the source says; the rest does. `--strict` makes it an error.
 * - `info`: a decision that the user may want to know.
 */
export type Severity = 'error' | 'warning' | 'info';
