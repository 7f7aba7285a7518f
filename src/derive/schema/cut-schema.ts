/**
 * Input schemas that are too large to list are cut: clients read a part, and the server checks arguments by the whole.
 * The part accepts whatever the whole accepts.
 */
import { getOwnMember } from '../../../templates/runtime/contract/json-value.ts';
import {
  type JsonSchema,
  type JsonSchemaObject,
  type ObjectSchema,
  escapePointerToken,
} from '../../../templates/runtime/contract/json-schema.ts';
import { forEachSubschema } from '../../model/schema-walk.ts';
import { omitUndefined } from '../../util/collections.ts';
import { MOST_VALUES, appendWords } from './cut-words.ts';
import { type Cut, CutRendering, LARGEST_INPUT } from './cut-rendering.ts';
import { toListedSchema } from './listed-schema.ts';

/** A schema with more than this is cut without writing it out first: such closures are megabytes. */
const PLAINLY_TOO_LARGE = 4 * LARGEST_INPUT;

interface ListedInput {
  schema: ObjectSchema;
  /** Whether the listed schema is cut: the server then needs the whole one, and clients a way to read it. */
  isCut: boolean;
}

const listedInputs = new WeakMap<ObjectSchema, ListedInput>();

/** `$defs` → what is beside them, as JSON → its form: tools that share a closure often have equal arguments. */
const ofEqual = new WeakMap<object, Map<string, ListedInput>>();

/** Returns the form in which clients are given an input schema, `LARGEST_INPUT` at most. */
export function cutInputForListing(whole: ObjectSchema): ListedInput {
  const listed = listedInputs.get(whole) ?? findListedInput(whole);
  listedInputs.set(whole, listed);
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
  let isComplex = $id !== undefined || $dynamicRef !== undefined || !/^#(?:$|\/)/.test($ref);
  forEachSubschema(schema, (part) => (isComplex ||= typeof part === 'object' && usesIdentifiers(part)));
  return isComplex;
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
  const sizeOf = (definition: JsonSchema): number =>
    typeof definition === 'boolean' ? 0 : measureCached(definition, () => jsonByteSize(definition));
  return measureCached($defs, () =>
    Object.values($defs).reduce((sum, definition) => sum + sizeOf(definition), 0),
  );
}

function measureCached(value: object, measure: () => number): number {
  let size = sizes.get(value);
  if (size === undefined) sizes.set(value, (size = measure()));
  return size;
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
  const rendered = new CutRendering(whole, cut).renderCutSchema();
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
    const alone = new CutRendering(
      { ...whole, properties: { [name]: getOwnMember(properties, name) ?? true } },
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

/** Estimated bytes of a member that is cut: with a description of what is missing, and without one. */
const CUT_NODE = 100;
const BARE_NODE = 30;

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
    const firstNames = names.slice(0, count);
    const fewer: ObjectSchema = {
      type,
      description: `${names.length - count} more arguments: describe_tool {name}.`,
      properties: Object.fromEntries(
        firstNames.map((name) => [name, getOwnMember(properties, name) ?? true]),
      ),
      required: firstNames.filter((name) => needed.has(name)),
      ...omitUndefined({ $defs }),
    };
    const listed = tryCut(fewer, cut);
    if (listed !== undefined) return listed;
  }
  return { type, description: 'Arguments: describe_tool {name}.' };
}
