import type { Severity } from './severity.ts';

/** Parameters of a message: texts and numbers, put into the words as they are. */
export type MessageParameters = Record<string, string | number>;

/** What the registry knows of one kind of problem. */
export interface DiagnosticDefinition<P extends MessageParameters = MessageParameters> {
  /** `MCPG` and three digits; never changes, never reused. */
  code: `MCPG${number}`;
  severity: Severity;
  message: (parameters: P) => string;
  /** The next step. */
  hint?: string | ((parameters: P) => string);
  /** For `mcpgen explain`. */
  docs: DiagnosticDocs;
}

/** The page `mcpgen explain <code>` prints. Full sentences, from the user's side. */
export interface DiagnosticDocs {
  /** When it is issued, and why it matters. */
  cause: string;
  /** How to make it go away. */
  fix: string;
  /** A small piece of input that causes it. */
  example?: string;
}

/** Keeps each definition's parameter type while checking its shape. */
export function define<P extends MessageParameters>(
  definition: DiagnosticDefinition<P>,
): DiagnosticDefinition<P> {
  return definition;
}
