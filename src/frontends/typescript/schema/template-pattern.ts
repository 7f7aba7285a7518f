/** Converts template literal types to regular expressions (ECMA-262, with the `u` flag). */
import { ts } from 'ts-morph';
import { inDeclaredOrder } from './declared-order.ts';
import type { Reading } from './form.ts';
import { TypeTooLarge } from './limits.ts';

/** The numbers that `Number(text)` reads and writes back (ECMA-262, `Number::toString`). */
export const numberPattern = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:e[+-]?\\d+)?';

/** `^…$` for a template literal, or for `Uppercase<string>` and similar types. */
export function templatePattern(type: ts.Type, reading: Reading): string {
  return `^${partPattern(type, reading)}$`;
}

function partPattern(type: ts.Type, reading: Reading): string {
  const pattern = partSource(type, reading);
  if (pattern.length > reading.limits.pattern) throw new TypeTooLarge('pattern');
  return pattern;
}

function partSource(type: ts.Type, reading: Reading): string {
  const { flags } = type;
  if (flags & ts.TypeFlags.TemplateLiteral) return templateSource(type as ts.TemplateLiteralType, reading);
  if (flags & ts.TypeFlags.StringMapping) return mappingSource(type as ts.StringMappingType, reading);
  if (type.isUnion()) {
    if (type.types.length > reading.limits.members) throw new TypeTooLarge('members');
    const members = inDeclaredOrder(type.types, reading.checker);
    return `(?:${members.map((member) => partPattern(member, reading)).join('|')})`;
  }
  if (type.isIntersection()) return intersectionSource(type, reading);
  if (type.isLiteral()) return escapeText(literalText(type.value));
  if (flags & ts.TypeFlags.Number) return numberPattern;
  if (flags & ts.TypeFlags.BigInt) return '-?(?:0|[1-9]\\d*)';
  if (flags & (ts.TypeFlags.BooleanLiteral | ts.TypeFlags.Null | ts.TypeFlags.Undefined))
    return reading.checker.typeToString(type);
  if (flags & ts.TypeFlags.TypeParameter) return '[\\s\\S]*';
  return '[\\s\\S]*';
}

function templateSource(type: ts.TemplateLiteralType, reading: Reading): string {
  const parts = type.texts.map((text, index) => {
    const hole = type.types[index];
    return escapeText(text) + (hole === undefined ? '' : partPattern(hole, reading));
  });
  return parts.join('');
}

/** A brand does not change the text. */
function intersectionSource(type: ts.IntersectionType, reading: Reading): string {
  const text = type.types.find(
    ({ flags }) => flags & (ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike),
  );
  return text === undefined ? '[\\s\\S]*' : partPattern(text, reading);
}

/** Only ASCII letters are checked, since not every engine knows the cases of other alphabets. */
function mappingSource(type: ts.StringMappingType, { checker }: Reading): string {
  switch (checker.symbolToString(type.symbol)) {
    case 'Uppercase':
      return '[^a-z]*';
    case 'Lowercase':
      return '[^A-Z]*';
    case 'Capitalize':
      return '(?:[^a-z][\\s\\S]*)?';
    default:
      return '(?:[^A-Z][\\s\\S]*)?';
  }
}

function literalText(value: string | number | ts.PseudoBigInt): string {
  return typeof value === 'object' ? `${value.negative ? '-' : ''}${value.base10Value}` : String(value);
}

/** Valid with and without the `u` flag. */
function escapeText(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
