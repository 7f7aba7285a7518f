/** A value as the text that stands for it outside JSON (OpenAPI 3.2, Appendix B leaves this to implementations). */
import type { ItemSeparator } from '../contract/bindings.ts';
import { writeJson } from '../contract/json-text.ts';
import { isJsonLines, isJsonSequence } from '../contract/media-type.ts';
import type { Encode } from '../percent-encoding.ts';

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
