import { defaultLimits } from './options.ts';
import { readPattern } from './patterns.ts';
import { Halt, Run } from './run.ts';

/** Whether a text matches a pattern, outside of a validation; one that takes too much work to tell counts as no match. */
export function matchesPattern(source: string, text: string): boolean {
  try {
    return readPattern(source).test(text, new Run(defaultLimits));
  } catch (error) {
    if (error instanceof Halt) return false;
    throw error;
  }
}
