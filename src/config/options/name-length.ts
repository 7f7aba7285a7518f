/** Lengths of the names of tools and prompts, in characters. */
export const NAME_LENGTH = {
  /** Shorter names would have no room for the hash that keeps them unique. */
  shortest: 16,
  default: 64,
  /** Maximum of the protocol. */
  longest: 128,
} as const;
