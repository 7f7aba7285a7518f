/**
 * Removes properties of the other direction: `readOnly` ones from inputs, `writeOnly` ones from outputs. Requirements
 * for them are removed too, since nobody could satisfy them.
 */
import type { JsonSchema, JsonSchemaObject } from '../../util/json-schema.ts';
import {
  BASES,
  BRANCHES,
  PARTS,
  collectParts,
  findDefinition,
  isSchemaObject,
  mapSubschemas,
  omitKeywords,
} from '../../model/schema-walk.ts';
import { omitUndefined } from '../../util/collections.ts';
import type { SchemaRewrite } from './schema-view.ts';

interface Names {
  /** Flagged for every value. */
  always: ReadonlySet<string>;
  /** Flagged for some values, so that no caller can be asked for them. */
  sometimes: ReadonlySet<string>;
}

export function makePropertyPruner(
  pool: Readonly<Record<string, JsonSchema>>,
  flag: 'readOnly' | 'writeOnly',
): SchemaRewrite {
  const flags = new FlaggedNames(pool, flag);
  return (schema) =>
    typeof schema === 'boolean' ? schema : pruneSchema(schema, flags.namesOf(schema), flags, new Set());
}

function pruneSchema(
  schema: JsonSchemaObject,
  names: Names,
  flags: FlaggedNames,
  followed: ReadonlySet<unknown>,
): JsonSchemaObject {
  const { always, sometimes } = names;
  const judged = omitConditions(schema, names, flags);
  if (sometimes.size === 0) return judged;
  const nested = mapSubschemas(judged, (subschema, keyword) => {
    if (!isSchemaObject(subschema)) return subschema;
    if (BASES.includes(keyword)) return pruneSchema(subschema, names, flags, followed);
    return BRANCHES.includes(keyword)
      ? pruneSchema(subschema, { always, sometimes: always }, flags, followed)
      : subschema;
  });
  const { properties, required, dependentRequired, ...others } = nested;
  const dependents = Object.entries(dependentRequired ?? {})
    .filter(([name]) => !sometimes.has(name))
    .map(([name, list]) => [name, list.filter((member) => !sometimes.has(member))] as const)
    .filter(([, list]) => list.length > 0);
  const left = required?.filter((name) => !sometimes.has(name)) ?? [];
  const pruned = {
    ...others,
    ...omitUndefined({
      properties:
        properties && Object.fromEntries(Object.entries(properties).filter(([name]) => !always.has(name))),
      required: left.length === 0 ? undefined : left,
      dependentRequired: dependents.length === 0 ? undefined : Object.fromEntries(dependents),
    }),
  };
  const { $ref, ...beside } = pruned;
  const target = flags.findTarget($ref);
  if (!isSchemaObject(target) || followed.has($ref) || !flags.mentions(target, names)) return pruned;
  // Other schemas use the target too, so a pruned copy replaces the reference.
  const copy = pruneSchema(target, names, flags, new Set([...followed, $ref]));
  return Object.keys(beside).length === 0 ? copy : { ...beside, allOf: [copy, ...(beside.allOf ?? [])] };
}

/** A condition about a removed property cannot be checked, so it is removed with its consequences. */
function omitConditions(
  schema: JsonSchemaObject,
  { sometimes }: Names,
  flags: FlaggedNames,
): JsonSchemaObject {
  const isAboutRemoved = (condition: JsonSchema | undefined): boolean =>
    isSchemaObject(condition) &&
    (flags.namesOf(condition).sometimes.size > 0 ||
      flags.mentions(condition, { always: sometimes, sometimes }));
  return omitKeywords(
    schema,
    ...(isAboutRemoved(schema.not) ? ['not'] : []),
    ...(isAboutRemoved(schema.if) ? ['if', 'then', 'else'] : []),
  );
}

/** Finds the properties that belong to the other direction, by a schema and all others for the same object. */
export class FlaggedNames {
  readonly #pool: Readonly<Record<string, JsonSchema>>;
  readonly #flag: 'readOnly' | 'writeOnly';
  readonly #isFlagged = new Map<JsonSchemaObject, boolean>();
  #isInPool: boolean | undefined;

  constructor(pool: Readonly<Record<string, JsonSchema>>, flag: 'readOnly' | 'writeOnly') {
    this.#pool = pool;
    this.#flag = flag;
  }

  /** Most documents flag nothing: one look at their text spares a walk for each operation. */
  mayFlag(schema: JsonSchema): boolean {
    this.#isInPool ??= this.#mentionsFlag(this.#pool);
    return this.#isInPool || this.#mentionsFlag(schema);
  }

  #mentionsFlag(value: unknown): boolean {
    return JSON.stringify(value).includes(`"${this.#flag}":true`);
  }

  namesOf(schema: JsonSchema): Names {
    const sometimes = this.namesIn(this.partsOf(schema, true));
    return { always: sometimes.size === 0 ? sometimes : this.namesIn(this.partsOf(schema)), sometimes };
  }

  namesIn(parts: Iterable<JsonSchemaObject>): ReadonlySet<string> {
    const names = new Set<string>();
    for (const { properties = {} } of parts)
      for (const [name, property] of Object.entries(properties))
        if (this.isFlagged(property)) names.add(name);
    return names;
  }

  isFlagged(property: unknown): boolean {
    if (!isSchemaObject(property)) return false;
    if (property[this.#flag] === true) return true;
    const { $ref, allOf = [] } = property;
    if ($ref === undefined && allOf.length === 0) return false;
    const earlierResult = this.#isFlagged.get(property);
    if (earlierResult !== undefined) return earlierResult;
    // A recursive reference is not flagged until another part is.
    this.#isFlagged.set(property, false);
    const isFlagged = [this.findTarget($ref), ...allOf].some((part) => this.isFlagged(part));
    this.#isFlagged.set(property, isFlagged);
    return isFlagged;
  }

  /** Collects the schemas for the same object that apply to every value, and with `branches` those for some. */
  partsOf(schema: unknown, branches = false): ReadonlySet<JsonSchemaObject> {
    return collectParts(schema, branches ? PARTS : BASES, this);
  }

  findTarget(ref: unknown): JsonSchema | undefined {
    return findDefinition(this.#pool, ref);
  }

  /** Whether the target still mentions flagged names after its own pruning. */
  mentions(target: JsonSchemaObject, { always, sometimes }: Names): boolean {
    const pruned = this.namesOf(target);
    return [...this.partsOf(target, true)].some(
      ({ properties = {}, required = [], dependentRequired = {} }) =>
        Object.keys(properties).some((name) => always.has(name) && !pruned.always.has(name)) ||
        [required, ...Object.values(dependentRequired)]
          .flat()
          .some((name) => sometimes.has(name) && !pruned.sometimes.has(name)),
    );
  }
}
