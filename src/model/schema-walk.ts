/**
 * Walks the subschemas of a schema. Only keyword positions count: a *property named* `$ref` or `items` is data.
 * Results are cached by object identity, since tools share schemas.
 */
import {
  type JsonSchema,
  type JsonSchemaObject,
  isSchema,
  definitionNameOf,
} from '../../templates/runtime/contract/json-schema.ts';

export { definitionNameOf };

/** Whether a keyword holds a subschema, a list or a map of them. */
const keepers = new Map<string, 'schema' | 'list' | 'map'>([
  ['items', 'schema'],
  ['contains', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['additionalProperties', 'schema'],
  ['unevaluatedProperties', 'schema'],
  ['propertyNames', 'schema'],
  ['not', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
  ['contentSchema', 'schema'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['prefixItems', 'list'],
  ['properties', 'map'],
  ['patternProperties', 'map'],
  ['dependentSchemas', 'map'],
  ['$defs', 'map'],
]);

/** Clients drop the whole server if a tool's schema has one of these at its top. */
export const composition = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if'] as const;

export function isSchemaObject(value: unknown): value is JsonSchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asSchemaObject(schema: JsonSchema): JsonSchemaObject {
  if (typeof schema === 'object') return schema;
  return schema ? {} : { not: {} };
}

/** Alternatives that lose keywords may accept the same value, which `oneOf` refuses. */
export function oneOfToAnyOf(schema: JsonSchemaObject): JsonSchemaObject {
  if (schema.oneOf === undefined) return schema;
  const { oneOf, ...rest } = schema;
  return rest.anyOf === undefined
    ? { ...rest, anyOf: oneOf }
    : { ...rest, allOf: [...(rest.allOf ?? []), { anyOf: oneOf }] };
}

type Visit = (subschema: JsonSchema, keyword: string) => void;

export function forEachSubschema(schema: JsonSchemaObject, visit: Visit): void {
  for (const keyword of Object.keys(schema)) {
    const keeper = keepers.get(keyword);
    if (keeper === undefined) continue;
    const value = schema[keyword];
    if (keeper === 'schema') visitIfSchema(value, keyword, visit);
    else if (typeof value === 'object' && value !== null && Array.isArray(value) === (keeper === 'list')) {
      for (const member of Object.values(value)) visitIfSchema(member, keyword, visit);
    }
  }
}

function visitIfSchema(value: unknown, keyword: string, visit: Visit): void {
  if (isSchema(value)) visit(value, keyword);
}

type SchemaMap = (subschema: JsonSchema, keyword: string) => JsonSchema;

/** Returns the same object if nothing changed. */
export function mapSubschemas(schema: JsonSchemaObject, map: SchemaMap): JsonSchemaObject {
  let changed: JsonSchemaObject | undefined;
  for (const keyword of Object.keys(schema)) {
    const keeper = keepers.get(keyword);
    if (keeper === undefined) continue;
    const value = schema[keyword];
    const mapped = mapKeyword(keeper, value, keyword, map);
    if (mapped !== value) (changed ??= { ...schema })[keyword] = mapped;
  }
  return changed ?? schema;
}

function mapKeyword(
  keeper: 'schema' | 'list' | 'map',
  value: unknown,
  keyword: string,
  map: SchemaMap,
): unknown {
  if (keeper === 'schema') return isSchema(value) ? map(value, keyword) : value;
  if (keeper === 'list') return Array.isArray(value) ? mapSchemaList(value, keyword, map) : value;
  return isSchemaObject(value) ? mapRecord(value, keyword, map) : value;
}

function mapSchemaList(list: readonly unknown[], keyword: string, map: SchemaMap): unknown {
  const mapped = list.map((item) => (isSchema(item) ? map(item, keyword) : item));
  return mapped.every((item, index) => item === list[index]) ? list : mapped;
}

/** The copy already has the members, so `__proto__` cannot be hit. */
function mapRecord(record: Record<string, unknown>, keyword: string, map: SchemaMap): unknown {
  let changed: Record<string, unknown> | undefined;
  for (const key of Object.keys(record)) {
    const value = record[key];
    const next = isSchema(value) ? map(value, keyword) : value;
    if (next !== value) (changed ??= { ...record })[key] = next;
  }
  return changed ?? record;
}

const refsBySchema = new WeakMap<JsonSchemaObject, ReadonlySet<string>>();
const noRefs: ReadonlySet<string> = new Set();

export function collectRefs(schema: JsonSchema): ReadonlySet<string> {
  if (typeof schema === 'boolean') return noRefs;
  const known = refsBySchema.get(schema);
  if (known !== undefined) return known;
  const foundRefs = new Set<string>();
  const visit = (subschema: JsonSchema): void => {
    if (typeof subschema === 'boolean') return;
    const { $ref } = subschema;
    if (typeof $ref === 'string') foundRefs.add($ref);
    forEachSubschema(subschema, visit);
  };
  visit(schema);
  const refs = foundRefs.size === 0 ? noRefs : foundRefs;
  refsBySchema.set(schema, refs);
  return refs;
}

/** Returns the members of `named` that a schema reaches by `#/$defs/…`, directly or through others. */
export function reachedDefinitions(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): Record<string, JsonSchema> {
  const reached = new Map<string, JsonSchema>();
  const open = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const ref of collectRefs(next)) {
      const name = definitionNameOf(ref);
      if (name === undefined || reached.has(name) || !Object.hasOwn(definitions, name)) continue;
      const target = definitions[name] ?? {};
      reached.set(name, target);
      open.push(target);
    }
  }
  return Object.fromEntries(reached);
}
