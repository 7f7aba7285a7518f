// Types for the tests; the words stand in `proof.mjs`.
export interface Proof {
  check: string;
  noticed: string[];
  otherwise: string[];
  miss?: string;
}

export function proofOf(
  one: { check: string; rows: RegExp; each?: boolean; admits?: RegExp },
  verdicts: { family: string; name: string; admitted: boolean; miss?: string }[],
): Proof;
