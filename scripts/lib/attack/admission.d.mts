// Types for the tests; the words stand in `admission.mjs`.
export function isAdmitted(
  row: { want: string; reaches?: Record<string, number> },
  got: string,
  rises: Record<string, number>,
): boolean;
export function isProof(
  check: { rows: RegExp; admits?: RegExp },
  verdict: { name: string; admitted: boolean; miss?: string },
): boolean;
