// Types for the tests; the words stand in `checks.mjs`.
export interface Check {
  check: string;
  edits: [from: string, to: string][];
  files: string[];
  families: string[];
  rows?: RegExp;
  each?: boolean;
  admits?: RegExp;
}

export function readChecks(): Promise<Check[]>;
