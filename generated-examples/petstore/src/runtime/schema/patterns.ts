/**
 * Regular expressions of `pattern` and `patternProperties`. The one place that runs them, so that none of them can keep a
 * server busy: see docs/adr/0020-patterns-never-run-away.md.
 */
import { examine, type Guard, type Test } from './regex/examine.ts';
import type { Meter } from './regex/meter.ts';
import { parseRegex } from './regex/parse-regex.ts';
import type { RegexNode } from './regex/regex-node.ts';

/** A pattern that can be tested. */
export interface Pattern {
  readonly source: string;
  /** Whether the text holds a match. What it costs is told to the meter, which may throw. */
  test(text: string, meter: Meter): boolean;
}

interface Reading {
  guard: Guard;
  test: Test;
}

/** Refusing every value for a typo in the schema would help nobody. */
const accepting: Reading = { guard: 'linear', test: () => true };
const readings = new Map<string, Reading>();
/** Patterns that are remembered. */
const MOST = 10_000;

/**
 * Reads a pattern at its first use. ECMA-262 with the `u` flag, as Core section 6.4 asks; a pattern that is only
 * valid without the flag (`\-` outside a class) is read without it; one that is no regular expression at all, and
 * one that can't be run safely, accept everything.
 */
export function readPattern(source: string): Pattern {
  let reading: Reading | undefined;
  return { source, test: (text, meter) => (reading ??= readingOf(source)).test(text, meter) };
}

/** How a pattern is run; one that is no regular expression accepts everything, which is safe. */
export function guardOf(source: string): Guard {
  return readingOf(source).guard;
}

/** The tree of a pattern; undefined where there is none (see {@link parseRegex}). */
export function treeOf(source: string): RegexNode | undefined {
  const expression = compile(source);
  return expression === undefined ? undefined : parseRegex(expression.source, expression.unicode);
}

function readingOf(source: string): Reading {
  let reading = readings.get(source);
  if (reading === undefined) {
    const expression = compile(source);
    reading = expression === undefined ? accepting : examine(expression);
    if (readings.size < MOST) readings.set(source, reading);
  }
  return reading;
}

function compile(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags);
    } catch {
      // Tried again without the flag, then accepted.
    }
  }
  return undefined;
}
