/**
 * Loose output schemas: structure and words stay, everything a real answer might disobey goes. A short list of
 * what stays, so that a keyword nobody thought of cannot fail a call.
 */
import type { JsonSchemaObject } from '../../templates/runtime/schema/json-schema.ts';
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

/** `false` accepts nothing, so that no answer would pass: it becomes `true`. */
export const loosen: SchemaRewrite = (schema) => {
  if (typeof schema === 'boolean') return true;
  const keywords = Object.keys(schema);
  if (keywords.every((keyword) => kept.has(keyword))) return schema;
  const loose: JsonSchemaObject = {};
  for (const keyword of keywords) {
    if (kept.has(keyword)) loose[keyword] = schema[keyword];
  }
  if (schema.oneOf !== undefined && schema.anyOf === undefined) loose.anyOf = schema.oneOf;
  return keepsMap(schema) ? { ...loose, additionalProperties: schema.additionalProperties } : loose;
};

/** A map's values keep their type; beside `patternProperties`, which goes, the keyword would mean something else. */
function keepsMap(
  schema: JsonSchemaObject,
): schema is JsonSchemaObject & { additionalProperties: JsonSchemaObject } {
  return typeof schema.additionalProperties === 'object' && schema.patternProperties === undefined;
}
