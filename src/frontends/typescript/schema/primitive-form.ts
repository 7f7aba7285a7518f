import { ts } from 'ts-morph';

import type { JsonSchemaObject } from '../../../util/json-schema.ts';
import type { ParametersOf } from '../../../diagnostics/registry.ts';
import { findDocs } from '../docs/read-docs.ts';
import {
  type Form,
  type NoForm,
  type Place,
  type Reading,
  LIMITS,
  TypeTooLarge,
  formatSubject,
  makeNoJsonFault,
} from './form.ts';

export function primitiveForm(type: ts.Type, place: Place, reading: Reading): Form | NoForm | undefined {
  const { flags } = type;
  if (flags & ts.TypeFlags.Any) {
    // `any` in the user's own code is usually a mistake; a library's cannot be changed.
    if (!place.isLibrary) return { faults: [{ place, problem: { name: 'untyped-value' } }] };
    const fix = 'Wrap the library’s function in your own with exact types.';
    tellWidened(place, { is: '`any` in a library’s types', accepts: 'JSON value', fix }, reading);
    return formOfAnything();
  }
  if (flags & ts.TypeFlags.Unknown) return formOfAnything();
  if (flags & ts.TypeFlags.Never) return makeNoJsonFault(place, '`never`');
  if (flags & ts.TypeFlags.ESSymbolLike) return makeNoJsonFault(place, 'a symbol');
  if (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void))
    return { schema: { type: 'null' }, optional: true };
  // `object` may be a list too, and in results a date.
  if (flags & ts.TypeFlags.NonPrimitive)
    return reading.direction === 'input' ? { schema: { type: ['object', 'array'] } } : formOfAnything();
  if (type.isLiteral()) return literalForm(type.value, place, reading);
  if (flags & ts.TypeFlags.BooleanLiteral)
    return { schema: { type: 'boolean', const: reading.checker.typeToString(type) === 'true' } };
  if (flags & ts.TypeFlags.BigInt) return { schema: { type: 'integer' }, codec: { kind: 'bigint' } };
  if (flags & ts.TypeFlags.String) return { schema: { type: 'string' } };
  if (flags & (ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping))
    return { schema: { type: 'string', pattern: templatePattern(type, reading) } };
  if (flags & ts.TypeFlags.Number) return { schema: { type: 'number' } };
  if (flags & ts.TypeFlags.Boolean) return { schema: { type: 'boolean' } };
  return flags & ts.TypeFlags.Null ? { schema: { type: 'null' } } : undefined;
}

function tellWidened(
  place: Place,
  facts: Omit<ParametersOf<'type-widened'>, 'subject'>,
  { tell }: Reading,
): void {
  tell('type-widened', { subject: formatSubject(place), ...facts }, place.at);
}

/** A result that may be anything is written by its actual value. */
export function formOfAnything(): Form {
  return { schema: {}, codec: { kind: 'any' } };
}

export function notNullForm({ direction }: Reading): Form {
  const schema: JsonSchemaObject = { not: { type: 'null' } };
  return direction === 'input' ? { schema } : { ...formOfAnything(), schema };
}

function literalForm(value: string | number | ts.PseudoBigInt, place: Place, reading: Reading): Form {
  if (typeof value === 'string') return { schema: { type: 'string', const: value } };
  if (typeof value === 'number') return { schema: { type: 'number', const: value } };
  const schema: JsonSchemaObject = { type: 'integer' };
  const digits = printBigInt(value);
  if (Number.isSafeInteger(Number(digits))) schema.const = Number(digits);
  else {
    const is = `the integer ${digits}, which JSON clients cannot read exactly`;
    tellWidened(place, { is, accepts: 'integer', fix: 'Use a string for the value.' }, reading);
  }
  return { schema, codec: { kind: 'bigint' } };
}

/** Declarations of one enum may be in several places. */
export function enumForm(symbol: ts.Symbol, place: Place, reading: Reading): Form {
  const declarations = (symbol.declarations ?? []).filter((node) => ts.isEnumDeclaration(node));
  const members = declarations.flatMap(({ members }) => [...members]);
  if (members.length > LIMITS.members.most) throw new TypeTooLarge('members');
  const values = members.map((member) => reading.checker.getConstantValue(member));
  if (values.some((value) => value === undefined)) {
    const fix = 'Give the members constant values.';
    tellWidened(place, { is: 'an enum with computed members', accepts: 'number', fix }, reading);
    return { schema: { type: 'number' } };
  }
  const schema = makeEnumSchema(values.filter((value) => value !== undefined));
  const descriptions = members.map((member) => findDocs(member).description);
  // Numbers have no meaning without their names, and members may have docs.
  if (values.some((value, index) => typeof value === 'number' || descriptions[index]))
    schema.description = members
      .map(({ name }, index) => {
        const value = values[index];
        const text = ts.isComputedPropertyName(name) ? name.getText() : name.text;
        const head = typeof value === 'number' ? `${value} = ${text}` : String(value);
        return [head, descriptions[index] ?? []].flat().join(': ');
      })
      .join('; ');
  return { schema };
}

export function makeEnumSchema(values: readonly (string | number | boolean)[]): JsonSchemaObject {
  const distinct = [...new Set(values)];
  const types = [...new Set(distinct.map((value) => typeof value as 'string' | 'number' | 'boolean'))];
  const [type] = types;
  const [only] = distinct;
  const head: JsonSchemaObject = type === undefined ? {} : { type: types.length === 1 ? type : types };
  return distinct.length === 1 && only !== undefined ? { ...head, const: only } : { ...head, enum: distinct };
}

/** The numbers that `Number(text)` reads and writes back (ECMA-262, `Number::toString`). */
export const numberPattern = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:e[+-]?\\d+)?';

/**
 * Template literal types, `Uppercase<string>` and the like become a pattern for the whole text (ECMA-262, `u` flag).
 */
export function templatePattern(type: ts.Type, reading: Reading): string {
  return `^${checkedRegexSource(type, reading)}$`;
}

function checkedRegexSource(type: ts.Type, reading: Reading): string {
  const pattern = regexSourceOfPart(type, reading);
  if (pattern.length > LIMITS.pattern.most) throw new TypeTooLarge('pattern');
  return pattern;
}

function regexSourceOfPart(type: ts.Type, reading: Reading): string {
  const { flags } = type;
  if (flags & ts.TypeFlags.TemplateLiteral) {
    const { texts, types } = type as ts.TemplateLiteralType;
    const holes = types.map((hole) => checkedRegexSource(hole, reading));
    return texts.map((text, index) => escapeRegexText(text) + (holes[index] ?? '')).join('');
  }
  if (flags & ts.TypeFlags.StringMapping)
    return SOURCES_OF_MAPPINGS.get((type as ts.StringMappingType).symbol.name) ?? ANY_TEXT;
  if (type.isUnion()) {
    if (type.types.length > LIMITS.members.most) throw new TypeTooLarge('members');
    return `(?:${type.types.map((member) => checkedRegexSource(member, reading)).join('|')})`;
  }
  if (type.isIntersection()) {
    // A brand does not change the text.
    const primitives = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike;
    const text = type.types.find((part) => part.flags & primitives);
    return text === undefined ? ANY_TEXT : checkedRegexSource(text, reading);
  }
  if (type.isLiteral())
    return escapeRegexText(typeof type.value === 'object' ? printBigInt(type.value) : String(type.value));
  if (flags & ts.TypeFlags.Number) return numberPattern;
  if (flags & ts.TypeFlags.BigInt) return '-?(?:0|[1-9]\\d*)';
  if (flags & (ts.TypeFlags.BooleanLiteral | ts.TypeFlags.Null | ts.TypeFlags.Undefined))
    return reading.checker.typeToString(type);
  return ANY_TEXT;
}

const ANY_TEXT = '[\\s\\S]*';

/** Only ASCII letters are checked, since not every engine knows the cases of other alphabets. */
const SOURCES_OF_MAPPINGS = new Map([
  ['Uppercase', '[^a-z]*'],
  ['Lowercase', '[^A-Z]*'],
  ['Capitalize', '(?:[^a-z][\\s\\S]*)?'],
  ['Uncapitalize', '(?:[^A-Z][\\s\\S]*)?'],
]);

function printBigInt({ negative, base10Value }: ts.PseudoBigInt): string {
  return `${negative ? '-' : ''}${base10Value}`;
}

function escapeRegexText(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
