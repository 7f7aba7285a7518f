/**
 * Removes properties of the other direction: `readOnly` ones from inputs, `writeOnly` ones from outputs. Requirements
 * for them are removed too, since nobody could satisfy them.
 */
import type { JsonSchema, JsonSchemaObject } from '../../../templates/runtime/contract/json-schema.ts';
import { isSchemaObject, mapSubschemas, definitionNameOf } from '../../model/schema-walk.ts';
import { omitUndefined } from '../../util/collections.ts';
import { type SchemaRewrite, omitKeyword } from './schema-view.ts';

/** Only schemas with one of these keywords describe properties. */
const speaking = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'dependentSchemas'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if'],
]);
/** Subschemas of these keywords apply to some values only; each is pruned by its own flags. */
const branches = new Set(['anyOf', 'oneOf', 'then', 'else', 'dependentSchemas']);

export function makePropertyPruner(pool: Record<string, JsonSchema>, flag: DirectionFlag): SchemaRewrite {
  const names = new FlaggedNames(pool, flag);
  return (schema) => {
    if (typeof schema === 'boolean' || !hasPropertyKeywords(schema)) return schema;
    const flagged = names.flaggedNamesOf(schema);
    return flagged.isEmpty
      ? dropConditionsAbout(schema, flagged, names)
      : new Pruning(names).pruneSchema(schema, flagged);
  };
}

function hasPropertyKeywords(schema: JsonSchemaObject): boolean {
  if (schema.$ref !== undefined && schema.required !== undefined) return true;
  return Object.keys(schema).some((keyword) => speaking.has(keyword));
}

/** A condition about a removed property cannot be checked, so it is removed with its consequences. */
function dropConditionsAbout(
  schema: JsonSchemaObject,
  { isGone }: Flagged,
  names: FlaggedNames,
): JsonSchemaObject {
  const mentionsFlagged = (condition: JsonSchema): boolean =>
    [...names.collectAllParts(condition)].some(
      ({ properties = {}, required = [] }) =>
        required.some(isGone) ||
        Object.keys(properties).some((name) => isGone(name) || names.isFlagged(properties[name])),
    );
  let rest = schema;
  if (rest.not !== undefined && mentionsFlagged(rest.not)) rest = omitKeyword(rest, 'not');
  if (rest.if === undefined || !mentionsFlagged(rest.if)) return rest;
  return ['if', 'then', 'else'].reduce(omitKeyword, rest);
}

class Pruning {
  readonly #names: FlaggedNames;
  /** References that are being inlined, since a composition may refer to itself. */
  readonly #followed = new Set<unknown>();

  constructor(names: FlaggedNames) {
    this.#names = names;
  }

  pruneSchema(schema: JsonSchemaObject, flagged: Flagged): JsonSchemaObject {
    const { always, isGone } = flagged;
    const inBranch: Flagged = { ...flagged, isGone: (name) => always.has(name) };
    const judged = dropConditionsAbout(schema, flagged, this.#names);
    const nested = mapSubschemas(judged, (subschema, keyword) => {
      if (!isSchemaObject(subschema)) return subschema;
      if (keyword === 'allOf') return this.pruneSchema(subschema, flagged);
      return branches.has(keyword) ? this.pruneSchema(subschema, inBranch) : subschema;
    });
    const part = dropFromRequired(this.#dropProperties(nested, always), isGone);
    return part.$ref === undefined ? part : this.#inlinePrunedTarget(part, flagged);
  }

  #dropProperties(schema: JsonSchemaObject, gone: ReadonlySet<string>): JsonSchemaObject {
    const { properties, patternProperties } = schema;
    const remaining = properties && filterRecord(properties, (name) => !gone.has(name));
    const matched =
      patternProperties && filterRecord(patternProperties, (_, property) => !this.#names.isFlagged(property));
    if (remaining === properties && matched === patternProperties) return schema;
    return {
      ...schema,
      ...omitUndefined({ properties: remaining, patternProperties: matched }),
    };
  }

  /**
   * Other schemas use the referenced schema too. If it requires a removed property, a pruned copy replaces the
   * reference.
   */
  #inlinePrunedTarget(schema: JsonSchemaObject, flagged: Flagged): JsonSchemaObject {
    const { $ref, ...rest } = schema;
    const target = this.#names.findTarget($ref);
    if (!isSchemaObject(target) || this.#followed.has($ref) || !this.#mentionsFlagged(target, flagged))
      return schema;
    this.#followed.add($ref);
    const copy = this.pruneSchema(target, flagged);
    this.#followed.delete($ref);
    return Object.keys(rest).length === 0 ? copy : { ...rest, allOf: [copy, ...(rest.allOf ?? [])] };
  }

  /** Whether the target still mentions flagged names after its own pruning. */
  #mentionsFlagged(target: JsonSchema, { always, isGone }: Flagged): boolean {
    const targetNames = this.#names.flaggedNamesOf(target);
    return [...this.#names.collectAllParts(target)].some(
      ({ properties = {}, required = [], dependentRequired = {} }) =>
        Object.keys(properties).some((name) => always.has(name) && !targetNames.always.has(name)) ||
        [required, ...Object.values(dependentRequired)]
          .flat()
          .some((name) => isGone(name) && !targetNames.isGone(name)),
    );
  }
}

function dropFromRequired(schema: JsonSchemaObject, isGone: Flagged['isGone']): JsonSchemaObject {
  const { required, dependentRequired } = schema;
  const rest = required === undefined ? schema : replaceRequired(schema, required, isGone);
  if (dependentRequired === undefined) return rest;
  const entries = filterRecord(dependentRequired, (name) => !isGone(name));
  const lists = Object.entries(entries).map(([name, list]): [string, string[]] => [
    name,
    filterGone(list, isGone),
  ]);
  if (entries === dependentRequired && lists.every(([name, list]) => list === entries[name])) return rest;
  const filled = lists.filter(([, list]) => list.length > 0);
  return filled.length === 0
    ? omitKeyword(rest, 'dependentRequired')
    : { ...rest, dependentRequired: Object.fromEntries(filled) };
}

function replaceRequired(
  schema: JsonSchemaObject,
  required: string[],
  isGone: Flagged['isGone'],
): JsonSchemaObject {
  const names = filterGone(required, isGone);
  if (names === required) return schema;
  return names.length === 0 ? omitKeyword(schema, 'required') : { ...schema, required: names };
}

function filterGone(names: string[], isGone: Flagged['isGone']): string[] {
  return names.some(isGone) ? names.filter((name) => !isGone(name)) : names;
}

function filterRecord<T>(
  record: Record<string, T>,
  test: (name: string, value: T) => boolean,
): Record<string, T> {
  const entries = Object.entries(record);
  const kept = entries.filter(([name, value]) => test(name, value));
  return kept.length === entries.length ? record : Object.fromEntries(kept);
}

type DirectionFlag = 'readOnly' | 'writeOnly';

interface Flagged {
  always: ReadonlySet<string>;
  /** Whether the name is flagged for some values, so that no caller can be asked for it. */
  isGone: (name: string) => boolean;
  isEmpty: boolean;
}

const nothing: Flagged = { always: new Set(), isGone: () => false, isEmpty: true };

/**
 * Finds the properties that belong to the other direction: `readOnly` ones are not sent, `writeOnly` ones are not
 * returned. The schema and all subschemas for the same object are searched.
 */
export class FlaggedNames {
  readonly #pool: Readonly<Record<string, JsonSchema>>;
  readonly #flag: DirectionFlag;
  readonly #namesBySchema = new Map<JsonSchemaObject, readonly string[]>();
  readonly #referring = new Map<JsonSchemaObject, boolean>();

  constructor(pool: Readonly<Record<string, JsonSchema>>, flag: DirectionFlag) {
    this.#pool = pool;
    this.#flag = flag;
  }

  flaggedNamesOf(schema: JsonSchema): Flagged {
    if (isSchemaObject(schema) && this.#isPlain(schema)) return nothing;
    const parts = this.collectAllParts(schema);
    const sometimes = this.#collectFlaggedNames(parts);
    const hidden = [...parts].some((part) => this.#flagsUnnamedProperties(part));
    if (sometimes.size === 0 && !hidden) return nothing;
    const always = sometimes.size === 0 ? sometimes : this.#collectFlaggedNames(this.certainPartsOf(schema));
    // The document's patterns are not run; a name without a schema may match one.
    const isGone = (name: string): boolean =>
      sometimes.has(name) || (hidden && !isDeclaredProperty(name, parts));
    return { always, isGone, isEmpty: false };
  }

  isFlagged(property: unknown): boolean {
    if (!isSchemaObject(property)) return false;
    if (property[this.#flag] === true) return true;
    if (property.$ref === undefined && property.allOf === undefined) return false;
    const isReferring = this.#referring.get(property);
    if (isReferring !== undefined) return isReferring;
    // A recursive reference is not flagged until another part is.
    this.#referring.set(property, false);
    const flagged = [this.findTarget(property.$ref), ...(property.allOf ?? [])].some((part) =>
      this.isFlagged(part),
    );
    this.#referring.set(property, flagged);
    return flagged;
  }

  collectAllParts(schema: JsonSchema): ReadonlySet<JsonSchemaObject> {
    return this.#collectParts(schema, true);
  }

  /** Returns the parts that apply to every value. */
  certainPartsOf(schema: JsonSchema): ReadonlySet<JsonSchemaObject> {
    return this.#collectParts(schema, false);
  }

  findTarget($ref: unknown): JsonSchema | undefined {
    const name = definitionNameOf($ref);
    return name !== undefined && Object.hasOwn(this.#pool, name) ? this.#pool[name] : undefined;
  }

  #isPlain(schema: JsonSchemaObject): boolean {
    return (
      schema.$ref === undefined &&
      schema.allOf === undefined &&
      listObjectBranches(schema).length === 0 &&
      this.#listFlaggedNames(schema).length === 0 &&
      !this.#flagsUnnamedProperties(schema)
    );
  }

  #collectParts(
    schema: unknown,
    withBranches: boolean,
    parts = new Set<JsonSchemaObject>(),
  ): Set<JsonSchemaObject> {
    if (!isSchemaObject(schema) || parts.has(schema)) return parts;
    parts.add(schema);
    if (schema.$ref !== undefined) this.#collectParts(this.findTarget(schema.$ref), withBranches, parts);
    if (Array.isArray(schema.allOf))
      for (const member of schema.allOf) this.#collectParts(member, withBranches, parts);
    if (withBranches)
      for (const branch of listObjectBranches(schema)) this.#collectParts(branch, true, parts);
    return parts;
  }

  #collectFlaggedNames(parts: Iterable<JsonSchemaObject>): ReadonlySet<string> {
    const names = new Set<string>();
    for (const part of parts) for (const name of this.#listFlaggedNames(part)) names.add(name);
    return names;
  }

  #listFlaggedNames(part: JsonSchemaObject): readonly string[] {
    const { properties } = part;
    if (properties === undefined) return [];
    let names = this.#namesBySchema.get(part);
    if (names === undefined) {
      names = Object.keys(properties).filter((name) => this.isFlagged(properties[name]));
      this.#namesBySchema.set(part, names);
    }
    return names;
  }

  /** Whether properties that match no name are flagged. */
  #flagsUnnamedProperties({ patternProperties, additionalProperties }: JsonSchemaObject): boolean {
    if (this.isFlagged(additionalProperties)) return true;
    return (
      patternProperties !== undefined &&
      Object.values(patternProperties).some((schema) => this.isFlagged(schema))
    );
  }
}

/** Lists subschemas that apply to the same object, but only to some of its values. */
function listObjectBranches({
  anyOf,
  oneOf,
  then,
  else: otherwise,
  dependentSchemas,
}: JsonSchemaObject): unknown[] {
  if ((anyOf ?? oneOf ?? then ?? otherwise ?? dependentSchemas) === undefined) return none;
  return [...(anyOf ?? none), ...(oneOf ?? none), then, otherwise, ...Object.values(dependentSchemas ?? {})];
}

const none: [] = [];

function isDeclaredProperty(name: string, parts: Iterable<JsonSchemaObject>): boolean {
  for (const { properties } of parts) {
    if (properties !== undefined && Object.hasOwn(properties, name)) return true;
  }
  return false;
}
