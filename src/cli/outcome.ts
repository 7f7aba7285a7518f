import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Places } from '../diagnostics/render/place.ts';

/** What a command found out, as a value; `present` prints it. */
export interface Outcome {
  exitCode: number;
  diagnostics: readonly Diagnostic[];
  /** Where the diagnostics' origins stand in the texts that were read. */
  places: Places;
  /** `result` of the JSON document. */
  result: unknown;
  /** With `--json` and success: printed bare, in place of the document with `result`. */
  document?: unknown;
  /** Workflow commands of GitHub Actions, printed before `text`, each on a line. */
  annotations?: string;
  /** The result for a person, on stdout; ends in a line break. */
  text?: string;
  /** Said after the count of problems. */
  closing?: string;
  /** Said on stderr after the result. */
  next?: string;
}
