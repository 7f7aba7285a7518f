import type { ItemSeparator, ParameterStyle } from '../../../../templates/runtime/contract/bindings.ts';

/** How the items of an array are joined. OpenAPI 3's defaults are left out. */
export interface CollectionReading {
  style?: ParameterStyle;
  explode?: boolean;
  separator?: ItemSeparator;
  itemSeparators?: ItemSeparator[];
}

const separators = new Map<unknown, ItemSeparator>([
  // "Default value is `csv`."
  [undefined, ','],
  ['csv', ','],
  ['ssv', ' '],
  ['tsv', '\t'],
  ['pipes', '|'],
]);

/** Undefined if the place has no such format. */
export function readCollectionFormat(
  format: unknown,
  place: 'query' | 'form' | 'path' | 'header',
): CollectionReading | undefined {
  const exploding = place === 'query' || place === 'form';
  const joined: CollectionReading = exploding ? { explode: false } : {};
  if (format === undefined || format === 'csv') return joined;
  if (format === 'multi') return exploding ? {} : undefined;
  if (format === 'ssv' && exploding) return { style: 'spaceDelimited' };
  if (format === 'pipes' && exploding) return { style: 'pipeDelimited' };
  const separator = separators.get(format);
  return separator && { ...joined, separator };
}

/** Finds the separator of a list inside a list (Items Object); undefined for an unknown format. */
export function separatorOfItems(format: unknown): ItemSeparator | undefined {
  return separators.get(format);
}
