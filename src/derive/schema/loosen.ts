/**
 * Loose output schemas: structure and words stay, everything a real answer might disobey goes, and null passes
 * everywhere. A short list of what stays, so that a keyword nobody thought of cannot fail a call.
 */
import type { JsonSchemaObject, JsonType } from '../../../templates/runtime/contract/json-schema.ts';
import type { SchemaRewrite } from './schema-view.ts';

const kept = new Set([
  '$ref',
  'type',
  'description',
  'properties',
  'items',
  'prefixItems',
  'allOf',
  'anyOf',
  'deprecated',
]);

type Types = NonNullable<JsonSchemaObject['type']>;

/** One list for each type, so that a null put beside `object` here is told from one that the document allows itself. */
const orNull: Record<Exclude<JsonType, 'null'>, JsonType[]> = {
  object: ['object', 'null'],
  array: ['array', 'null'],
  string: ['string', 'null'],
  number: ['number', 'null'],
  integer: ['integer', 'null'],
  boolean: ['boolean', 'null'],
};

/** Whether all that the document accepts is an object, drift aside. */
export function isObjectType(type: Types): boolean {
  return type === orNull.object || [type].flat().every((each) => each === 'object');
}

/** `false` accepts nothing, so that no answer would pass: it becomes `true`. */
export const loosen: SchemaRewrite = (schema) => {
  if (typeof schema === 'boolean') return true;
  const keywords = Object.keys(schema);
  if (schema.type === undefined && keywords.every((keyword) => kept.has(keyword))) return schema;
  const loose: JsonSchemaObject = {};
  for (const keyword of keywords) {
    if (kept.has(keyword)) loose[keyword] = schema[keyword];
  }
  if (schema.type !== undefined) loose.type = withNull(schema.type);
  if (schema.oneOf !== undefined && schema.anyOf === undefined) loose.anyOf = schema.oneOf;
  if (keepsMap(schema)) loose.additionalProperties = schema.additionalProperties;
  return loose;
};

/** Where a document promises a value, real answers hold null more often than anything else. */
function withNull(type: Types): Types {
  if (!Array.isArray(type)) return type === 'null' ? type : orNull[type];
  const [only, ...others] = type;
  if (only === undefined || type.includes('null')) return type;
  return only !== 'null' && others.length === 0 ? orNull[only] : [...type, 'null'];
}

/** A map's values keep their type; beside `patternProperties`, which goes, the keyword would mean something else. */
function keepsMap(
  schema: JsonSchemaObject,
): schema is JsonSchemaObject & { additionalProperties: JsonSchemaObject } {
  return typeof schema.additionalProperties === 'object' && schema.patternProperties === undefined;
}
