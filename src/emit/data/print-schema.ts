import type { JsonSchema, JsonSchemaObject } from '../../../templates/runtime/schema/json-schema.ts';

/** Texts of the definitions that several tools carry: the model shares them, so each is printed once. */
const printed = new WeakMap<object, string>();

/** Prints a tool's schema as compact JSON; the very bytes of `JSON.stringify`. */
export function printSchema(schema: JsonSchemaObject): string {
  const members = Object.entries(schema).flatMap(([keyword, value]) => {
    const text =
      keyword === '$defs' && schema.$defs !== undefined
        ? printDefinitions(schema.$defs)
        : JSON.stringify(value);
    return text === undefined ? [] : [`${JSON.stringify(keyword)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

function printDefinitions(definitions: Record<string, JsonSchema>): string {
  const members = Object.entries(definitions).map(
    ([name, schema]) => `${JSON.stringify(name)}:${printDefinition(schema)}`,
  );
  return `{${members.join(',')}}`;
}

function printDefinition(schema: JsonSchema): string {
  if (typeof schema === 'boolean') return String(schema);
  const known = printed.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(schema);
  printed.set(schema, text);
  return text;
}
