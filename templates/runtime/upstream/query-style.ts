/**
 * The styles that make `name=value` pairs: form, cookie, spaceDelimited, pipeDelimited, deepObject.
 * Query, cookie and form bodies differ only in how pairs are encoded and joined.
 */
import type { ItemSeparator, ParameterStyle } from '../contract/bindings.ts';
import { deepObjectPairs } from './deep-object.ts';
import type { Encode } from '../percent-encoding.ts';
import { encodedItems, memberTexts, valueText } from './value-text.ts';

export interface QueryStyle {
  name: string;
  style: ParameterStyle;
  explode: boolean;
  /** Replaces the style's delimiter. */
  separator?: ItemSeparator | undefined;
  /** Of lists inside of a list. */
  itemSeparators?: readonly ItemSeparator[] | undefined;
  /** An empty value is sent as `name=`. */
  allowEmptyValue: boolean;
  /** For names: a parameter's name and, exploded, an object's keys. */
  encodeName: Encode;
  encodeValue: Encode;
}

/** Both parts are encoded. */
export type Pair = readonly [name: string, value: string];

/**
 * The pairs of one parameter, per OpenAPI 3.2 "Style Examples". An empty array or object is undefined in RFC 6570
 * and leaves no trace (Appendix C, "Undefined Values"). Delimiters of the two delimited styles are encoded
 * (Appendix E: `[`, `]`, `|` and space "MUST be percent-encoded"). Combinations marked n/a are exploded as `form` is.
 */
export function queryPairs(style: QueryStyle, value: unknown): Pair[] {
  const pairs = style.style === 'deepObject' ? deepObjectPairs(style, value) : stylePairs(style, value);
  return pairs.length === 0 && style.allowEmptyValue ? [[style.encodeName(style.name), '']] : pairs;
}

function stylePairs(style: QueryStyle, value: unknown): Pair[] {
  const name = style.encodeName(style.name);
  if (typeof value !== 'object') return [[name, style.encodeValue(valueText(value))]];
  if (value === null) return style.style === 'form' || style.style === 'cookie' ? [[name, '']] : [];
  return Array.isArray(value) ? arrayPairs(style, name, value) : objectPairs(style, name, value);
}

function arrayPairs(style: QueryStyle, name: string, value: readonly unknown[]): Pair[] {
  const items = encodedItems(value, style.encodeValue, style.itemSeparators);
  if (items.length === 0) return [];
  return style.explode ? items.map((item) => [name, item]) : [[name, items.join(delimiter(style))]];
}

function objectPairs(style: QueryStyle, name: string, value: object): Pair[] {
  const members = memberTexts(value);
  if (members.length === 0) return [];
  const pairs = members.map(([key, text]): Pair => [style.encodeName(key), style.encodeValue(text)]);
  return style.explode ? pairs : [[name, pairs.flat().join(delimiter(style))]];
}

function delimiter(style: QueryStyle): string {
  if (style.separator !== undefined) return style.encodeValue(style.separator);
  if (style.style === 'spaceDelimited') return style.encodeValue(' ');
  return style.style === 'pipeDelimited' ? style.encodeValue('|') : ',';
}
