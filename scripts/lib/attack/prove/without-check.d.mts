// Types for the tests; the words stand in `without-check.mjs`.
export function withoutCheck(
  edits: readonly [from: string, to: string][],
  files: readonly [file: string, text: string][],
): string[];
