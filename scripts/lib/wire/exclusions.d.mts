/** A request that the judge refused, or that was never sent. */
export interface Miss {
  document: string;
  tool: string;
  /** `minimal` or `full`. */
  sample: string;
  /** In the judge's words. */
  reason: string;
  /** Method and target, empty where nothing was sent. */
  sent: string;
}

export interface Exclusion {
  document: string;
  /** `*`: the judge can't judge this document, which then counts for nothing. */
  tools: '*' | string[];
  /** Part of the judge's words: other misses of the same tools stay misses. */
  because?: string;
  /** Whose fault it is, and why. */
  why: string;
}

export interface SortedMisses {
  known: (Miss & { why: string })[];
  unknown: Miss[];
  unneeded: Exclusion[];
}

export function sortMisses(misses: Miss[], exclusions: Exclusion[]): SortedMisses;
