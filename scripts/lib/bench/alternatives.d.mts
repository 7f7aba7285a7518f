// Types for the tests; the words stand in `alternatives.mjs`.
export const ALTERNATIVES: readonly { name: string }[];
