/** Removes redundant titles: `petId: { title: "Pet Id" }` repeats the name in every tool. */
import type { JsonSchema, JsonSchemaObject } from '../../../templates/runtime/contract/json-schema.ts';
import { lettersOf } from '../../model/letters.ts';
import { isSchema } from '../../model/schema-walk.ts';
import type { SchemaRewrite } from '../schema/schema-view.ts';

export const withoutEchoes: SchemaRewrite = (schema) => {
  if (typeof schema === 'boolean' || schema.properties === undefined) return schema;
  let lean: Record<string, JsonSchema> | undefined;
  for (const name of Object.keys(schema.properties)) {
    const property = schema.properties[name];
    const own = isSchema(property) ? withoutEcho(name, property) : property;
    // The copy already has the member, so `__proto__` cannot be hit.
    if (own !== undefined && own !== property) (lean ??= { ...schema.properties })[name] = own;
  }
  return lean === undefined ? schema : { ...schema, properties: lean };
};

export function withoutEcho(name: string, schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean' || typeof schema.title !== 'string') return schema;
  return lettersOf(schema.title) === lettersOf(name) ? withoutKeyword(schema, 'title') : schema;
}

export function withoutKeyword(schema: JsonSchemaObject, keyword: string): JsonSchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== keyword));
}
