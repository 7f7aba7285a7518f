/** `petId: { title: "Pet Id" }` says the same twice, in every tool that shows it. */
import type { JsonSchema, JsonSchemaObject } from '../../../templates/runtime/contract/json-schema.ts';
import { lettersOf } from '../../model/letters.ts';
import { isSchema } from '../../model/schema-walk.ts';
import type { SchemaRewrite } from '../schema/schema-view.ts';

/** A rewrite that removes titles of properties that only repeat the property's name. */
export const withoutEchoes: SchemaRewrite = (schema) => {
  if (typeof schema === 'boolean' || schema.properties === undefined) return schema;
  let lean: Record<string, JsonSchema> | undefined;
  for (const name of Object.keys(schema.properties)) {
    const property = schema.properties[name];
    const own = isSchema(property) ? withoutEcho(name, property) : property;
    // The copy has the member already, so that writing it never meets a prototype.
    if (own !== undefined && own !== property) (lean ??= { ...schema.properties })[name] = own;
  }
  return lean === undefined ? schema : { ...schema, properties: lean };
};

/** The schema without a title that has no other letters than `name`. */
export function withoutEcho(name: string, schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean' || typeof schema.title !== 'string') return schema;
  return lettersOf(schema.title) === lettersOf(name) ? withoutKeyword(schema, 'title') : schema;
}

export function withoutKeyword(schema: JsonSchemaObject, keyword: string): JsonSchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== keyword));
}
