import { type Docs, proseOf } from './doc-text.ts';

/** The sentence that says so, and what to use instead; undefined for what is not `@deprecated`. */
export function deprecation({ tags }: Docs): string | undefined {
  const tag = tags.find(({ name }) => name === 'deprecated');
  if (tag === undefined) return undefined;
  const words = proseOf(tag.text);
  if (words === '') return 'Deprecated.';
  return `Deprecated: ${/[.!?]$/.test(words) ? words : `${words}.`}`;
}
