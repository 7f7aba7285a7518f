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

/** Facts of a pool. Operations share the schemas of their bodies, so each is searched once. */
interface Known {
  flags: FlaggedNames;
  members: Map<JsonSchema | undefined, ReadOnlyMembers | undefined>;
}

const knownByPool = new WeakMap<object, Known>();

/** By arguments: properties of a flat body have their arguments' names, a whole body is `body`. */
export function readOnlyMembers(
  schema: JsonSchema,
  whole: string | undefined,
  list: readonly ToolArgument[],
  pool: Record<string, JsonSchema>,
): ReadOnlyMembers | undefined {
  const found = membersOnce(schema, pool);
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

function membersOnce(schema: JsonSchema, pool: Record<string, JsonSchema>): ReadOnlyMembers | undefined {
  let known = knownByPool.get(pool);
  if (known === undefined)
    knownByPool.set(pool, (known = { flags: new FlaggedNames(pool, 'readOnly'), members: new Map() }));
  const { flags, members } = known;
  const key = (isSchemaObject(schema) ? flags.target(schema.$ref) : undefined) ?? schema;
  const isShared = key === schema || Object.keys(schema).length === 1;
  if (isShared && members.has(key)) return members.get(key);
  const found = findMembers([schema], { flags, left: mostObjects }, 0);
  if (isShared) members.set(key, found);
  return found;
}

/** `schemas` apply to one value. Of several alternatives, only names that are read-only in each are known. */
function findMembers(
  schemas: readonly JsonSchema[],
  search: Search,
  depth: number,
): ReadOnlyMembers | undefined {
  if (depth > deepest || --search.left < 0) return undefined;
  const { flags } = search;
  const { parts, choices } = collectParts(schemas, flags);
  const names = [...new Set([...parts, ...choices].flatMap((each) => namesInEach([each].flat(), flags)))];
  const inAll = (schemas: readonly (JsonSchema | undefined)[]): ReadOnlyMembers | undefined => {
    const objects = schemas.filter(isSchemaObject);
    return objects.length === 0 ? undefined : findMembers(objects, search, depth + 1);
  };
  const values = parts.some(({ patternProperties }) => patternProperties !== undefined)
    ? undefined
    : inAll(parts.map(({ additionalProperties }) => additionalProperties));
  const named = new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties)));
  const nested = [...named].flatMap((name) => {
    const inside = names.includes(name) ? undefined : inAll(parts.map((part) => describedMember(part, name)));
    // An empty entry keeps the member apart from those that `values` describes.
    return inside === undefined && values === undefined ? [] : [[name, inside ?? {}] as const];
  });
  return shown({
    names,
    properties: Object.fromEntries(nested),
    items: inAll(parts.map(({ items }) => items)),
    values,
  });
}

/** The parts that apply to every value with members, and the alternatives where several remain. */
function collectParts(
  schemas: readonly JsonSchema[],
  flags: FlaggedNames,
): { parts: JsonSchemaObject[]; choices: JsonSchema[][] } {
  const parts = new Set(schemas.flatMap((schema) => [...flags.certainParts(schema)]));
  const choices: JsonSchema[][] = [];
  // The set grows during the loop.
  for (const { oneOf, anyOf } of parts)
    for (const list of [oneOf, anyOf]) {
      const alternatives = (list ?? []).filter(mayHaveMembers);
      const [only] = alternatives;
      if (alternatives.length > 1) choices.push(alternatives);
      else if (only !== undefined) for (const part of flags.certainParts(only)) parts.add(part);
    }
  return { parts: [...parts], choices };
}

function mayHaveMembers(schema: JsonSchema): boolean {
  if (!isSchemaObject(schema)) return schema;
  return (
    schema.type === undefined || [schema.type].flat().some((type) => type === 'object' || type === 'array')
  );
}

function namesInEach([first = false, ...others]: readonly JsonSchema[], flags: FlaggedNames): string[] {
  return [...flags.of(first).always].filter((name) =>
    others.every((each) => flags.of(each).always.has(name)),
  );
}

function describedMember(
  { properties = {}, additionalProperties }: JsonSchemaObject,
  name: string,
): JsonSchema | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
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
