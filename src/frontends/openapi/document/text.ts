import { cleanProse } from '../../../model/clean-prose.ts';

/** Cleans a text; undefined if nothing is left. */
export function wordsOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = cleanProse(value).trim();
  return text === '' ? undefined : text;
}
