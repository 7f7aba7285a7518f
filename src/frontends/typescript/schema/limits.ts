/** Limits for one type, so that a type that expands endlessly becomes a diagnostic. */
export interface TypeLimits {
  /** Nested types, through members, items and names. Default 100. */
  depth: number;
  /** Types read for one parameter or result. Default 20,000. */
  types: number;
  /** Members of one union, including literals of an enum. Default 2,000. */
  members: number;
  /** Characters of the pattern for a template literal. Default 10,000. */
  pattern: number;
}

export const defaultTypeLimits: TypeLimits = { depth: 100, types: 20_000, members: 2_000, pattern: 10_000 };

/** Names of the limits, for messages. */
export const limitWords: Record<keyof TypeLimits, string> = {
  depth: 'types inside one another',
  types: 'types',
  members: 'alternatives',
  pattern: 'characters of a pattern',
};

/** Ends the reading of one type. The reader catches and reports it. */
export class TypeTooLarge extends Error {
  readonly limit: keyof TypeLimits;

  constructor(limit: keyof TypeLimits) {
    super(limit);
    this.limit = limit;
  }
}
