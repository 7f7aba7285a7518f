/** `petId: { title: "Pet Id" }` says the same twice, in every tool that shows it. */
import type { JsonSchema, JsonSchemaObject } from '../../templates/runtime/schema/json-schema.ts';
import { lettersOf } from '../model/letters.ts';
import { isSchema } from '../model/schema-walk.ts';
import type { SchemaRewrite } from './schema-view.ts';

/** A rewrite that removes titles of properties that only repeat the property's name. */
export const withoutEchoes: SchemaRewrite = (schema) => {
  if (typeof schema === 'boolean' || schema.properties === undefined) return schema;
  let changed = false;
  const entries = Object.entries(schema.properties).map(([name, property]): [string, JsonSchema] => {
    const lean = isSchema(property) ? withoutEcho(name, property) : property;
    changed ||= lean !== property;
    return [name, lean];
  });
  return changed ? { ...schema, properties: Object.fromEntries(entries) } : schema;
};

/** The schema without a title that has no other letters than `name`. */
export function withoutEcho(name: string, schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean' || typeof schema.title !== 'string') return schema;
  return lettersOf(schema.title) === lettersOf(name) ? withoutKeyword(schema, 'title') : schema;
}

export function withoutKeyword(schema: JsonSchemaObject, keyword: string): JsonSchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== keyword));
}
