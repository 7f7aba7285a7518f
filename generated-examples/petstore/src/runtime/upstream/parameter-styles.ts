// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Parameter styles of OpenAPI. Query, cookie and form bodies differ only in how pairs are encoded and joined. */
import type { ItemSeparator, ParameterStyle } from '../contract/bindings.ts';
import { type Encode, encodeUnreserved, isJsonLines, isJsonSequence } from '../contract/http-syntax.ts';
import { writeJson } from '../contract/json-value.ts';

/** Defaults are those of `ParameterBinding`. */
export interface QueryStyle {
  name: string;
  style?: ParameterStyle | undefined;
  explode?: boolean | undefined;
  separator?: ItemSeparator | undefined;
  itemSeparators?: readonly ItemSeparator[] | undefined;
  allowEmptyValue?: boolean | undefined;
}

/** A percent-encoded pair of a query. */
export type Pair = readonly [name: string, value: string];

/**
 * OpenAPI 3.2, "Style Examples". Empty arrays and objects add nothing (Appendix C, "Undefined Values"); delimiters are
 * encoded (Appendix E); combinations marked n/a are exploded as `form` is.
 * @param encodeName encodes the parameter's name and, exploded, an object's keys
 */
export function queryPairs(
  binding: QueryStyle,
  value: unknown,
  encodeName: Encode,
  encodeValue: Encode,
): Pair[] {
  const { style = 'form', itemSeparators } = binding;
  const { explode = style === 'form' || style === 'cookie' } = binding;
  const name = encodeName(binding.name);
  if (typeof value !== 'object') return [[name, encodeValue(printParameterValue(value))]];
  let pairs: Pair[] = [];
  if (style === 'deepObject') {
    if (value !== null) addDeepPairs(pairs, binding.name, value, encodeName, encodeValue);
  } else if (value === null) {
    if (style === 'form' || style === 'cookie') pairs = [[name, '']];
  } else if (Array.isArray(value)) {
    const items = encodeItems(value, encodeValue, itemSeparators);
    pairs = items.map((item) => [name, item]);
    if (!explode && items.length > 0) pairs = [[name, items.join(delimiterOfStyle(binding, encodeValue))]];
  } else {
    pairs = listMemberTexts(value).map(([key, text]) => [encodeName(key), encodeValue(text)]);
    if (!explode && pairs.length > 0)
      pairs = [[name, pairs.flat().join(delimiterOfStyle(binding, encodeValue))]];
  }
  return pairs.length === 0 && binding.allowEmptyValue === true ? [[name, '']] : pairs;
}

function delimiterOfStyle({ style, separator }: QueryStyle, encodeValue: Encode): string {
  if (separator !== undefined) return encodeValue(separator);
  if (style === 'spaceDelimited') return encodeValue(' ');
  return style === 'pipeDelimited' ? encodeValue('|') : ',';
}

/**
 * OpenAPI 3.0.0–3.0.3 and 3.1.0 join a label that isn't exploded by `.`, later ones by `,` as RFC 6570 does: an absent
 * `explode` means the former, an explicit false the latter.
 */
export function expandPathParameter(
  style: ParameterStyle,
  explode: boolean | undefined,
  name: string,
  value: unknown,
  encode: Encode,
): string {
  switch (style) {
    case 'matrix':
      return expandMatrix(explode === true, encodeUnreserved(name), value, encode);
    case 'label': {
      const separator = explode === false ? ',' : '.';
      return `.${expandSimpleStyle(explode === true, value, encode, encodeUnreserved, separator)}`;
    }
    default:
      return expandSimpleStyle(explode === true, value, encode, encodeUnreserved);
  }
}

export function expandSimpleStyle(
  explode: boolean,
  value: unknown,
  encode: Encode,
  encodeName: Encode,
  separator = ',',
): string {
  if (typeof value !== 'object' || value === null) return encode(printParameterValue(value));
  if (Array.isArray(value)) return listItemTexts(value).map(encode).join(separator);
  const between = explode ? '=' : separator;
  return listMemberTexts(value)
    .map(([key, text]) => `${encodeName(key)}${between}${encode(text)}`)
    .join(separator);
}

function expandMatrix(explode: boolean, name: string, value: unknown, encode: Encode): string {
  if (typeof value !== 'object' || value === null)
    return matrixPair(name, encode(printParameterValue(value)));
  if (!explode) return matrixPair(name, expandSimpleStyle(false, value, encode, encodeUnreserved));
  const pairs = Array.isArray(value)
    ? listItemTexts(value).map((item) => matrixPair(name, encode(item)))
    : listMemberTexts(value).map(([key, text]) => matrixPair(encodeUnreserved(key), encode(text)));
  return pairs.length === 0 ? `;${name}` : pairs.join('');
}

/** The `;` operator writes no `=` before an empty value (RFC 6570, section 3.2.7). */
function matrixPair(name: string, value: string): string {
  return value === '' ? `;${name}` : `;${name}=${value}`;
}

function addDeepPairs(
  pairs: Pair[],
  name: string,
  value: unknown,
  encodeName: Encode,
  encodeValue: Encode,
): void {
  if (value === undefined) return;
  if (value === null || typeof value !== 'object') {
    pairs.push([encodeName(name), encodeValue(printParameterValue(value))]);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => {
      const isNested = item !== null && typeof item === 'object';
      addDeepPairs(pairs, `${name}[${isNested ? index : ''}]`, item, encodeName, encodeValue);
    });
  } else {
    for (const [key, member] of Object.entries(value))
      addDeepPairs(pairs, `${name}[${key}]`, member, encodeName, encodeValue);
  }
}

export function printParameterValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      // No API reads an integer in scientific notation (`1e21`).
      return Number.isInteger(value) && Math.abs(value) >= 1e21 ? BigInt(value).toString() : String(value);
    case 'object':
      // JSON keeps what is deeper than any style describes.
      return value === null ? '' : writeJson(value);
    default:
      return String(value);
  }
}

/** Writes items of a sequence on lines of their own, after a record separator in RFC 7464. */
export function printJson(mediaType: string, value: unknown): string {
  if (!isJsonLines(mediaType)) return writeJson(value);
  const start = isJsonSequence(mediaType) ? '\x1E' : '';
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => `${start}${writeJson(item)}\n`).join('');
}

/** Nested arrays are joined by the next separator, and are JSON when there is none. Commas stay, other separators are encoded. */
export function encodeItems(
  items: readonly unknown[],
  encode: Encode,
  separators: readonly ItemSeparator[] = [],
): string[] {
  const [separator, ...deeper] = separators;
  if (separator === undefined) return listItemTexts(items).map(encode);
  const joint = separator === ',' ? separator : encode(separator);
  return items
    .filter(isDefined)
    .map((item) =>
      Array.isArray(item) ? encodeItems(item, encode, deeper).join(joint) : encode(printParameterValue(item)),
    );
}

/** RFC 6570 ignores undefined items (section 2.3). */
export function listItemTexts(items: readonly unknown[]): string[] {
  return items.filter(isDefined).map(printParameterValue);
}

export function listMemberTexts(object: object): [name: string, text: string][] {
  return Object.entries(object)
    .filter(([, value]) => isDefined(value))
    .map(([name, value]) => [name, printParameterValue(value)]);
}

function isDefined(value: unknown): boolean {
  return value !== undefined && value !== null;
}
