import type { ReportOptions } from '../config/options/option-types.ts';
import type { Host } from './host.ts';
import type { Outcome } from './outcome.ts';

/** What a command's definition is given. */
export interface CommandContext {
  host: Host;
  /** Prints the outcome and keeps its exit code. */
  finish: (outcome: Outcome, flags: ReportOptions) => void;
  /** Takes what help and `--version` say. */
  tell: (text: string) => void;
}
