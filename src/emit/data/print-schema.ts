import type { JsonSchema, JsonSchemaObject } from '../../../templates/runtime/schema/json-schema.ts';
import { schemaText } from '../../model/schema-text.ts';

/** Texts of schemas with definitions: tools with the same answer share one. */
const printed = new WeakMap<JsonSchemaObject, string>();

/** Prints a tool's schema as compact JSON; the very bytes of `JSON.stringify`. What the model shares is printed once. */
export function printSchema(schema: JsonSchemaObject): string {
  const { $defs } = schema;
  if ($defs === undefined) return schemaText(schema);
  let text = printed.get(schema);
  if (text === undefined) {
    text = printWithDefinitions(schema, $defs);
    printed.set(schema, text);
  }
  return text;
}

function printWithDefinitions(schema: JsonSchemaObject, $defs: Record<string, JsonSchema>): string {
  const members = Object.entries(schema).flatMap(([keyword, value]) => {
    const text = keyword === '$defs' ? printDefinitions($defs) : JSON.stringify(value);
    return text === undefined ? [] : [`${JSON.stringify(keyword)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

function printDefinitions(definitions: Record<string, JsonSchema>): string {
  const members = Object.entries(definitions).map(
    ([name, schema]) => `${JSON.stringify(name)}:${schemaText(schema)}`,
  );
  return `{${members.join(',')}}`;
}
