import type { ReportOptions } from '../config/options/option-types.ts';
import type { Host } from './host.ts';
import type { Outcome } from './outcome.ts';

export interface CommandContext {
  host: Host;
  /** Prints the outcome and keeps its exit code. */
  finish: (outcome: Outcome, flags: ReportOptions) => void;
  /** Receives the output of `--help` and `--version`. */
  tell: (text: string) => void;
}
