// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Values of parameters as text, and the plain styles: `form` exploded in a query, `simple` in a path. */
import { type Encode, isJsonLinesType, isJsonSequenceType } from '../contract/http-syntax.ts';
import { writeJson } from '../contract/json-value.ts';
import { isDefined } from '../contract/patterns.ts';

/** A percent-encoded pair of a query. */
export type Pair = readonly [name: string, value: string];

/** Empty arrays and objects add nothing (OpenAPI 3.2, Appendix C, "Undefined Values"). */
export function plainPairs(name: string, value: unknown, encodeName: Encode, encodeValue: Encode): Pair[] {
  if (typeof value !== 'object') return [[name, encodeValue(printParameterValue(value))]];
  if (value === null) return [[name, '']];
  if (Array.isArray(value)) return listItemTexts(value).map((text) => [name, encodeValue(text)]);
  return listMemberTexts(value).map(([key, text]) => [encodeName(key), encodeValue(text)]);
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
  if (!isJsonLinesType(mediaType)) return writeJson(value);
  const start = isJsonSequenceType(mediaType) ? '\x1E' : '';
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => `${start}${writeJson(item)}\n`).join('');
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
