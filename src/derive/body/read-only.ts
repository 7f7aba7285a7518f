/** Finds members that only answers have, so that objects a model gives back are accepted and sent without them. */
import type { ReadOnlyMembers } from '../../../templates/runtime/contract/bindings.ts';
import type { JsonSchema } from '../../../templates/runtime/contract/json-schema.ts';
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
  return shown(own, Object.fromEntries(properties), undefined);
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
  const items = parts.map((part) => part.items).filter(isSchemaObject);
  const ofItems = items.length === 0 ? undefined : findMembers(items, search, depth + 1);
  return shown(names, Object.fromEntries(nested), ofItems);
}

function shown(
  names: string[],
  properties: Record<string, ReadOnlyMembers>,
  items: ReadOnlyMembers | undefined,
): ReadOnlyMembers | undefined {
  const hasProperties = Object.keys(properties).length > 0;
  if (names.length === 0 && !hasProperties && items === undefined) return undefined;
  return definedMembers({
    names: names.length === 0 ? undefined : names,
    properties: hasProperties ? properties : undefined,
    items,
  });
}
