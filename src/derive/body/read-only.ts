/** Finds members that only answers have, so that objects a model gives back are accepted and sent without them. */
import type { ReadOnlyMembers } from '../../../templates/runtime/contract/bindings.ts';
import type { JsonSchema, JsonSchemaObject } from '../../../templates/runtime/contract/json-schema.ts';
import { isSchemaObject } from '../../model/schema-walk.ts';
import type { ToolArgument } from '../arguments/argument-schema.ts';
import { FlaggedNames } from '../schema/prune-properties.ts';
import { definedMembers } from '../../util/collections.ts';

/** A recursive schema has members without end. What is beyond these limits is sent as it is given. */
const deepest = 5;
const mostObjects = 500;

interface Search {
  flags: FlaggedNames;
  left: number;
}

const flagged = new WeakMap<object, FlaggedNames>();

/** By arguments: properties of a flat body have their arguments' names, a whole body is `body`. */
export function readOnlyMembers(
  schema: JsonSchema,
  whole: string | undefined,
  list: readonly ToolArgument[],
  pool: Record<string, JsonSchema>,
): ReadOnlyMembers | undefined {
  const names = flagged.get(pool) ?? new FlaggedNames(pool, 'readOnly');
  flagged.set(pool, names);
  const found = findMembers([schema], { flags: names, left: mostObjects }, 0);
  if (found === undefined || whole !== undefined)
    return found && definedMembers({ properties: { [whole ?? '']: found } });
  const taken = new Set(list.map(({ argument }) => argument));
  const own = (found.names ?? []).filter((name) => !taken.has(name));
  const properties = list.flatMap(({ argument, name, in: place }) => {
    const nested = place === 'body' ? found.properties?.[name] : undefined;
    return nested === undefined ? [] : [[argument, nested] as const];
  });
  return shown({ names: own, properties: Object.fromEntries(properties) });
}

/** `schemas` apply to one value. Alternatives are left alone: a name may be read-only in one of them only. */
function findMembers(
  schemas: readonly JsonSchema[],
  search: Search,
  depth: number,
): ReadOnlyMembers | undefined {
  if (depth > deepest || --search.left < 0) return undefined;
  const { flags } = search;
  const parts = [...new Set(schemas.flatMap((schema) => [...flags.certainParts(schema)]))];
  const names = [...new Set(schemas.flatMap((schema) => [...flags.of(schema).always]))];
  const byName = new Map<string, JsonSchema[]>();
  for (const { properties = {} } of parts)
    for (const [name, property] of Object.entries(properties))
      if (isSchemaObject(property) && !names.includes(name))
        byName.set(name, [...(byName.get(name) ?? []), property]);
  const nested = [...byName].flatMap(([name, each]) => {
    const inside = findMembers(each, search, depth + 1);
    return inside === undefined ? [] : [[name, inside] as const];
  });
  const inAll = (schemas: readonly (JsonSchema | undefined)[]): ReadOnlyMembers | undefined => {
    const objects = schemas.filter(isSchemaObject);
    return objects.length === 0 ? undefined : findMembers(objects, search, depth + 1);
  };
  return shown({
    names,
    properties: Object.fromEntries(nested),
    items: inAll(parts.map(({ items }) => items)),
    values: isMap(parts) ? inAll(parts.map(({ additionalProperties }) => additionalProperties)) : undefined,
  });
}

/** Beside named members, it would depend on each part which values are described. */
function isMap(parts: readonly JsonSchemaObject[]): boolean {
  return parts.every(
    ({ properties, patternProperties }) => properties === undefined && patternProperties === undefined,
  );
}

type Found = { [K in keyof ReadOnlyMembers]?: ReadOnlyMembers[K] | undefined };

function shown({ names = [], properties = {}, items, values }: Found): ReadOnlyMembers | undefined {
  const members = definedMembers({
    names: names.length === 0 ? undefined : names,
    properties: Object.keys(properties).length === 0 ? undefined : properties,
    items,
    values,
  });
  return Object.keys(members).length === 0 ? undefined : members;
}
