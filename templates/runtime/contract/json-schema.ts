// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
import { isRecord, member } from './json-value.ts';

/** A JSON value (RFC 8259). In arguments and answers an integer beyond ±2^53 is a `bigint`, which this type leaves out. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object. A member that is `undefined` is absent. */
export interface JsonObject {
  [name: string]: Json | undefined;
}

/** The seven types of JSON Schema 2020-12 (Validation, section 6.1.1). */
export type JsonType = 'null' | 'boolean' | 'object' | 'array' | 'number' | 'integer' | 'string';

/** A JSON Schema 2020-12: a boolean, or an object of keywords. Unknown keywords are annotations. */
export type JsonSchema = boolean | JsonSchemaObject;

/** The keywords this project reads by name; every other keyword is carried as it stands. */
export interface JsonSchemaObject {
  $schema?: string;
  $id?: string;
  $ref?: string;
  $anchor?: string;
  $dynamicRef?: string;
  $dynamicAnchor?: string;
  $defs?: Record<string, JsonSchema>;
  type?: JsonType | JsonType[];
  enum?: Json[];
  const?: Json;
  title?: string;
  description?: string;
  default?: Json;
  examples?: Json[];
  deprecated?: boolean;
  readOnly?: boolean;
  writeOnly?: boolean;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  contains?: JsonSchema;
  minContains?: number;
  maxContains?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  unevaluatedItems?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema;
  unevaluatedProperties?: JsonSchema;
  propertyNames?: JsonSchema;
  required?: string[];
  dependentRequired?: Record<string, string[]>;
  dependentSchemas?: Record<string, JsonSchema>;
  minProperties?: number;
  maxProperties?: number;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  not?: JsonSchema;
  if?: JsonSchema;
  then?: JsonSchema;
  else?: JsonSchema;
  contentEncoding?: string;
  contentMediaType?: string;
  contentSchema?: JsonSchema;
  [keyword: string]: unknown;
}

/** A schema of objects: what MCP demands at the top of a tool's schemas. */
export interface ObjectSchema extends JsonSchemaObject {
  type: 'object';
}

/** Where a schema object holds other schemas (JSON Schema Core, section 10). */

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
export function listSubschemas(schema: JsonSchemaObject): Subschema[] {
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
