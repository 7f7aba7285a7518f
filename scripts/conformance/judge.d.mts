/** One check, as the suites write it. */
export interface Check {
  id: string;
  status: string;
  description?: string;
  errorMessage?: string;
}

export interface Verdict {
  passed: number;
  /** A line for each check that failed. */
  failures: string[];
  /** A line for each that warned, was skipped without need, or has a status we do not know. */
  warnings: string[];
  /** The ids of those that were skipped as expected. */
  skips: string[];
}

/** A scenario that checked nothing is a warning too. */
export function judge(checks: Check[]): Verdict;
