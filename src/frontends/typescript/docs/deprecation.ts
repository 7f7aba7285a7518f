import { type Docs, proseOf } from './doc-text.ts';

/** Undefined without `@deprecated`. */
export function deprecation({ tags }: Docs): string | undefined {
  const tag = tags.find(({ name }) => name === 'deprecated');
  if (tag === undefined) return undefined;
  const words = proseOf(tag.text);
  if (words === '') return 'Deprecated.';
  return `Deprecated: ${/[.!?]$/.test(words) ? words : `${words}.`}`;
}
