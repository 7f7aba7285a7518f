/** The styles that expand a value in place: simple, label, matrix (RFC 6570, sections 3.2.2, 3.2.5, 3.2.7). */
import type { ParameterStyle } from '../contract/bindings.ts';
import type { Encode } from '../percent-encoding.ts';
import { encodeUnreserved } from '../percent-encoding.ts';
import { itemTexts, memberTexts, valueText } from './value-text.ts';

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
