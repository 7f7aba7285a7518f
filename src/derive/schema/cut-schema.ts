/**
 * Input schemas that are too large to list are cut: clients read a part, and the server checks arguments by the whole.
 * The part accepts whatever the whole accepts.
 */
import {
  type JsonSchema,
  type JsonSchemaObject,
  type JsonType,
  type ObjectSchema,
  escapePointerToken,
} from '../../../templates/runtime/contract/json-schema.ts';
import { getJsonType } from '../../../templates/runtime/contract/json-value.ts';
import {
  asSchemaObject,
  forEachSubschema,
  mapSubschemas,
  definitionNameOf,
  oneOfToAnyOf,
} from '../../model/schema-walk.ts';
import { omitUndefined } from '../../util/collections.ts';
import {
  MOST_VALUES,
  describeEnumValues,
  appendWords,
  describeToolCall,
  shortenDescription,
} from './cut-words.ts';
import { toListedSchema } from './listed-schema.ts';

/** Most bytes of JSON that a listed input schema has; a longer one is cut. */
export const LARGEST_INPUT = 16 * 1024;

/** A schema with more than this is cut without writing it out first: such closures are megabytes. */
const PLAINLY_TOO_LARGE = 4 * LARGEST_INPUT;

interface ListedInput {
  schema: ObjectSchema;
  /** Whether the listed schema is cut: the server then needs the whole one, and clients a way to read it. */
  isCut: boolean;
}

const known = new WeakMap<ObjectSchema, ListedInput>();

/** `$defs` → what is beside them, as JSON → its form: tools that share a closure often have equal arguments. */
const ofEqual = new WeakMap<object, Map<string, ListedInput>>();

/** Returns the form in which clients are given an input schema, `LARGEST_INPUT` at most. */
export function cutInputForListing(whole: ObjectSchema): ListedInput {
  let listed = known.get(whole);
  if (listed === undefined) known.set(whole, (listed = findListedInput(whole)));
  return listed;
}

function findListedInput(whole: ObjectSchema): ListedInput {
  const { $defs, ...top } = whole;
  const text = JSON.stringify(top);
  const size = Buffer.byteLength(text);
  if ($defs === undefined) return makeListedInput(whole, size);
  const equal = ofEqual.get($defs) ?? new Map<string, ListedInput>();
  ofEqual.set($defs, equal);
  const listed = equal.get(text) ?? makeListedInput(whole, size + measureDefinitions($defs));
  equal.set(text, listed);
  return listed;
}

function makeListedInput(whole: ObjectSchema, size: number): ListedInput {
  const { $id, ...unnamed } = whole;
  if (size <= PLAINLY_TOO_LARGE) {
    const schema = toListedSchema(whole);
    if (isWithinLimit(schema)) return { schema, isCut: false };
  }
  if ($id === undefined) return { schema: cutToLimit(whole), isCut: true };
  // A part that is cut may be the one that a reference by the URI leads to.
  if (usesIdentifiers(unnamed)) return { schema: whole, isCut: false };
  return { schema: cutToLimit(unnamed), isCut: true };
}

function usesIdentifiers({ $id, $ref = '#', $dynamicRef, ...schema }: JsonSchemaObject): boolean {
  let found = $id !== undefined || $dynamicRef !== undefined || !/^#(?:$|\/)/.test($ref);
  forEachSubschema(schema, (part) => (found ||= typeof part === 'object' && usesIdentifiers(part)));
  return found;
}

function isWithinLimit(schema: JsonSchema): boolean {
  return jsonByteSize(schema) <= LARGEST_INPUT;
}

function jsonByteSize(schema: JsonSchema): number {
  return Buffer.byteLength(JSON.stringify(schema));
}

const sizes = new WeakMap<object, number>();

/** Tools share `$defs` and their members, so each is measured once. */
function estimateSize({ $defs = {}, ...top }: ObjectSchema): number {
  return jsonByteSize(top) + measureDefinitions($defs);
}

function measureDefinitions($defs: Record<string, JsonSchema>): number {
  const sizeOf = (each: JsonSchema): number =>
    typeof each === 'boolean' ? 0 : measureCached(each, () => jsonByteSize(each));
  return measureCached($defs, () => Object.values($defs).reduce((sum, each) => sum + sizeOf(each), 0));
}

function measureCached(value: object, measure: () => number): number {
  let size = sizes.get(value);
  if (size === undefined) sizes.set(value, (size = measure()));
  return size;
}

/** A cut leaves these out, in the order of their worth: each keeps those before it. */
interface Cut {
  /** Leaves out descriptions at this level and below it. */
  described: number;
  /** Enums of more values become words. */
  values: number;
  /** Leaves out the schemas of optional members below this level, with all that is in them. */
  optional: number;
  /** Leaves out the schemas of required members below this level, with all that is in them. */
  required: number;
  /** Arguments that are cut whole. */
  whole: ReadonlySet<string>;
  /** Cut members keep their types alone. */
  bare: boolean;
}

const ALL = Infinity;
const SECOND_LEVEL = 3;
const DEEPEST = 12;

function cutToLimit(whole: ObjectSchema): ObjectSchema {
  const cut: Cut = {
    described: ALL,
    values: ALL,
    optional: ALL,
    required: ALL,
    whole: new Set(),
    bare: false,
  };
  const described: Cut = { ...cut, described: SECOND_LEVEL };
  const counted: Cut = { ...described, values: MOST_VALUES };
  // A huge schema does not fit even without its descriptions, so that cut is not tried.
  const isHuge = estimateSize(whole) > PLAINLY_TOO_LARGE;
  const inWords = isHuge ? undefined : tryCut(whole, described);
  if (inWords !== undefined) return tryCut(whole, cut) ?? inWords;
  return (
    (isHuge ? undefined : tryCut(whole, counted)) ??
    findDeepestCut(whole, (level) => ({ ...counted, optional: level })) ??
    findDeepestCut(whole, (level) => ({ ...counted, optional: 1, required: level })) ??
    cutLargestArguments(whole, { ...counted, optional: 1, required: 1 })
  );
}

function tryCut(whole: ObjectSchema, cut: Cut): ObjectSchema | undefined {
  const rendered = new Rendering(whole, cut).renderCutSchema();
  const listed = rendered && toListedSchema(rendered);
  return listed !== undefined && isWithinLimit(listed) ? listed : undefined;
}

/** Finds the cut that goes as deep as possible: a large closure fits only at its first levels. */
function findDeepestCut(whole: ObjectSchema, at: (level: number) => Cut): ObjectSchema | undefined {
  let best: ObjectSchema | undefined;
  for (let level = 1; level <= DEEPEST; level += 1) {
    const next = tryCut(whole, at(level));
    if (next === undefined) break;
    best = next;
  }
  return best;
}

/** Cuts the largest arguments, required ones too, then the words of cut ones; then leaves arguments out. */
function cutLargestArguments(whole: ObjectSchema, cut: Cut): ObjectSchema {
  const { properties = {}, description } = whole;
  const names = Object.keys(properties);
  const sized = names.map((name) => {
    const alone = new Rendering(
      { ...whole, properties: { [name]: properties[name] ?? true } },
      cut,
    ).renderCutSchema();
    return { name, size: alone === undefined ? LARGEST_INPUT : jsonByteSize(alone) };
  });
  const order = sized.toSorted((one, other) => other.size - one.size);
  const bare: Cut = { ...cut, bare: true };
  // Bare members do not say where the rest is.
  const words = appendWords(description, 'More of the arguments: describe_tool {name}.');
  return (
    cutInOrder(whole, cut, order) ??
    cutInOrder({ ...whole, description: words }, bare, order) ??
    dropOptionalArguments(whole, { ...bare, whole: new Set(names.map(pathOfArgument)) })
  );
}

/** Cuts one argument after the other, until the others fit. */
function cutInOrder(
  whole: ObjectSchema,
  cut: Cut,
  order: readonly { name: string; size: number }[],
): ObjectSchema | undefined {
  let total = order.reduce((sum, { size }) => sum + size, 0);
  const gone = new Set<string>();
  for (const { name, size } of order) {
    gone.add(pathOfArgument(name));
    total -= size - (cut.bare ? BARE_NODE : CUT_NODE);
    if (total > LARGEST_INPUT) continue;
    const less = tryCut(whole, { ...cut, whole: gone });
    if (less !== undefined) return less;
  }
  return undefined;
}

function pathOfArgument(name: string): string {
  return `/${escapePointerToken(name)}`;
}

/** Optional arguments go first. The listed schema is then open: the server still knows them all. */
function dropOptionalArguments(whole: ObjectSchema, cut: Cut): ObjectSchema {
  const { properties = {}, required = [], $defs, type } = whole;
  const needed = new Set(required);
  const names = Object.keys(properties).toSorted((a, b) => Number(needed.has(b)) - Number(needed.has(a)));
  for (let count = Math.floor(names.length / 2); count > 0; count = Math.floor(count / 2)) {
    const kept = names.slice(0, count);
    const fewer: ObjectSchema = {
      type,
      description: `${names.length - count} more arguments: describe_tool {name}.`,
      properties: Object.fromEntries(kept.map((name) => [name, properties[name] ?? true])),
      required: kept.filter((name) => needed.has(name)),
      ...omitUndefined({ $defs }),
    };
    const listed = tryCut(fewer, cut);
    if (listed !== undefined) return listed;
  }
  return { type, description: 'Arguments: describe_tool {name}.' };
}

interface Place {
  /** Depth of the place below the top of the schema, which is 0. */
  level: number;
  /** A JSON Pointer over arguments; `*` for items and for members of any name. */
  path: string;
  isRequired: boolean;
}

/** Estimated bytes of a member that is cut: with a description of what is missing, and without one. */
const CUT_NODE = 100;
const BARE_NODE = 30;

/** A sketch of more characters is not finished: written as JSON, it never fits. */
const MOST_CHARACTERS = 1.5 * LARGEST_INPUT;

class Rendering {
  readonly #top: JsonSchemaObject;
  readonly #defs: Record<string, JsonSchema>;
  readonly #cut: Cut;
  /** Targets that are still referred to, each at the place nearest to the top. */
  readonly #open = new Map<string, Place>();
  readonly #done = new Map<string, JsonSchema>();
  #count = 0;

  constructor({ $defs = {}, ...top }: ObjectSchema, cut: Cut) {
    this.#top = top;
    this.#defs = $defs;
    this.#cut = cut;
  }

  /** Writes the cut schema; undefined if it plainly doesn't fit. */
  renderCutSchema(): ObjectSchema | undefined {
    const top = this.#renderKeywords(this.#top, { level: 0, path: '', isRequired: true }) as ObjectSchema;
    for (let next = this.#nearestOpen(); next !== undefined; next = this.#nearestOpen()) {
      const [name, place] = next;
      this.#open.delete(name);
      this.#done.set(name, this.#renderKeywords(asSchemaObject(this.#defs[name] ?? true), place));
      if (this.#count > MOST_CHARACTERS) return undefined;
    }
    if (this.#count > MOST_CHARACTERS) return undefined;
    return this.#done.size === 0 ? top : { ...top, $defs: Object.fromEntries(this.#done) };
  }

  #nearestOpen(): [string, Place] | undefined {
    let nearest: [string, Place] | undefined;
    for (const entry of this.#open)
      if (nearest === undefined || entry[1].level < nearest[1].level) nearest = entry;
    return nearest;
  }

  #renderSchema(schema: JsonSchema, place: Place): JsonSchema {
    if (typeof schema === 'boolean') return schema;
    if (this.#count > MOST_CHARACTERS) return true;
    const own = this.#mustBeCut(schema, place)
      ? this.#renderCut(schema, place)
      : this.#renderKeywords(schema, place);
    this.#count += estimateLength(own);
    return own;
  }

  #mustBeCut(schema: JsonSchemaObject, { level, path, isRequired }: Place): boolean {
    if (level === 1 && this.#cut.whole.has(path)) return true;
    const deepest = isRequired ? this.#cut.required : this.#cut.optional;
    return level > deepest && hasSubschemas(schema);
  }

  #renderKeywords(schema: JsonSchemaObject, place: Place): JsonSchemaObject {
    const own = this.#dropWords(widenSchema(schema), place);
    const { $ref, properties, ...rest } = own;
    this.#noteReference(definitionNameOf($ref), place);
    const mapped = mapSubschemas(rest, (subschema, keyword) =>
      this.#renderSchema(subschema, placeBehindKeyword(keyword, place)),
    );
    if (properties === undefined) return { ...own, ...mapped };
    const required = new Set(own.required);
    const members = Object.entries(properties).map(([name, member]): [string, JsonSchema] => {
      const path = `${place.path}/${escapePointerToken(name)}`;
      const isRequired = place.isRequired && required.has(name);
      return [name, this.#renderSchema(member, { level: place.level + 1, path, isRequired })];
    });
    return { ...own, ...mapped, properties: Object.fromEntries(members) };
  }

  #noteReference(name: string | undefined, place: Place): void {
    if (name === undefined || this.#done.has(name)) return;
    const before = this.#open.get(name);
    if (before === undefined || before.level > place.level) this.#open.set(name, place);
  }

  #dropWords(schema: JsonSchemaObject, { level, path }: Place): JsonSchemaObject {
    const { description, enum: values = [], ...kept } = schema;
    const isSaid = level < this.#cut.described;
    if (values.length <= this.#cut.values) {
      if (isSaid || description === undefined) return schema;
      return schema.enum === undefined ? kept : { ...kept, enum: schema.enum };
    }
    const words = appendWords(isSaid ? description : undefined, describeEnumValues(values, path));
    return { ...schemaOfTypes(kept.type ?? typesOfValues(values)), ...kept, description: words };
  }

  #renderCut(schema: JsonSchemaObject, { level, path }: Place): JsonSchemaObject {
    const type = this.#typesAccepted(schema, new Set());
    const node: JsonSchemaObject =
      type === undefined || Array.isArray(schema.type) ? omitUndefined({ type }) : schemaOfTypes(type);
    if (this.#cut.bare) return node;
    const said = level < this.#cut.described ? shortenDescription(schema.description) : undefined;
    node.description = appendWords(said, `${describeToolCall(path)}.`);
    return node;
  }

  /** Lists the JSON types that the schema accepts; undefined if it does not say. */
  #typesAccepted(schema: JsonSchema, seen: Set<string>): JsonSchemaObject['type'] {
    if (typeof schema === 'boolean') return undefined;
    const { type, $ref, allOf = [], anyOf, oneOf } = schema;
    if (type !== undefined) return type;
    const name = definitionNameOf($ref);
    if (name !== undefined && !seen.has(name))
      return this.#typesAccepted(this.#defs[name] ?? true, seen.add(name));
    const parts = allOf.map((part) => this.#typesAccepted(part, seen));
    const stated = parts.find((part) => part !== undefined);
    if (stated !== undefined) return stated;
    const alternatives = (anyOf ?? oneOf ?? []).map((part) => this.#typesAccepted(part, seen));
    if (alternatives.length === 0 || alternatives.includes(undefined)) return undefined;
    const types = [...new Set(alternatives.flatMap((each) => each ?? []))];
    return types.length === 1 ? types[0] : types;
  }
}

/** Estimates a schema's length, without the schemas in it. */
function estimateLength({
  description = '',
  enum: values = [],
  properties,
  required,
}: JsonSchemaObject): number {
  const names = properties === undefined ? 0 : Object.keys(properties).join().length;
  return 20 + description.length + 6 * values.length + names + (required?.join().length ?? 0);
}

/**
 * Leaves out keywords by which a schema refuses more when a part of it accepts more; one of several
 * alternatives becomes any of them. Examples go first.
 */
function widenSchema(schema: JsonSchemaObject): JsonSchemaObject {
  if (!Object.keys(schema).some((keyword) => NARROWING.has(keyword))) return oneOfToAnyOf(schema);
  const entries = Object.entries(schema).filter(([keyword]) => !NARROWING.has(keyword));
  return oneOfToAnyOf(Object.fromEntries(entries) as JsonSchemaObject);
}

const NARROWING = new Set([
  ...['not', 'if', 'then', 'else', 'maxContains'],
  ...['unevaluatedProperties', 'unevaluatedItems', 'examples'],
]);

const OF_ITEMS = new Set(['items', 'prefixItems', 'contains']);
const OF_MEMBERS = new Set(['additionalProperties', 'patternProperties']);

function placeBehindKeyword(keyword: string, { level, path, isRequired }: Place): Place {
  if (OF_ITEMS.has(keyword)) return { level: level + 1, path: `${path}/*`, isRequired };
  if (OF_MEMBERS.has(keyword)) return { level: level + 1, path: `${path}/*`, isRequired: false };
  return { level, path, isRequired };
}

/** Whether cutting it saves room: a schema without subschemas is shorter than the note of the cut. */
function hasSubschemas(schema: JsonSchemaObject): boolean {
  let found = schema.$ref !== undefined;
  forEachSubschema(schema, (subschema) => {
    found ||= typeof subschema === 'object' && Object.keys(subschema).length > 0;
  });
  return found;
}

/** Clients that refuse lists of types take alternatives. */
function schemaOfTypes(type: JsonType | readonly JsonType[]): JsonSchemaObject {
  const [only, ...others] = [type].flat();
  if (only === undefined) return {};
  return others.length === 0 ? { type: only } : { anyOf: [only, ...others].map((each) => ({ type: each })) };
}

function typesOfValues(values: readonly unknown[]): JsonType[] {
  const types = values.flatMap((value) => getJsonType(value) ?? []);
  return [...new Set(types.map((type) => (type === 'integer' ? 'number' : type)))];
}
