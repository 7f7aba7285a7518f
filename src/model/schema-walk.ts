/**
 * Where schemas stand inside a schema. Only keyword positions count: a *property named* `$ref` or `items` is
 * data. Walks share their results by object identity, since one schema object serves many tools.
 */
import type { JsonSchema, JsonSchemaObject } from '../../templates/runtime/schema/json-schema.ts';

const single = new Set([
  'items',
  'contains',
  'unevaluatedItems',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
]);
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs']);

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'boolean' || isSchemaObject(value);
}

export function isSchemaObject(value: unknown): value is JsonSchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Calls `visit` with each direct subschema. */
export function eachSubschema(schema: JsonSchemaObject, visit: (subschema: JsonSchema) => void): void {
  for (const keyword in schema) {
    for (const subschema of subschemasAt(keyword, schema[keyword])) visit(subschema);
  }
}

function subschemasAt(keyword: string, value: unknown): JsonSchema[] {
  if (single.has(keyword)) return isSchema(value) ? [value] : [];
  if (lists.has(keyword)) return Array.isArray(value) ? value.filter(isSchema) : [];
  if (maps.has(keyword)) return isSchemaObject(value) ? Object.values(value).filter(isSchema) : [];
  return [];
}

/** Rebuilds a schema with each direct subschema mapped; the same object comes back when nothing changed. */
export function mapSubschemas(
  schema: JsonSchemaObject,
  map: (subschema: JsonSchema, keyword: string) => JsonSchema,
): JsonSchemaObject {
  let changed: [string, unknown][] | undefined;
  for (const keyword in schema) {
    const value = schema[keyword];
    const mapped = mapAt(keyword, value, map);
    if (mapped !== value) (changed ??= []).push([keyword, mapped]);
  }
  return changed === undefined ? schema : { ...schema, ...Object.fromEntries(changed) };
}

function mapAt(
  keyword: string,
  value: unknown,
  map: (subschema: JsonSchema, keyword: string) => JsonSchema,
): unknown {
  if (single.has(keyword)) return isSchema(value) ? map(value, keyword) : value;
  if (lists.has(keyword) && Array.isArray(value)) return mapList(value, (each) => map(each, keyword));
  if (maps.has(keyword) && isSchemaObject(value)) return mapRecord(value, (each) => map(each, keyword));
  return value;
}

function mapList(list: readonly unknown[], map: (schema: JsonSchema) => JsonSchema): unknown {
  const mapped = list.map((each) => (isSchema(each) ? map(each) : each));
  return mapped.every((each, index) => each === list[index]) ? list : mapped;
}

/** `Object.fromEntries` defines own members, so that a key `__proto__` stays a key. */
function mapRecord(record: Record<string, unknown>, map: (schema: JsonSchema) => JsonSchema): unknown {
  const entries = Object.entries(record);
  let same = true;
  const mapped = entries.map(([key, value]): [string, unknown] => {
    const next = isSchema(value) ? map(value) : value;
    same &&= next === value;
    return [key, next];
  });
  return same ? record : Object.fromEntries(mapped);
}

const prefix = '#/$defs/';

/** The `$ref` of a pool member. */
export function refTo(name: string): string {
  return prefix + encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** The pool member a `$ref` names; `undefined` for any other reference. */
export function refName(ref: unknown): string | undefined {
  if (typeof ref !== 'string' || !ref.startsWith(prefix)) return undefined;
  const segment = ref.slice(prefix.length);
  if (!/[%~/]/.test(segment)) return segment;
  if (segment.includes('/')) return undefined;
  return percentDecoded(segment).replaceAll('~1', '/').replaceAll('~0', '~');
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const refsBySchema = new WeakMap<JsonSchemaObject, ReadonlySet<string>>();
const noRefs: ReadonlySet<string> = new Set();

/** Every `$ref` written in a schema, at any depth, as it stands; references are not followed. */
export function refsIn(schema: JsonSchema): ReadonlySet<string> {
  if (typeof schema === 'boolean') return noRefs;
  const known = refsBySchema.get(schema);
  if (known !== undefined) return known;
  const found = new Set<string>();
  if (typeof schema.$ref === 'string') found.add(schema.$ref);
  eachSubschema(schema, (subschema) => {
    for (const ref of refsIn(subschema)) found.add(ref);
  });
  const refs = found.size === 0 ? noRefs : found;
  refsBySchema.set(schema, refs);
  return refs;
}
