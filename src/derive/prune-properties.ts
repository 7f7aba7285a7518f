/**
 * Takes properties of the other direction out of a schema: `readOnly` ones from inputs, `writeOnly` ones from
 * outputs, and out of `required`, wherever in a composition that stands.
 */
import type { JsonSchema, JsonSchemaObject } from '../../templates/runtime/schema/json-schema.ts';
import { isSchemaObject, mapSubschemas, refName } from '../model/schema-walk.ts';
import { withoutKeyword } from './title-echo.ts';
import type { SchemaRewrite } from './schema-view.ts';

export type DirectionFlag = 'readOnly' | 'writeOnly';

type Pool = Record<string, JsonSchema>;

/** Keywords whose subschemas look at the same object as the schema they stand in. */
const inPlace = new Set(['allOf', 'anyOf', 'oneOf', 'then', 'else']);

/** A rewrite that removes what `flag` marks. */
export function pruneProperties(pool: Pool, flag: DirectionFlag): SchemaRewrite {
  return (schema) => {
    if (typeof schema === 'boolean' || (schema.properties === undefined && schema.allOf === undefined))
      return schema;
    const removed = flaggedNames(schema, pool, flag);
    return removed.size === 0 ? schema : withoutRequired(withoutProperties(schema, removed), removed);
  };
}

/** Names of properties with the flag, in the schema and in what it is an `allOf` of. */
export function flaggedNames(schema: JsonSchema, pool: Pool, flag: DirectionFlag): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { properties } of partsOf(schema, pool)) {
    if (properties === undefined) continue;
    for (const name of Object.keys(properties)) {
      if (isFlagged(properties[name], pool, flag)) names.add(name);
    }
  }
  return names;
}

function isFlagged(property: unknown, pool: Pool, flag: DirectionFlag): boolean {
  if (!isSchemaObject(property)) return false;
  if (property[flag] === true) return true;
  if (property.$ref === undefined && property.allOf === undefined) return false;
  for (const part of partsOf(property, pool)) if (part[flag] === true) return true;
  return false;
}

/** The schema itself, what it refers to, and the members of its `allOf`, all the way. */
function partsOf(
  schema: unknown,
  pool: Pool,
  parts = new Set<JsonSchemaObject>(),
): ReadonlySet<JsonSchemaObject> {
  if (!isSchemaObject(schema) || parts.has(schema)) return parts;
  parts.add(schema);
  const { $ref, allOf } = schema;
  const name = $ref === undefined ? undefined : refName($ref);
  if (name !== undefined && Object.hasOwn(pool, name)) partsOf(pool[name], pool, parts);
  if (Array.isArray(allOf)) for (const member of allOf) partsOf(member, pool, parts);
  return parts;
}

function withoutProperties(schema: JsonSchemaObject, removed: ReadonlySet<string>): JsonSchemaObject {
  if (schema.properties === undefined) return schema;
  const entries = Object.entries(schema.properties);
  const kept = entries.filter(([name]) => !removed.has(name));
  return kept.length === entries.length ? schema : { ...schema, properties: Object.fromEntries(kept) };
}

/** Also inside the branches of a composition, as far as they are written here. */
function withoutRequired(schema: JsonSchemaObject, removed: ReadonlySet<string>): JsonSchemaObject {
  const nested = mapSubschemas(schema, (subschema, keyword) =>
    inPlace.has(keyword) && isSchemaObject(subschema) ? withoutRequired(subschema, removed) : subschema,
  );
  if (!Array.isArray(nested.required)) return nested;
  const kept = nested.required.filter((name) => !removed.has(name));
  if (kept.length === nested.required.length) return nested;
  return kept.length === 0 ? withoutKeyword(nested, 'required') : { ...nested, required: kept };
}
