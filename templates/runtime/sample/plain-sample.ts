// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The common schemas, in one look: most schemas are of one scalar, or of an object of members. */
import type { Json, JsonObject, JsonSchema, JsonSchemaObject } from '../contract/json-schema.ts';
import { setMember } from '../contract/json-value.ts';
import { formatSample, word } from './scalars.ts';

/** Keywords that don't constrain a value. */
const annotations = new Set(['type', 'title', 'description', 'deprecated', 'readOnly', 'writeOnly']);

/**
 * The nth value of a schema with one scalar type and beside it at most one of `enum`, `examples`, `default` and a known
 * `format`. Undefined for any other schema, and where that one keyword gives no value of the type: it takes a closer
 * look.
 */
export function plainSample(schema: JsonSchema, nth: number): Json | undefined {
  if (typeof schema === 'boolean') return undefined;
  let special: string | undefined;
  for (const keyword in schema) {
    if (annotations.has(keyword)) continue;
    if (special !== undefined) return undefined;
    special = keyword;
  }
  if (special === undefined) return ofType(schema, nth);
  if (special === 'format') return ofFormat(schema, nth);
  const values =
    special === 'default'
      ? [schema.default]
      : special === 'enum' || special === 'examples'
        ? schema[special]
        : undefined;
  const value = Array.isArray(values) ? values[nth % values.length] : undefined;
  return isOfType(value, schema.type) && value !== '' ? value : undefined;
}

function ofType({ type }: JsonSchemaObject, nth: number): Json | undefined {
  switch (type) {
    case 'string':
      return word(0, Infinity, nth);
    case 'integer':
    case 'number':
      return nth + 1;
    case 'boolean':
      return nth % 2 === 0;
    default:
      return undefined;
  }
}

function ofFormat({ type, format }: JsonSchemaObject, nth: number): Json | undefined {
  if (type !== 'string' || typeof format !== 'string') return ofType({ type } as JsonSchemaObject, nth);
  return formatSample(format, { minLength: 0, maxLength: Infinity, nth }) ?? word(0, Infinity, nth);
}

function isOfType(
  value: Json | undefined,
  type: JsonSchemaObject['type'],
): value is string | number | boolean {
  if (type === 'integer') return Number.isInteger(value);
  return (type === 'string' || type === 'number' || type === 'boolean') && typeof value === type;
}

/** Keywords of the objects that most schemas describe. */
const ofObjects = new Set([...annotations, 'properties', 'required', 'additionalProperties', '$defs']);

/**
 * The required members of an object that nothing but `properties` and `required` describes. Undefined for any other
 * schema, and when a member has no sample.
 */
export function plainObject(
  schema: JsonSchema,
  sample: (member: JsonSchema) => Json | undefined,
): JsonObject | undefined {
  if (typeof schema === 'boolean' || schema.type !== 'object') return undefined;
  for (const keyword in schema) if (!ofObjects.has(keyword)) return undefined;
  const { properties, required = [] } = schema;
  const object: JsonObject = {};
  for (const name of required) {
    const member = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
    const value = member === undefined ? undefined : sample(member);
    if (value === undefined) return undefined;
    if (name === '__proto__') setMember(object, name, value);
    else object[name] = value;
  }
  return object;
}
