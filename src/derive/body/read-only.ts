/** Finds members that only answers have, so that objects a model gives back are accepted and sent without them. */
import { getOwnMember } from '../../../templates/runtime/contract/json-value.ts';
import type { ReadOnlyMembers } from '../../../templates/runtime/contract/bindings.ts';
import type { JsonSchema, JsonSchemaObject } from '../../../templates/runtime/contract/json-schema.ts';
import { isUnprovenPattern } from '../../../templates/runtime/contract/patterns.ts';
import { isSchemaObject } from '../../model/schema-walk.ts';
import type { ToolArgument } from '../arguments/argument-schema.ts';
import { FlaggedNames } from '../schema/prune-properties.ts';
import { omitUndefined } from '../../util/collections.ts';

/** A recursive schema has members without end. What is beyond these limits is sent as it is given. */
const deepest = 5;
const mostObjects = 500;

interface Search {
  flags: FlaggedNames;
  remaining: number;
}

/** Operations share the schemas of their bodies, so the flags of each are found once. */
const flagsByPool = new WeakMap<object, FlaggedNames>();

function openFlags(pool: Record<string, JsonSchema>): FlaggedNames {
  const flags = flagsByPool.get(pool) ?? new FlaggedNames(pool, 'readOnly');
  flagsByPool.set(pool, flags);
  return flags;
}

export function hasReadOnlyMembers(schema: JsonSchema, pool: Record<string, JsonSchema>): boolean {
  return !openFlags(pool).flaggedNamesOf(schema).isEmpty;
}

/** Finds read-only members by argument: flat bodies have one for each property, whole ones have `body`. */
export function findReadOnlyMembers(
  schema: JsonSchema,
  whole: string | undefined,
  list: readonly ToolArgument[],
  pool: Record<string, JsonSchema>,
): ReadOnlyMembers | undefined {
  const members = findMembersOfSchemas([schema], { flags: openFlags(pool), remaining: mostObjects }, 0);
  if (members === undefined || whole !== undefined)
    return members && omitUndefined({ properties: { [whole ?? '']: members } });
  const takenNames = new Set(list.map(({ argument }) => argument));
  const freeNames = (members.names ?? []).filter((name) => !takenNames.has(name));
  const properties = list.flatMap(({ argument, name, in: place }) => {
    const nested = place === 'body' ? getOwnMember(members.properties ?? {}, name) : undefined;
    return nested === undefined ? [] : [[argument, nested] as const];
  });
  return withoutEmptyMembers({ names: freeNames, properties: Object.fromEntries(properties) });
}

/** Finds the members of one value, to which all of `schemas` apply. */
function findMembersOfSchemas(
  schemas: readonly JsonSchema[],
  search: Search,
  depth: number,
): ReadOnlyMembers | undefined {
  if (depth > deepest || --search.remaining < 0) return undefined;
  const { flags } = search;
  const { parts, choices } = collectApplicableSchemas(schemas, flags);
  const names = listReadOnlyNames(parts, choices, flags);
  const findMembersDescribedBy = (describe: Describe): ReadOnlyMembers | undefined => {
    const described = schemasOfMember(parts, choices, describe);
    return described.length === 0 ? undefined : findMembersOfSchemas(described, search, depth + 1);
  };
  const patterns = findReadOnlyPatterns(parts, flags, (schema) =>
    findMembersOfSchemas([schema], search, depth + 1),
  );
  const values = patterns && findMembersDescribedBy(({ additionalProperties }) => additionalProperties);
  const all = [...parts, ...choices.flat().flatMap(({ parts: ownParts }) => ownParts)];
  const propertyNames = new Set(all.flatMap(({ properties = {} }) => Object.keys(properties)));
  const nested = [...propertyNames].flatMap((name) => {
    const inside = names.includes(name)
      ? undefined
      : findMembersDescribedBy((part) => schemaOfMember(part, name));
    // An empty entry keeps the member apart from those that `values` describes.
    return inside === undefined && values === undefined ? [] : [[name, inside ?? {}] as const];
  });
  return withoutEmptyMembers({
    names,
    properties: Object.fromEntries(nested),
    items: findMembersDescribedBy(({ items }) => items),
    patterns,
    values,
  });
}

interface Alternative {
  schema: JsonSchema;
  /** The parts that apply to each value of the alternative. */
  parts: readonly JsonSchemaObject[];
  /** Whether the alternative describes each member that its values can have. */
  isKnown: boolean;
}

/** Collects the parts that apply to every value with members, and the alternatives where several remain. */
function collectApplicableSchemas(
  schemas: readonly JsonSchema[],
  flags: FlaggedNames,
): { parts: JsonSchemaObject[]; choices: Alternative[][] } {
  const parts = new Set(schemas.flatMap((schema) => [...flags.certainPartsOf(schema)]));
  const choices: Alternative[][] = [];
  // The set grows during the loop.
  for (const { oneOf, anyOf } of parts)
    for (const list of [oneOf, anyOf]) {
      const alternatives = (list ?? [])
        .map((schema) => toAlternative(schema, flags))
        .filter((alternative) => mayHaveMembers(alternative));
      const [only] = alternatives;
      if (alternatives.length > 1) choices.push(alternatives);
      else for (const part of only?.parts ?? []) parts.add(part);
    }
  return { parts: [...parts], choices };
}

function toAlternative(schema: JsonSchema, flags: FlaggedNames): Alternative {
  const parts = [...flags.certainPartsOf(schema)];
  const isKnown =
    flags.collectAllParts(schema).size === parts.length &&
    parts.some(({ properties = {}, items }) => Object.keys(properties).length > 0 || items !== undefined) &&
    parts.every(
      ({ patternProperties, additionalProperties = false }) =>
        patternProperties === undefined && additionalProperties === false,
    );
  return { schema, parts, isKnown };
}

function mayHaveMembers({ schema, parts }: Alternative): boolean {
  const mayBeObjectOrArray = ({ type }: JsonSchemaObject): boolean =>
    type === undefined || [type].flat().some((one) => one === 'object' || one === 'array');
  return schema !== false && parts.every(mayBeObjectOrArray);
}

/** Lists the names that are read-only for certain. A name of alternatives is, if each that has it marks it. */
function listReadOnlyNames(
  parts: readonly JsonSchemaObject[],
  choices: readonly Alternative[][],
  flags: FlaggedNames,
): string[] {
  const certain = parts.flatMap((part) => [...flags.flaggedNamesOf(part).always]);
  const chosen = choices.flatMap((list) => {
    const sets = list.map(({ schema }) => flags.flaggedNamesOf(schema).always);
    const isAlwaysReadOnly = (name: string): boolean =>
      list.every(
        (alternative, at) =>
          sets[at]?.has(name) === true ||
          (alternative.isKnown &&
            alternative.parts.every(({ properties = {} }) => !Object.hasOwn(properties, name))),
      );
    return sets.flatMap((set) => [...set].filter(isAlwaysReadOnly));
  });
  return [...new Set([...certain, ...chosen])];
}

type Describe = (part: JsonSchemaObject) => JsonSchema | undefined;

/** The schemas of one member. Alternatives that may have it without describing it could take anything. */
function schemasOfMember(
  parts: readonly JsonSchemaObject[],
  choices: readonly Alternative[][],
  describe: Describe,
): JsonSchemaObject[] {
  const collectMemberSchemas = (from: readonly JsonSchemaObject[]): JsonSchemaObject[] =>
    from.map(describe).filter(isSchemaObject);
  const chosen = choices.flatMap((list): JsonSchemaObject[] => {
    const anyOf = list.flatMap(({ parts: alternativeParts, isKnown }): JsonSchema[] => {
      const [first, ...moreSchemas] = collectMemberSchemas(alternativeParts);
      if (first === undefined) return isKnown ? [] : [true];
      return [moreSchemas.length === 0 ? first : { allOf: [first, ...moreSchemas] }];
    });
    return anyOf.every((schema) => schema === true) ? [] : [{ anyOf }];
  });
  return [...collectMemberSchemas(parts), ...chosen];
}

/** Finds patterns of names; undefined if one needs more than a regular expression: it may match any. */
function findReadOnlyPatterns(
  parts: readonly JsonSchemaObject[],
  flags: FlaggedNames,
  find: (schema: JsonSchema) => ReadOnlyMembers | undefined,
): ReadOnlyMembers['patterns'] {
  const all = parts.flatMap(({ patternProperties = {} }) => Object.entries(patternProperties));
  if (all.some(([source]) => isUnprovenPattern(source))) return undefined;
  return Object.fromEntries(
    all.map(([source, schema]) => [source, flags.isFlagged(schema) ? null : (find(schema) ?? {})]),
  );
}

function schemaOfMember(
  { properties = {}, additionalProperties }: JsonSchemaObject,
  name: string,
): JsonSchema | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
}

type Found = { [K in keyof ReadOnlyMembers]?: ReadOnlyMembers[K] | undefined };

function withoutEmptyMembers({
  names,
  properties,
  items,
  patterns,
  values,
}: Found): ReadOnlyMembers | undefined {
  const omitIfEmpty = <T extends object>(list: T | undefined): T | undefined =>
    list === undefined || Object.keys(list).length === 0 ? undefined : list;
  const members = omitUndefined({
    names: omitIfEmpty(names),
    properties: omitIfEmpty(properties),
    items,
    patterns: omitIfEmpty(patterns),
    values,
  });
  return omitIfEmpty(members);
}
