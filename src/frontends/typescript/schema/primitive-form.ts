import { ts } from 'ts-morph';
import type { JsonSchemaObject } from '../../../../templates/runtime/contract/json-schema.ts';
import { type Form, type NoForm, type Place, type Reading, subjectOf, without } from './form.ts';
import { templatePattern } from './template-pattern.ts';

/** Undefined unless the type is one kind of primitive or one value. */
export function primitiveForm(type: ts.Type, place: Place, reading: Reading): Form | NoForm | undefined {
  const { flags } = type;
  if (flags & ts.TypeFlags.Any) return anyForm(type, place, reading);
  if (flags & ts.TypeFlags.Unknown) return anything();
  if (flags & ts.TypeFlags.Never) return without(place, '`never`');
  if (flags & ts.TypeFlags.ESSymbolLike) return without(place, 'a symbol');
  if (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void))
    return { schema: { type: 'null' }, optional: true };
  if (flags & ts.TypeFlags.NonPrimitive) return anObject(reading);
  if (type.isLiteral()) return literalForm(type.value, place, reading);
  return plainForm(type, reading);
}

function plainForm(type: ts.Type, reading: Reading): Form | undefined {
  const { flags } = type;
  if (flags & ts.TypeFlags.BooleanLiteral)
    return { schema: { type: 'boolean', const: reading.checker.typeToString(type) === 'true' } };
  if (flags & ts.TypeFlags.BigInt) return { schema: { type: 'integer' }, codec: { kind: 'bigint' } };
  if (flags & ts.TypeFlags.String) return { schema: { type: 'string' } };
  if (flags & (ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping))
    return { schema: { type: 'string', pattern: templatePattern(type, reading) } };
  if (flags & ts.TypeFlags.Number) return { schema: { type: 'number' } };
  if (flags & ts.TypeFlags.Boolean) return { schema: { type: 'boolean' } };
  if (flags & ts.TypeFlags.Null) return { schema: { type: 'null' } };
  return undefined;
}

/** The checker's mark of an unresolved `any`. */
interface Intrinsic extends ts.Type {
  intrinsicName?: string;
}

/** `any` in the user's own code is usually a mistake, so it is reported. A library's `any` cannot be changed. */
function anyForm(type: Intrinsic, place: Place, reading: Reading): Form | NoForm {
  const isMistaken = type.intrinsicName === 'error';
  if (!place.isLibrary)
    return {
      faults: [
        {
          place,
          problem: { name: 'untyped-value', ...(isMistaken ? { isMistaken, ...foreignNumber(place) } : {}) },
        },
      ],
    };
  reading.tell('untyped-library-value', { subject: subjectOf(place) }, place.at);
  return anything();
}

/** Number types that other tools read in JSDoc, unlike TypeScript. */
const FOREIGN = new Set(['integer', 'Integer', 'int', 'float', 'double']);

function foreignNumber({ at, node = ts.getJSDocType(at) }: Place): { written?: string } {
  const type = node ?? (ts.isJSDocPropertyLikeTag(at) ? at.typeExpression?.type : undefined);
  const written = type?.getText();
  return written !== undefined && FOREIGN.has(written) ? { written } : {};
}

/** A result that may be anything is written by its actual value. */
export function anything(): Form {
  return { schema: {}, codec: { kind: 'any' } };
}

/** `object` may be a date or a list too: results may be any of them, but clients are asked for plain objects. */
function anObject({ direction }: Reading): Form {
  return direction === 'input' ? { schema: { type: 'object' } } : anything();
}

/** `{}` is everything but null and undefined. */
export function notNull({ direction }: Reading): Form {
  const schema: JsonSchemaObject = { not: { type: 'null' } };
  return direction === 'input' ? { schema } : { ...anything(), schema };
}

function literalForm(value: string | number | ts.PseudoBigInt, place: Place, reading: Reading): Form {
  if (typeof value === 'string') return { schema: { type: 'string', const: value } };
  if (typeof value === 'number') return { schema: { type: 'number', const: value } };
  const schema: JsonSchemaObject = { type: 'integer' };
  const digits = `${value.negative ? '-' : ''}${value.base10Value}`;
  if (Number.isSafeInteger(Number(digits))) schema.const = Number(digits);
  else reading.tell('bigint-out-of-range', { subject: subjectOf(place), value: digits }, place.at);
  return { schema, codec: { kind: 'bigint' } };
}
