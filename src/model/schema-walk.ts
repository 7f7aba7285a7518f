/**
 * Walks the subschemas of a schema, and says which keywords are of one kind. Only keyword positions count: a *property
 * named* `$ref` or `items` is data.
 */
import {
  KEYWORDS_WITH_SCHEMAS,
  type JsonSchema,
  type JsonSchemaObject,
  isSchema,
  definitionNameOf,
} from '../util/json-schema.ts';

import { ownMember } from '../../templates/runtime/json-rpc.ts';

export { definitionNameOf };

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Keywords that refuse no value. */
export const ANNOTATIONS = wordSet(
  'title description default deprecated readOnly writeOnly example examples xml externalDocs $comment',
);

/** Keywords whose subschemas apply to the same value. */
export const IN_PLACE = wordSet('allOf anyOf oneOf not if then else dependentSchemas');

/** Clients drop the whole server if a tool's schema has one of these at its top. */
export const composition = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if'] as const;

export function isSchemaObject(value: unknown): value is JsonSchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asSchemaObject(schema: JsonSchema): JsonSchemaObject {
  if (typeof schema === 'object') return schema;
  return schema ? {} : { not: {} };
}

/** Returns the same object if it has none of the keywords. */
export function omitKeywords(schema: JsonSchemaObject, ...keywords: string[]): JsonSchemaObject {
  const entries = Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword));
  return entries.length === Object.keys(schema).length ? schema : Object.fromEntries(entries);
}

/** Alternatives that lose keywords may accept the same value, which `oneOf` refuses. */
export function oneOfToAnyOf(schema: JsonSchemaObject): JsonSchemaObject {
  if (schema.oneOf === undefined) return schema;
  const { oneOf, ...rest } = schema;
  return rest.anyOf === undefined
    ? { ...rest, anyOf: oneOf }
    : { ...rest, allOf: [...(rest.allOf ?? []), { anyOf: oneOf }] };
}

type SchemaMap = (subschema: JsonSchema, keyword: string) => JsonSchema;

export function forEachSubschema(
  schema: JsonSchemaObject,
  visit: (subschema: JsonSchema, keyword: string) => void,
): void {
  mapSubschemas(schema, (subschema, keyword) => {
    visit(subschema, keyword);
    return subschema;
  });
}

/** Returns the same object if nothing changed. */
export function mapSubschemas(schema: JsonSchemaObject, map: SchemaMap): JsonSchemaObject {
  let changed: JsonSchemaObject | undefined;
  for (const keyword of Object.keys(schema)) {
    const holds = KEYWORDS_WITH_SCHEMAS.get(keyword);
    if (holds === undefined) continue;
    const value = schema[keyword];
    const mapped = mapKeyword(value, holds, (subschema) => map(subschema, keyword));
    if (mapped !== value) (changed ??= { ...schema })[keyword] = mapped;
  }
  return changed ?? schema;
}

function mapKeyword(value: unknown, holds: string, map: (subschema: JsonSchema) => JsonSchema): unknown {
  const mapMember = (member: unknown): unknown => (isSchema(member) ? map(member) : member);
  if (holds === 'schema') return mapMember(value);
  if (holds === 'list') {
    if (!Array.isArray(value)) return value;
    const list = value.map(mapMember);
    return list.every((member, index) => member === value[index]) ? value : list;
  }
  if (!isSchemaObject(value)) return value;
  // The copy already has the members, so `__proto__` cannot be hit.
  let changed: JsonSchemaObject | undefined;
  for (const name of Object.keys(value)) {
    const mapped = mapMember(value[name]);
    if (mapped !== value[name]) (changed ??= { ...value })[name] = mapped;
  }
  return changed ?? value;
}

export function collectRefs(schema: JsonSchema): ReadonlySet<string> {
  const refs = new Set<string>();
  const visit = (subschema: JsonSchema): void => {
    if (typeof subschema === 'boolean') return;
    if (typeof subschema.$ref === 'string') refs.add(subschema.$ref);
    forEachSubschema(subschema, visit);
  };
  visit(schema);
  return refs;
}

/**
 * Collects the definitions that `schemas` reach by `#/$defs/…`, in order of discovery. `proceed` is called for each,
 * and stops the search by returning false.
 */
export function collectReached(
  schemas: Iterable<JsonSchema>,
  find: (name: string) => JsonSchema | undefined,
  proceed: (name: string, schema: JsonSchema) => boolean = () => true,
): Map<string, JsonSchema> {
  const reached = new Map<string, JsonSchema>();
  const open = [...schemas];
  // The list grows during the loop; `shift` would be quadratic.
  for (const next of open)
    for (const ref of collectRefs(next)) {
      const name = definitionNameOf(ref);
      const target = name === undefined || reached.has(name) ? undefined : find(name);
      if (name === undefined || target === undefined) continue;
      reached.set(name, target);
      if (!proceed(name, target)) return reached;
      open.push(target);
    }
  return reached;
}

/** Returns the members of `definitions` that a schema reaches, directly or through others. */
export function reachedDefinitions(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): Record<string, JsonSchema> {
  return Object.fromEntries(collectReached([schema], (name) => ownMember(definitions, name)));
}

export type SchemaPool = Readonly<Record<string, JsonSchema>>;

/** Longer chains of references are rare. */
const MOST_REFERENCES = 8;

/** Returns what a chain of references leads to; undefined for a boolean, a circle or a dangling reference. */
export function followRefs(given: JsonSchema, pool: SchemaPool): JsonSchemaObject | undefined {
  let schema: JsonSchema | undefined = given;
  for (let step = 0; step < MOST_REFERENCES && isSchemaObject(schema) && schema.$ref !== undefined; step++)
    schema = ownMember(pool, definitionNameOf(schema.$ref) ?? '');
  return isSchemaObject(schema) ? schema : undefined;
}
