/** Lengths of the names of tools and prompts, in characters. */
export const NAME_LENGTH = {
  /** Below this no shortened name could hold the hash that keeps it unique. */
  shortest: 16,
  default: 64,
  /** The protocol's. */
  longest: 128,
} as const;
