/** Finds members that only answers have, so that objects a model gives back are accepted and sent without them. */
import { ownMember } from '../../../templates/runtime/json-rpc.ts';
import type { ReadOnlyMembers } from '../../model/bindings.ts';
import type { JsonSchema, JsonSchemaObject } from '../../util/json-schema.ts';
import type { ToolArgument } from '../arguments/argument-schema.ts';
import type { FlaggedNames } from '../schema/prune-properties.ts';

/** A recursive schema has members without end. What is beyond these limits is sent as it is given. */
const DEEPEST = 5;
const MOST_OBJECTS = 500;

/** Finds read-only members by argument: flat bodies have one for each property, whole ones have `body`. */
export function findReadOnlyMembers(
  schema: JsonSchema,
  whole: string | undefined,
  list: readonly ToolArgument[],
  flags: FlaggedNames,
): ReadOnlyMembers | undefined {
  if (!flags.mayFlag(schema)) return undefined;
  const members = findMembers(schema, flags, { remaining: MOST_OBJECTS }, 0);
  if (members === undefined || whole !== undefined)
    return members && { properties: { [whole ?? '']: members } };
  const takenNames = new Set(list.map(({ argument }) => argument));
  const properties = list.flatMap(({ argument, name, in: place }) => {
    const nested = place === 'body' ? ownMember(members.properties ?? {}, name) : undefined;
    return nested === undefined ? [] : [[argument, nested] as const];
  });
  return omitEmpty({
    names: members.names?.filter((name) => !takenNames.has(name)),
    properties: Object.fromEntries(properties),
  });
}

function findMembers(
  schema: JsonSchema,
  flags: FlaggedNames,
  budget: { remaining: number },
  depth: number,
): ReadOnlyMembers | undefined {
  if (depth > DEEPEST || --budget.remaining < 0) return undefined;
  const certain = flags.partsOf(schema);
  const parts = [...flags.partsOf(schema, true)];
  const always = flags.namesIn(certain);
  const isOpen = parts.some((part) => !certain.has(part) && takesAnyMember(part));
  // Alternatives that have the member too send it, so it goes only if each of them marks it.
  const names = [...flags.namesIn(parts)].filter((name) => {
    const isMarked = ({ properties = {} }: JsonSchemaObject): boolean =>
      !Object.hasOwn(properties, name) || flags.isFlagged(properties[name]);
    return always.has(name) || (!isOpen && parts.every(isMarked));
  });
  const findInside = (
    describe: (part: JsonSchemaObject) => JsonSchema | undefined,
  ): ReadOnlyMembers | undefined => {
    const describeAll = (described: readonly JsonSchemaObject[]): JsonSchema[] =>
      described.map(describe).filter((inner) => inner !== undefined);
    const allOf = describeAll([...certain]);
    const anyOf = describeAll(parts.filter((part) => !certain.has(part)));
    if (allOf.length + anyOf.length === 0) return undefined;
    return findMembers({ allOf, anyOf }, flags, budget, depth + 1);
  };
  // The names that a pattern matches are not known here.
  const hasPatterns = parts.some(({ patternProperties }) => patternProperties !== undefined);
  const values = hasPatterns ? undefined : findInside(({ additionalProperties }) => additionalProperties);
  const properties = [...new Set(parts.flatMap((part) => Object.keys(part.properties ?? {})))]
    .filter((name) => !names.includes(name))
    .map((name) => {
      const inside = findInside(
        (part) => ownMember(part.properties ?? {}, name) ?? part.additionalProperties,
      );
      // An empty entry keeps the member apart from those that `values` describes.
      return [name, inside ?? (values && {})] as const;
    })
    .filter(([, inside]) => inside !== undefined);
  return omitEmpty({
    names,
    properties: Object.fromEntries(properties) as Record<string, ReadOnlyMembers>,
    items: findInside(({ items }) => items),
    values,
  });
}

/** Whether an alternative may have members of any name. */
function takesAnyMember(schema: JsonSchemaObject): boolean {
  const { type, properties = {}, additionalProperties = false, patternProperties } = schema;
  if (Object.keys(schema).length === 0 || additionalProperties !== false || patternProperties) return true;
  return [type].flat().includes('object') && Object.keys(properties).length === 0;
}

function omitEmpty(members: {
  [K in keyof ReadOnlyMembers]?: ReadOnlyMembers[K] | undefined;
}): ReadOnlyMembers | undefined {
  const entries = Object.entries(members).filter(([, value]) => Object.keys(value ?? {}).length > 0);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
