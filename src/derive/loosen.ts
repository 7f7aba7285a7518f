/**
 * Loose output schemas: structure and words stay, everything a real answer might disobey goes. A short list of
 * what stays, so that a keyword nobody thought of cannot fail a call.
 */
import type { JsonSchema, JsonSchemaObject } from '../../templates/runtime/schema/json-schema.ts';
import { mapSubschemas } from '../model/schema-walk.ts';
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

/** A rewrite that runs `prune` first. */
export function loosen(prune: SchemaRewrite): SchemaRewrite {
  return (schema, rewrite) => {
    const pruned = prune(schema, (subschema) => subschema);
    return typeof pruned === 'boolean'
      ? true
      : mapSubschemas(loosened(pruned), (each) => opened(rewrite(each)));
  };
}

function loosened(schema: JsonSchemaObject): JsonSchemaObject {
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (keyword === 'oneOf') return schema.anyOf === undefined ? [['anyOf', value]] : [];
    if (keyword === 'additionalProperties') return keepsMap(schema) ? [[keyword, value]] : [];
    return kept.has(keyword) ? [[keyword, value]] : [];
  });
  return Object.fromEntries(entries);
}

/** A map's values keep their type; beside `patternProperties`, which goes, the keyword would mean something else. */
function keepsMap({ additionalProperties, patternProperties }: JsonSchemaObject): boolean {
  return typeof additionalProperties === 'object' && patternProperties === undefined;
}

/** `false` accepts nothing, so no answer would pass. */
function opened(schema: JsonSchema): JsonSchema {
  return schema === false ? true : schema;
}
