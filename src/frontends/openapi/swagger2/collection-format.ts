import type { ParameterStyle } from '../../../../templates/runtime/bindings.ts';

/** How Swagger 2.0 joins the items of an array, as a style of OpenAPI 3. */
export type CollectionReading =
  | { kind: 'style'; style?: ParameterStyle; explode?: boolean }
  /** No style writes it; a person or model writes the text with this separator. */
  | { kind: 'text'; format: string; separator: string };

const separators: Readonly<Record<string, string>> = { ssv: 'spaces', tsv: 'tabs', pipes: 'vertical bars' };

/** `undefined` is csv, the default. Members that equal OpenAPI 3's default for the place are left out. */
export function readCollectionFormat(
  format: unknown,
  place: 'query' | 'form' | 'path' | 'header',
): CollectionReading {
  const exploding = place === 'query' || place === 'form';
  if (format === 'multi' && exploding) return { kind: 'style' };
  if (format === 'ssv' && exploding) return { kind: 'style', style: 'spaceDelimited' };
  if (format === 'pipes' && exploding) return { kind: 'style', style: 'pipeDelimited' };
  const separator = typeof format === 'string' ? separators[format] : undefined;
  if (typeof format === 'string' && separator !== undefined) return { kind: 'text', format, separator };
  return exploding ? { kind: 'style', explode: false } : { kind: 'style' };
}
