/**
 * Regular expressions of `pattern` and `patternProperties`. The one place that runs them, so that a guard
 * against expressions that backtrack without end has one place to stand.
 */

/** A pattern that can be tested. */
export interface Pattern {
  readonly source: string;
  test(text: string): boolean;
}

const accepting = { test: (): boolean => true };

/**
 * Reads a pattern at its first use. ECMA-262 with the `u` flag, as Core section 6.4 asks; a pattern that is only
 * valid without the flag (`\-` outside a class) is read without it; one that is no regular expression at all
 * accepts everything: refusing every value for a typo in the schema would help nobody.
 */
export function readPattern(source: string): Pattern {
  let expression: { test(text: string): boolean } | undefined;
  return { source, test: (text) => (expression ??= compile(source)).test(text) };
}

function compile(source: string): { test(text: string): boolean } {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags);
    } catch {
      // Tried again without the flag, then accepted.
    }
  }
  return accepting;
}
