/**
 * The form in which clients are given a tool's schema. Many of them read a `$ref` badly and refuse an array without
 * `items`, so both are written out here. The model keeps one object for each shared schema, which has a name in `types.ts`.
 */
import type { JsonSchema, JsonSchemaObject, ObjectSchema } from '../../util/json-schema.ts';
import {
  ALTERNATIVES,
  ANNOTATIONS,
  IN_PLACE,
  asSchemaObject,
  forEachSubschema,
  mapSubschemas,
  definitionNameOf,
} from '../../model/schema-walk.ts';
import { ownMember } from '../../../templates/runtime/json-rpc.ts';

/** Most targets inside of one another. Parsers give up on deep JSON, so a longer chain keeps some references. */
const DEEPEST = 100;

/**
 * Writes a `$ref` whose target is used nowhere else as that target, leaves only `description` and `default` beside the
 * others, and gives each array `items`. The same values stay valid. A circle keeps a `$ref`, since something in it is used twice.
 */
export function toListedSchema<S extends ObjectSchema>(schema: S): S {
  // References in a schema with an `$id` are relative to that URI, so nothing is moved.
  if (schema.$id !== undefined) return schema;
  const { $defs = {}, ...top } = schema;
  const listing = new Listing(top, $defs);
  const listed = listing.listedForm(top) as S;
  // The loop also visits definitions that it adds: a target may refer to others.
  const targets = new Map<string, JsonSchema>();
  for (const name of listing.needed) targets.set(name, listing.listedForm($defs[name] ?? true));
  const entries = Object.keys($defs).flatMap((name): [string, JsonSchema][] => {
    const target = targets.get(name);
    return target === undefined ? [] : [[name, target]];
  });
  return entries.length === 0 ? listed : { ...listed, $defs: Object.fromEntries(entries) };
}

const IDENTIFIERS = ['$id', '$anchor', '$dynamicAnchor'];

class Listing {
  /** Names of the targets that are still referred to. */
  readonly needed = new Set<string>();
  readonly #defs: Record<string, JsonSchema>;
  readonly #uses = new Map<string, number>();
  /** An `unevaluatedItems` sees what `items` has checked. */
  #isWatched = false;
  #depth = 0;

  constructor(top: JsonSchemaObject, defs: Record<string, JsonSchema>) {
    this.#defs = defs;
    this.#countUses(top);
  }

  #countUses(schema: JsonSchema): void {
    const open = [schema];
    for (const next of open) {
      if (typeof next === 'boolean' || next.$id !== undefined) continue;
      this.#isWatched ||= next.unevaluatedItems !== undefined;
      const name = definitionNameOf(next.$ref);
      if (name !== undefined) {
        const target = this.#uses.has(name) ? undefined : ownMember(this.#defs, name);
        if (target !== undefined) open.push(target);
        this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1);
      }
      forEachSubschema(next, (subschema) => open.push(subschema));
    }
  }

  listedForm(schema: JsonSchema): JsonSchema {
    if (typeof schema === 'boolean' || schema.$id !== undefined) return schema;
    const copy = mapSubschemas(schema, (subschema, keyword) => {
      const listed = this.listedForm(subschema);
      return ALTERNATIVES.includes(keyword) ? addNameAsTitle(listed, subschema) : listed;
    });
    return this.#addItems(this.#inlineTarget(copy));
  }

  /** The target that nothing else refers to. One with an identifier may be referred to by that, and stays. */
  #targetUsedOnce(name: string): JsonSchema | undefined {
    if (this.#uses.get(name) !== 1 || this.#depth === DEEPEST || !Object.hasOwn(this.#defs, name))
      return undefined;
    const target = this.#defs[name];
    return IDENTIFIERS.some((keyword) => Object.hasOwn(asSchemaObject(target ?? true), keyword))
      ? undefined
      : target;
  }

  #inlineTarget(schema: JsonSchemaObject): JsonSchemaObject {
    const { $ref, ...beside } = schema;
    const name = definitionNameOf($ref);
    if (name === undefined) return schema;
    const target = this.#targetUsedOnce(name);
    if (target === undefined) {
      this.needed.add(name);
      return moveReferenceToAllOf(schema);
    }
    this.#depth += 1;
    const listed = asSchemaObject(this.listedForm(target));
    this.#depth -= 1;
    return canMergeInto(listed, beside)
      ? moveReferenceToAllOf({ ...listed, ...beside })
      : addToAllOf(beside, listed);
  }

  #addItems(schema: JsonSchemaObject): JsonSchemaObject {
    if (!(
      schema.items === undefined &&
      (schema.type === 'array' || (Array.isArray(schema.type) && schema.type.includes('array')))
    ))
      return schema;
    if (!this.#isWatched) return { ...schema, items: {} };
    const { unevaluatedItems, ...rest } = schema;
    if (unevaluatedItems === undefined || inPlace.some((keyword) => rest[keyword] !== undefined))
      return schema;
    return { ...rest, items: unevaluatedItems };
  }
}

/** An alternative without a title loses its name with the reference, which tells it from the others. */
function addNameAsTitle(listed: JsonSchema, before: JsonSchema): JsonSchema {
  if (typeof listed === 'boolean' || typeof before === 'boolean') return listed;
  const name = definitionNameOf(before.$ref);
  if (name === undefined) return listed;
  return listed.$ref === undefined && listed.title === undefined ? { title: name, ...listed } : listed;
}

/** Gemini allows these beside a `$ref` (gemini-cli#13326, 2026-11), and other clients ignore them. */
const besideRef = new Set(['$ref', 'description', 'default']);

function moveReferenceToAllOf(schema: JsonSchemaObject): JsonSchemaObject {
  if (Object.keys(schema).every((keyword) => besideRef.has(keyword))) return schema;
  const { $ref, ...beside } = schema;
  return $ref === undefined ? schema : addToAllOf(beside, { $ref });
}

function addToAllOf(schema: JsonSchemaObject, part: JsonSchemaObject): JsonSchemaObject {
  return { ...schema, allOf: [part, ...(schema.allOf ?? [])] };
}

/** Keywords that say nothing about other keywords, so that they hold beside those of a target. */
const limits = new Set(
  (
    'type enum const format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum ' +
    'multipleOf minItems maxItems uniqueItems minProperties maxProperties required dependentRequired'
  ).split(' '),
);

/** Whether a schema with the keywords of both accepts what each of them accepts. */
function canMergeInto(target: JsonSchemaObject, beside: JsonSchemaObject): boolean {
  return Object.keys(beside).every((keyword) => {
    if (ANNOTATIONS.has(keyword) || keyword.startsWith('x-')) return true;
    if (!limits.has(keyword)) return false;
    return target[keyword] === undefined || target[keyword] === beside[keyword];
  });
}

/** Keywords that check the same array. */
const inPlace = ['$ref', '$dynamicRef', 'contains', ...IN_PLACE];
