/**
 * Which keywords have schemas inside, and the walks over these. Only keyword positions count: a *property named* `$ref` or
 * `items` is data.
 */
import {
  type JsonSchema,
  type JsonSchemaObject,
  isSchema,
  definitionNameOf,
  escapePointerToken,
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

/** A keyword holds one schema, a list, or a map (JSON Schema Core, section 10). */
export type Holds = 'schema' | 'list' | 'map';

/**
 * What the schemas of a keyword judge. The value itself: always (`value`), as one of several (`alternative`), if a condition
 * holds (`consequence`), or for what another schema says (`test`). Or a part of it; `item-test` asks whether some item fits.
 */
type Judges =
  'value' | 'alternative' | 'consequence' | 'test' | 'member' | 'name' | 'item' | 'item-test' | 'nothing';

/** The keywords with schemas inside. */
const KEYWORDS: readonly [keyword: string, holds: Holds, judges: Judges][] = [
  ['allOf', 'list', 'value'],
  ['anyOf', 'list', 'alternative'],
  ['oneOf', 'list', 'alternative'],
  ['not', 'schema', 'test'],
  ['if', 'schema', 'test'],
  ['then', 'schema', 'consequence'],
  ['else', 'schema', 'consequence'],
  ['dependentSchemas', 'map', 'consequence'],
  ['properties', 'map', 'member'],
  ['patternProperties', 'map', 'member'],
  ['additionalProperties', 'schema', 'member'],
  ['unevaluatedProperties', 'schema', 'member'],
  ['propertyNames', 'schema', 'name'],
  ['prefixItems', 'list', 'item'],
  ['items', 'schema', 'item'],
  ['unevaluatedItems', 'schema', 'item'],
  ['contains', 'schema', 'item-test'],
  ['contentSchema', 'schema', 'nothing'],
  ['$defs', 'map', 'nothing'],
];

export const KEYWORDS_WITH_SCHEMAS: ReadonlyMap<string, Holds> = new Map(
  KEYWORDS.map(([keyword, holds]) => [keyword, holds]),
);

/** In the order of the table. */
export function keywordsThatJudge(...kinds: Judges[]): readonly string[] {
  return KEYWORDS.filter(([, , judges]) => kinds.includes(judges)).map(([keyword]) => keyword);
}

export const ALTERNATIVES = keywordsThatJudge('alternative');

/** Keywords whose schemas each value must fit. */
export const BASES = keywordsThatJudge('value');

/** Keywords whose schemas describe some values. */
export const BRANCHES = keywordsThatJudge('alternative', 'consequence');

/** Keywords whose schemas describe the same value. */
export const PARTS = [...BASES, ...BRANCHES];

/** Keywords whose schemas judge the same value. */
export const IN_PLACE = keywordsThatJudge('value', 'alternative', 'consequence', 'test');

/** Members whose names the schema does not list. */
export const OTHER_MEMBERS = keywordsThatJudge('member').filter((keyword) => keyword !== 'properties');

/** Clients drop the whole server if a tool's schema has one of these at its top. */
export const composition = ['$ref', ...keywordsThatJudge('value', 'alternative', 'test')];

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

/** `name` is that of the subschema in a list or map. */
type Visit<T> = (subschema: JsonSchema, keyword: string, name: string | undefined) => T;

export function forEachSubschema(schema: JsonSchemaObject, visit: Visit<void>): void {
  mapSubschemas(schema, (subschema, keyword, name) => {
    visit(subschema, keyword, name);
    return subschema;
  });
}

/** Lists the subschemas, each with the step to it in a JSON Pointer. */
export function listSubschemas(schema: JsonSchemaObject): { step: string; schema: JsonSchema }[] {
  const list: { step: string; schema: JsonSchema }[] = [];
  forEachSubschema(schema, (subschema, keyword, name) => {
    const step = name === undefined ? `/${keyword}` : `/${keyword}/${escapePointerToken(name)}`;
    list.push({ step, schema: subschema });
  });
  return list;
}

/** Lists the subschemas of some keywords, in the order of these. */
export function subschemasOf(schema: JsonSchemaObject, keywords: readonly string[]): JsonSchema[] {
  const list: JsonSchema[] = [];
  for (const keyword of keywords) {
    const value = schema[keyword];
    if (value === undefined || value === null) continue;
    const members = KEYWORDS_WITH_SCHEMAS.get(keyword) === 'schema' ? [value] : Object.values(value);
    list.push(...members.filter(isSchema));
  }
  return list;
}

export interface ReferenceFinder {
  findTarget(ref: unknown): JsonSchema | undefined;
}

export function findDefinition(pool: SchemaPool, ref: unknown): JsonSchema | undefined {
  const name = definitionNameOf(ref);
  return name === undefined ? undefined : ownMember(pool, name);
}

/** Collects the schemas for one value: the schema, what it refers to, and those of some keywords, at any depth. */
export function collectParts(
  schema: unknown,
  keywords: readonly string[],
  finder: ReferenceFinder,
): ReadonlySet<JsonSchemaObject> {
  const parts = new Set<JsonSchemaObject>();
  const open = [schema];
  for (const next of open) {
    if (!isSchemaObject(next) || parts.has(next)) continue;
    parts.add(next);
    if (next.$ref !== undefined) open.push(finder.findTarget(next.$ref));
    open.push(...subschemasOf(next, keywords));
  }
  return parts;
}

/** Inlines references; keywords beside a reference win. */
export function inlineReference(schema: JsonSchema, finder: ReferenceFinder): JsonSchema {
  const seen = new Set<unknown>();
  let current = schema;
  while (typeof current === 'object' && current.$ref !== undefined) {
    const { $ref, ...beside } = current;
    const target = seen.has($ref) ? undefined : finder.findTarget($ref);
    if (target === undefined) break;
    seen.add($ref);
    const isLone = Object.keys(beside).length === 0;
    current = typeof target === 'boolean' && isLone ? target : { ...asSchemaObject(target), ...beside };
  }
  return current;
}

/** Returns the same object if nothing changed. */
export function mapSubschemas(schema: JsonSchemaObject, map: Visit<JsonSchema>): JsonSchemaObject {
  let changed: JsonSchemaObject | undefined;
  for (const keyword of Object.keys(schema)) {
    const holds = KEYWORDS_WITH_SCHEMAS.get(keyword);
    if (holds === undefined) continue;
    const value = schema[keyword];
    const mapped = mapKeyword(value, holds, (subschema, name) => map(subschema, keyword, name));
    if (mapped !== value) (changed ??= { ...schema })[keyword] = mapped;
  }
  return changed ?? schema;
}

function mapKeyword(
  value: unknown,
  holds: Holds,
  map: (subschema: JsonSchema, name?: string) => JsonSchema,
): unknown {
  if (holds === 'schema') return isSchema(value) ? map(value) : value;
  if (holds === 'list' ? !Array.isArray(value) : !isSchemaObject(value)) return value;
  const members = value as Record<string, unknown>;
  let changed: Record<string, unknown> | undefined;
  for (const name of Object.keys(members)) {
    const member = members[name];
    const mapped = isSchema(member) ? map(member, name) : member;
    // The copy already has the members, so `__proto__` cannot be hit.
    if (mapped !== member)
      (changed ??= (Array.isArray(value) ? [...value] : { ...members }) as typeof members)[name] = mapped;
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
    schema = findDefinition(pool, schema.$ref);
  return isSchemaObject(schema) ? schema : undefined;
}
