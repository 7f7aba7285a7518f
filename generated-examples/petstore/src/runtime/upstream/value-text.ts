/** A value as the text that stands for it outside JSON (OpenAPI 3.2, Appendix B leaves this to implementations). */
import { writeJson } from '../schema/json-text.ts';
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
