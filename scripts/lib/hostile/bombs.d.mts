// Types for the tests; the words stand in `bombs.mjs`.
export interface Bomb {
  what: string;
  /** A document as JSON, or the text of one. */
  document: object | string;
  /** Names of diagnostics that must be among those told. */
  told: string[];
  /** Whether there is a server all the same. */
  served: boolean;
}

export const bombs: Bomb[];
