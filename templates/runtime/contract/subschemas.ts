// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Where a schema object holds other schemas (JSON Schema Core, section 10). */
import type { JsonSchema, JsonSchemaObject } from './json-schema.ts';
import { isRecord, member } from './json-value.ts';

type Holds = 'schema' | 'list' | 'map';

const holding: Readonly<Record<Holds, readonly string[]>> = {
  schema: [
    ...[
      'items',
      'contains',
      'additionalProperties',
      'propertyNames',
      'unevaluatedItems',
      'unevaluatedProperties',
    ],
    ...['not', 'if', 'then', 'else', 'contentSchema'],
  ],
  list: ['prefixItems', 'allOf', 'anyOf', 'oneOf'],
  map: ['$defs', 'properties', 'patternProperties', 'dependentSchemas'],
};
const keywords = new Map<string, Holds>(
  (['schema', 'list', 'map'] as const).flatMap((holds) =>
    holding[holds].map((keyword): [string, Holds] => [keyword, holds]),
  ),
);

/** A subschema and its JSON Pointer from the schema that holds it. */
export interface Subschema {
  step: string;
  schema: JsonSchema;
}

/** Anything but a schema in the place of one is ignored. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'boolean' || isRecord(value);
}

/** Whether a schema says no more than that nothing may be there: `false`, or `{ "not": {} }`. */
export function allowsNothing(schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return !schema;
  const { not } = schema;
  return not === true || (isRecord(not) && Object.keys(not).length === 0);
}

/** Every subschema that a keyword of 2020-12 holds. `const`, `enum` and unknown keywords hold data. */
export function subschemasOf(schema: JsonSchemaObject): Subschema[] {
  const found: Subschema[] = [];
  for (const keyword of Object.keys(schema)) {
    const holds = keywords.get(keyword);
    if (holds === 'schema') found.push(...subschemaAt(schema, keyword));
    else if (holds === 'list') found.push(...subschemaList(schema, keyword));
    else if (holds === 'map') for (const { entry } of subschemaMap(schema, keyword)) found.push(entry);
  }
  return found;
}

/** The schema a keyword holds: one or none. */
export function subschemaAt(schema: JsonSchemaObject, keyword: string): Subschema[] {
  const value = member(schema, keyword);
  return isSchema(value) ? [{ step: `/${keyword}`, schema: value }] : [];
}

/** The schemas of a keyword that holds a list. */
export function subschemaList(schema: JsonSchemaObject, keyword: string): Subschema[] {
  const value = member(schema, keyword);
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown, index) =>
    isSchema(item) ? [{ step: `/${keyword}/${index}`, schema: item }] : [],
  );
}

/** The schemas of a keyword that maps names to schemas. */
export function subschemaMap(
  schema: JsonSchemaObject,
  keyword: string,
): { name: string; entry: Subschema }[] {
  const value = member(schema, keyword);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    isSchema(item) ? [{ name, entry: { step: `/${keyword}/${escapeToken(name)}`, schema: item } }] : [],
  );
}

/** One token of a JSON Pointer (RFC 6901, section 3). */
export function escapeToken(name: string | number): string {
  return String(name).replaceAll('~', '~0').replaceAll('/', '~1');
}
