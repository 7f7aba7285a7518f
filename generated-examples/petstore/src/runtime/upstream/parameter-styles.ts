/**
 * The styles that make `name=value` pairs: form, cookie, spaceDelimited, pipeDelimited, deepObject.
 * Query, cookie and form bodies differ only in how pairs are encoded and joined.
 */
import type { ItemSeparator, ParameterStyle } from '../contract/bindings.ts';
import { type Encode, encodeUnreserved } from '../percent-encoding.ts';
import { writeJson } from '../contract/json-text.ts';
import { isJsonLines, isJsonSequence } from '../contract/media-type.ts';

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

/**
 * A path parameter's expansion, with its prefix; null and empty values give the table's `undefined` column.
 * The tables of OpenAPI 3.0.0–3.0.3 and 3.1.0 join a label that isn't exploded by `.`, those since 3.0.4 and 3.1.1 by
 * `,` as RFC 6570 does: an absent `explode` means the former, an explicit false the latter.
 */
export function expandInPath(
  style: ParameterStyle,
  explode: boolean | undefined,
  name: string,
  value: unknown,
  encode: Encode,
): string {
  switch (style) {
    case 'matrix':
      return expandMatrix(explode === true, encodeUnreserved(name), value, encode);
    case 'label':
      return expandLabel(explode, value, encode);
    default:
      return expandSimple(explode === true, value, encode, encodeUnreserved);
  }
}

/** Simple style, also that of headers, which are not percent-encoded. */
export function expandSimple(
  explode: boolean,
  value: unknown,
  encode: Encode,
  encodeName: Encode,
  separator = ',',
): string {
  if (typeof value !== 'object' || value === null) return encode(valueText(value));
  if (Array.isArray(value)) return itemTexts(value).map(encode).join(separator);
  const between = explode ? '=' : separator;
  return memberTexts(value)
    .map(([key, text]) => `${encodeName(key)}${between}${encode(text)}`)
    .join(separator);
}

function expandLabel(explode: boolean | undefined, value: unknown, encode: Encode): string {
  const separator = explode === false ? ',' : '.';
  return `.${expandSimple(explode === true, value, encode, encodeUnreserved, separator)}`;
}

function expandMatrix(explode: boolean, name: string, value: unknown, encode: Encode): string {
  if (typeof value !== 'object' || value === null) return matrixPair(name, encode(valueText(value)));
  if (!explode) return matrixPair(name, expandSimple(false, value, encode, encodeUnreserved));
  const pairs = Array.isArray(value)
    ? itemTexts(value).map((item) => matrixPair(name, encode(item)))
    : memberTexts(value).map(([key, text]) => matrixPair(encodeUnreserved(key), encode(text)));
  return pairs.length === 0 ? `;${name}` : pairs.join('');
}

/** The `;` operator writes no `=` before an empty value (RFC 6570, section 3.2.7). */
function matrixPair(name: string, value: string): string {
  return value === '' ? `;${name}` : `;${name}=${value}`;
}

/** The pairs of one parameter; a scalar, which the style does not define, is sent as `name=value`; nothing for null. */
export function deepObjectPairs(style: QueryStyle, value: unknown): Pair[] {
  const pairs: Pair[] = [];
  if (value !== null) addPairs(pairs, style, style.name, value);
  return pairs;
}

function addPairs(pairs: Pair[], style: QueryStyle, name: string, value: unknown): void {
  if (value === undefined) return;
  if (value === null || typeof value !== 'object') {
    pairs.push([style.encodeName(name), style.encodeValue(valueText(value))]);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => {
      const isNested = item !== null && typeof item === 'object';
      addPairs(pairs, style, `${name}[${isNested ? index : ''}]`, item);
    });
  } else {
    for (const [key, member] of Object.entries(value)) addPairs(pairs, style, `${name}[${key}]`, member);
  }
}

export function valueText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return numberText(value);
    case 'object':
      // A level deeper than any style describes: JSON keeps it whole.
      return value === null ? '' : writeJson(value);
    default:
      return String(value);
  }
}

/** JSON. Of a sequence, each item is a JSON text on a line of its own; RFC 7464 has a record separator before each. */
export function jsonText(mediaType: string, value: unknown): string {
  if (!isJsonLines(mediaType)) return writeJson(value);
  const start = isJsonSequence(mediaType) ? '\x1E' : '';
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => `${start}${writeJson(item)}\n`).join('');
}

/**
 * An array's items as encoded text. Items that are arrays themselves are joined by the first of `separators`, theirs by
 * the next; deeper than those goes, they are JSON. A comma is never encoded, as between the items of a style.
 */
export function encodedItems(
  items: readonly unknown[],
  encode: Encode,
  separators: readonly ItemSeparator[] = [],
): string[] {
  const [separator, ...deeper] = separators;
  if (separator === undefined) return itemTexts(items).map(encode);
  const joint = separator === ',' ? separator : encode(separator);
  return items
    .filter(isDefined)
    .map((item) =>
      Array.isArray(item) ? encodedItems(item, encode, deeper).join(joint) : encode(valueText(item)),
    );
}

/** An array's items as text; null and undefined items don't exist for RFC 6570 (section 2.3). */
export function itemTexts(items: readonly unknown[]): string[] {
  return items.filter(isDefined).map(valueText);
}

/** An object's members as text, without those that RFC 6570 calls undefined. */
export function memberTexts(object: object): [name: string, text: string][] {
  return Object.entries(object)
    .filter(([, value]) => isDefined(value))
    .map(([name, value]) => [name, valueText(value)]);
}

function isDefined(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** `1e21` is an integer, and no API reads it in scientific notation. */
function numberText(value: number): string {
  return Number.isInteger(value) && Math.abs(value) >= 1e21 ? BigInt(value).toString() : String(value);
}
