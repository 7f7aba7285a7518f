/**
 * Removes properties of the other direction: `readOnly` ones from inputs, `writeOnly` ones from outputs. Requirements
 * for them are removed too, since nobody could satisfy them.
 */
import type { JsonSchema, JsonSchemaObject } from '../../../templates/runtime/contract/json-schema.ts';
import { isSchemaObject, mapSubschemas } from '../../model/schema-walk.ts';
import { type Flagged, FlaggedNames, type DirectionFlag } from './flagged-names.ts';
import type { SchemaRewrite } from './schema-view.ts';
import { withoutKeyword } from '../text/title-echo.ts';
import { definedMembers } from '../../util/defined-members.ts';

/** Only schemas with one of these keywords describe properties. */
const speaking = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'dependentSchemas'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if'],
]);
/** Subschemas of these keywords apply to some values only; each is pruned by its own flags. */
const branches = new Set(['anyOf', 'oneOf', 'then', 'else', 'dependentSchemas']);

export function pruneProperties(pool: Record<string, JsonSchema>, flag: DirectionFlag): SchemaRewrite {
  const names = new FlaggedNames(pool, flag);
  return (schema) => {
    if (typeof schema === 'boolean' || !speaksOfProperties(schema)) return schema;
    const flagged = names.of(schema);
    return flagged.isEmpty
      ? withoutConditions(schema, flagged, names)
      : new Pruning(names).prune(schema, flagged);
  };
}

function speaksOfProperties(schema: JsonSchemaObject): boolean {
  if (schema.$ref !== undefined && schema.required !== undefined) return true;
  return Object.keys(schema).some((keyword) => speaking.has(keyword));
}

/** A condition about a removed property cannot be checked, so it is removed with its consequences. */
function withoutConditions(
  schema: JsonSchemaObject,
  { isGone }: Flagged,
  names: FlaggedNames,
): JsonSchemaObject {
  const mentions = (condition: JsonSchema): boolean =>
    [...names.parts(condition)].some(
      ({ properties = {}, required = [] }) =>
        required.some(isGone) ||
        Object.keys(properties).some((name) => isGone(name) || names.isFlagged(properties[name])),
    );
  let rest = schema;
  if (rest.not !== undefined && mentions(rest.not)) rest = withoutKeyword(rest, 'not');
  if (rest.if === undefined || !mentions(rest.if)) return rest;
  return ['if', 'then', 'else'].reduce(withoutKeyword, rest);
}

class Pruning {
  readonly #names: FlaggedNames;
  /** References that are being inlined, since a composition may refer to itself. */
  readonly #way = new Set<unknown>();

  constructor(names: FlaggedNames) {
    this.#names = names;
  }

  prune(schema: JsonSchemaObject, flagged: Flagged): JsonSchemaObject {
    const { always, isGone } = flagged;
    const inBranch: Flagged = { ...flagged, isGone: (name) => always.has(name) };
    const judged = withoutConditions(schema, flagged, this.#names);
    const nested = mapSubschemas(judged, (subschema, keyword) => {
      if (!isSchemaObject(subschema)) return subschema;
      if (keyword === 'allOf') return this.prune(subschema, flagged);
      return branches.has(keyword) ? this.prune(subschema, inBranch) : subschema;
    });
    const own = withoutRequired(this.#withoutProperties(nested, always), isGone);
    return own.$ref === undefined ? own : this.#writeOut(own, flagged);
  }

  #withoutProperties(schema: JsonSchemaObject, gone: ReadonlySet<string>): JsonSchemaObject {
    const { properties, patternProperties } = schema;
    const named = properties && keep(properties, (name) => !gone.has(name));
    const matched =
      patternProperties && keep(patternProperties, (_, property) => !this.#names.isFlagged(property));
    if (named === properties && matched === patternProperties) return schema;
    return {
      ...schema,
      ...definedMembers({ properties: named, patternProperties: matched }),
    };
  }

  /**
   * Other schemas use the referenced schema too. If it requires a removed property, a pruned copy replaces the
   * reference.
   */
  #writeOut(schema: JsonSchemaObject, flagged: Flagged): JsonSchemaObject {
    const { $ref, ...rest } = schema;
    const target = this.#names.target($ref);
    if (!isSchemaObject(target) || this.#way.has($ref) || !this.#describes(target, flagged)) return schema;
    this.#way.add($ref);
    const copy = this.prune(target, flagged);
    this.#way.delete($ref);
    return Object.keys(rest).length === 0 ? copy : { ...rest, allOf: [copy, ...(rest.allOf ?? [])] };
  }

  /** Whether the target still mentions flagged names after its own pruning. */
  #describes(target: JsonSchema, { always, isGone }: Flagged): boolean {
    const own = this.#names.of(target);
    return [...this.#names.parts(target)].some(
      ({ properties = {}, required = [], dependentRequired = {} }) =>
        Object.keys(properties).some((name) => always.has(name) && !own.always.has(name)) ||
        [required, ...Object.values(dependentRequired)]
          .flat()
          .some((name) => isGone(name) && !own.isGone(name)),
    );
  }
}

function withoutRequired(schema: JsonSchemaObject, isGone: Flagged['isGone']): JsonSchemaObject {
  const { required, dependentRequired } = schema;
  const rest = required === undefined ? schema : withNames(schema, required, isGone);
  if (dependentRequired === undefined) return rest;
  const kept = keep(dependentRequired, (name) => !isGone(name));
  const lists = Object.entries(kept).map(([name, list]): [string, string[]] => [
    name,
    withoutGone(list, isGone),
  ]);
  if (kept === dependentRequired && lists.every(([name, list]) => list === kept[name])) return rest;
  const filled = lists.filter(([, list]) => list.length > 0);
  return filled.length === 0
    ? withoutKeyword(rest, 'dependentRequired')
    : { ...rest, dependentRequired: Object.fromEntries(filled) };
}

function withNames(
  schema: JsonSchemaObject,
  required: string[],
  isGone: Flagged['isGone'],
): JsonSchemaObject {
  const kept = withoutGone(required, isGone);
  if (kept === required) return schema;
  return kept.length === 0 ? withoutKeyword(schema, 'required') : { ...schema, required: kept };
}

function withoutGone(names: string[], isGone: Flagged['isGone']): string[] {
  return names.some(isGone) ? names.filter((name) => !isGone(name)) : names;
}

/** Returns the same record if nothing is removed. */
function keep<T>(record: Record<string, T>, test: (name: string, value: T) => boolean): Record<string, T> {
  const entries = Object.entries(record);
  const kept = entries.filter(([name, value]) => test(name, value));
  return kept.length === entries.length ? record : Object.fromEntries(kept);
}
