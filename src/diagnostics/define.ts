type MessageParameters = Record<string, string | number>;

/** The definition of one kind of diagnostic, as the registry holds it. */
export interface DiagnosticDefinition<P extends MessageParameters = MessageParameters> {
  /** `MCPG` and three digits; never changes, never reused. */
  code: `MCPG${number}`;
  severity: Severity;
  message: (parameters: P) => string;
  hint?: string | ((parameters: P) => string);
  docs: DiagnosticDocs;
}

/** The page of `mcpgen explain <code>`, in full sentences. */
export interface DiagnosticDocs {
  cause: string;
  fix: string;
  /** Minimal input that provokes the diagnostic. */
  example?: string;
  /** The party whose rule it is, with the date at which the rule was read. Absent: mcpgen's own. */
  source?: string;
}

export function defineDiagnostic<P extends MessageParameters>(
  definition: DiagnosticDefinition<P>,
): DiagnosticDefinition<P> {
  return definition;
}

/**
 * - `error`: nothing is written.
 * - `warning`: one part does not work as the source says; the rest does. `--strict` makes it an error.
 * - `info`: a decision that the user may want to know.
 */
export type Severity = 'error' | 'warning' | 'info';
