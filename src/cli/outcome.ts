import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Places } from '../diagnostics/render/place.ts';

/** The result of a command; `present` prints it. */
export interface Outcome {
  exitCode: number;
  diagnostics: readonly Diagnostic[];
  /** Finds the positions of the diagnostics' origins. */
  places: Places;
  /** `result` of the JSON document. */
  result: unknown;
  /** With `--json` and success: printed bare, in place of the document with `result`. */
  document?: unknown;
  /** Workflow commands of GitHub Actions, printed before `text`, each on a line. */
  annotations?: string | undefined;
  /** The result for a person, on stdout; ends in a line break. */
  text?: string | undefined;
  /** A sentence after the count of problems. */
  closing?: string | undefined;
  /** Printed on stderr after the result. */
  next?: string | undefined;
}
