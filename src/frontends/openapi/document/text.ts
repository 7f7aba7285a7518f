import { cleanProse } from '../../../model/clean-prose.ts';

/** Words of a document, cleaned; undefined when there are none. */
export function wordsOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = cleanProse(value).trim();
  return text === '' ? undefined : text;
}
