// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Makes values fit. Models often send an object, an array, a number or a boolean as a string that holds its JSON, or the reverse: this is
 * undone where the schema leaves no doubt. Of answers, what doesn't fit is moved out.
 */
import { hasTooManyMembers } from '../contract/count-members.ts';
import {
  type Json,
  type JsonObject,
  type JsonSchema,
  type JsonSchemaObject,
  escapePointerToken,
  unescapePointerToken,
} from '../contract/json-schema.ts';
import {
  type SchemaError,
  type SchemaHints,
  type Types,
  type TypesReader,
  alternativesReader,
} from './run.ts';
import {
  isRecord,
  getOwnMember,
  readJson,
  setOwnMember,
  getJsonType,
  writeJson,
} from '../contract/json-value.ts';
import { type SchemaNode, SchemaSet } from './schema-set.ts';

const deepest = 100;

const indexed = new WeakMap<object, SchemaSet>();

/**
 * Replaces strings by the JSON they hold, at any depth, where the schema allows no string but allows what the text
 * parses to: `"{\"a\":1}"` for an object, `"5"` for a number. A text is parsed once: JSON inside JSON inside a string
 * stays. An integer too large for a double becomes a `bigint`; one written with an exponent stays a string rather
 * than becoming another number. Numbers and objects become their JSON where the schema allows a string alone. A null
 * that an optional argument does not allow is dropped; members of arguments keep theirs.
 * Returns the same reference without a repair; never changes the input.
 * @throws SchemaDefect as `compileSchema` does.
 */
export function repairArguments(schema: JsonSchema, value: unknown): unknown {
  if (typeof schema === 'boolean') return value;
  const root = indexRootNode(schema);
  const reader = new SchemaHintsReader();
  const repaired = repairValue(value, root, reader, 0);
  return isRecord(repaired) ? dropNulls(repaired, root, reader) : repaired;
}

/** Nothing is evaluated here, so no closure is made. */
function indexRootNode(schema: JsonSchemaObject): SchemaNode {
  const set = indexed.get(schema) ?? new SchemaSet(schema, {}, () => () => true);
  indexed.set(schema, set);
  return set.root;
}

function dropNulls(
  value: Record<string, unknown>,
  guide: SchemaHints,
  reader: SchemaHintsReader,
): Record<string, unknown> {
  if (reader.isExhausted) return value;
  const names = Object.keys(value);
  if (!names.some((name) => value[name] === null)) return value;
  const nodes = reader.nodes(guide);
  const isDropped = (name: string): boolean => {
    if (value[name] !== null) return false;
    const declaring = nodes.filter((node) => node.getNamedSubnode('properties', name) !== undefined);
    return (
      declaring.some(({ keywords: { required } }) => !Array.isArray(required) || !required.includes(name)) &&
      !declaring.some((node) => reader.types(node.getNamedSubnode('properties', name) ?? node).has('null'))
    );
  };
  const kept = names.filter((name) => !isDropped(name));
  if (kept.length === names.length) return value;
  return Object.fromEntries(kept.map((name) => [name, value[name]]));
}

function repairValue(value: unknown, guide: SchemaHints, reader: SchemaHintsReader, depth: number): unknown {
  if (reader.isExhausted || depth > deepest) return value;
  if (typeof value === 'string') {
    const parsed = parseTextForTypes(reader.types(guide), value);
    return parsed === undefined ? value : repairValue(parsed, guide, reader, depth + 1);
  }
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'object' && Array.isArray(value)) return repairMembers(value, guide, reader, depth);
  const types = reader.types(guide);
  if (types.has('string') && !types.has(typeof value === 'object' ? 'object' : 'integer'))
    return writeJson(value);
  return typeof value === 'object' ? repairMembers(value, guide, reader, depth) : value;
}

function repairMembers(value: object, guide: SchemaHints, reader: SchemaHintsReader, depth: number): unknown {
  return changeMembers(value, guide, reader, (member, hints) =>
    repairValue(member, hints, reader, depth + 1),
  );
}

/** Copies the value if a member changes. Members without a schema stay. */
function changeMembers(
  value: object,
  guide: SchemaHints,
  reader: SchemaHintsReader,
  change: (member: unknown, hints: SchemaHints) => unknown,
): unknown {
  let copy: unknown[] | Record<string, unknown> | undefined;
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  // A value of more members than there are steps is not read: half a repair repairs nothing.
  if (!reader.spendStep(0, keys.length)) return value;
  for (const key of keys) {
    if (reader.isExhausted) break;
    const known = reader.hintsOfMember(guide, value, key);
    if (known === undefined) continue;
    const old: unknown = (value as Record<string | number, unknown>)[key];
    const changed = change(old, known);
    if (changed === old) continue;
    copy ??= Array.isArray(value) ? [...(value as unknown[])] : { ...value };
    setOwnMember(copy as Record<string, unknown>, String(key), changed);
  }
  return copy ?? value;
}

function parseTextForTypes(types: Types, text: string): unknown {
  if (types.has('string') || types.size === 0 || hasTooManyMembers(text)) return undefined;
  let parsed: unknown;
  try {
    parsed = readJson(text);
  } catch {
    return undefined;
  }
  const type = getJsonType(parsed);
  if (type === undefined || type === 'string' || !types.has(type)) return undefined;
  const isRounded = typeof parsed === 'number' && type === 'integer' && !Number.isSafeInteger(parsed);
  return isRounded ? undefined : parsed;
}

const everything: Types = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']);

/** Steps of a reader; past them, and deeper than `deepest` combinators, all is allowed. */
const budget = 50_000;

/** Never reads less than a schema really allows at a place, except the empty text, which no repair would change. */
class SchemaHintsReader implements TypesReader {
  readonly #types = new Map<SchemaNode, Types>();
  #left = budget;

  get isExhausted(): boolean {
    return this.#left <= 0;
  }

  types(guide: SchemaHints, depth = 0): Types {
    if (!this.spendStep(depth)) return everything;
    if ('every' in guide) return intersectTypes(guide.every.map((part) => this.types(part, depth + 1)));
    if ('some' in guide) return new Set(guide.some.flatMap((part) => [...this.types(part, depth + 1)]));
    if (typeof guide.schema === 'boolean') return guide.schema ? everything : new Set();
    const known = this.#types.get(guide);
    if (known !== undefined) return known;
    const applied = listApplied(guide).map((part) => this.types(part, depth + 1));
    const types = intersectTypes([typesAllowedByKeywords(guide.keywords), ...applied]);
    this.#types.set(guide, types);
    return types;
  }

  /** Lists the schemas that say something of one value, branches of alternatives too. */
  nodes(guide: SchemaHints, depth = 0): SchemaNode[] {
    if (!this.spendStep(depth)) return [];
    const parts = 'every' in guide ? guide.every : 'some' in guide ? guide.some : listApplied(guide);
    const inner = parts.flatMap((part) => this.nodes(part, depth + 1));
    return 'every' in guide || 'some' in guide ? inner : [guide, ...inner];
  }

  hintsOfMember(guide: SchemaHints, value: object, key: string | number, depth = 0): SchemaHints | undefined {
    if (!this.spendStep(depth)) return undefined;
    const hints = (part: SchemaHints): SchemaHints | undefined =>
      this.hintsOfMember(part, value, key, depth + 1);
    if ('every' in guide) return combineHints(guide.every.map(hints));
    if (!('some' in guide))
      return combineHints([declaredMember(guide, key), ...listApplied(guide).map(hints)]);
    const parts = guide.some.filter(
      (part) =>
        alternativesReader()?.mayAccept(part, value, this, depth + 1) ?? this.#mayBeOfType(part, value),
    );
    const some = parts.map(hints).filter((part) => part !== undefined);
    return some.length === parts.length && some.length > 0 ? { some } : undefined;
  }

  #mayBeOfType(part: SchemaHints, value: object): boolean {
    const type = getJsonType(value);
    return type !== undefined && this.types(part).has(type);
  }

  spendStep(depth: number, steps = 1): boolean {
    this.#left -= steps;
    return this.#left >= 0 && depth <= deepest;
  }
}

/** Conditions and `not` are ignored, since they allow no certain conclusion. */
export function listApplied(node: SchemaNode): SchemaHints[] {
  const alternatives = ['anyOf', 'oneOf'].map((keyword) => ({ some: node.nodesInList(keyword) }));
  const applied = [...node.nodesInList('allOf'), ...alternatives.filter(({ some }) => some.length > 0)];
  return node.ref === undefined ? applied : [node.ref, ...applied];
}

function typesAllowedByKeywords(schema: JsonSchemaObject): Types {
  const sets: Types[] = [everything];
  const { type, enum: values } = schema;
  if (type !== undefined) {
    const types = new Set([type].flat());
    sets.push(types.has('number') ? types.add('integer') : types);
  }
  if (Array.isArray(values)) sets.push(typesOfValues(values));
  const only = getOwnMember(schema, 'const');
  if (only !== undefined) sets.push(typesOfValues(only === '' ? [] : [only]));
  return intersectTypes(sets);
}

function typesOfValues(values: readonly unknown[]): Types {
  return new Set(values.map(getJsonType).filter((type) => type !== undefined));
}

function intersectTypes(sets: readonly Types[]): Types {
  return new Set([...everything].filter((type) => sets.every((set) => set.has(type))));
}

function combineHints(parts: readonly (SchemaHints | undefined)[]): SchemaHints | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length < 2 ? known[0] : { every: known };
}

/** Members matched by patterns are left alone. */
function declaredMember(node: SchemaNode, key: string | number): SchemaNode | undefined {
  if (typeof key === 'number') return node.nodesInList('prefixItems')[key] ?? node.getSubnode('items');
  const own = node.getNamedSubnode('properties', key);
  if (own !== undefined || node.keywords.patternProperties !== undefined) return own;
  return node.getSubnode('additionalProperties');
}

// Answers.

interface MovedMisfits {
  value: JsonObject;
  /** The values that were moved out of the answer, by JSON Pointer. */
  drifted: JsonObject;
}

/**
 * A copy that `validate` accepts: each fault costs the nearest property around it, in the second half of the rounds the
 * outermost one. Undefined if `rounds` are not enough.
 */
export function moveMisfits(
  whole: JsonObject,
  validate: (value: unknown) => SchemaError[],
  rounds: number,
): MovedMisfits | undefined {
  const value = structuredClone(whole);
  const moved = new Map<string, string[]>();
  for (let round = 0; round < rounds; round++) {
    const errors = validate(value);
    if (errors.length === 0) return { value, drifted: groupMovedByPath(whole, moved) };
    const before = moved.size;
    // All faults at once: several are usual, and validation costs most.
    for (const error of errors) {
      const path = removeInvalidProperty(value, error, round * 2 >= rounds);
      if (path !== undefined) moved.set(toJsonPointer(path), path);
    }
    if (moved.size === before) return undefined;
  }
  return validate(value).length === 0 ? { value, drifted: groupMovedByPath(whole, moved) } : undefined;
}

/** Groups moved members by their new path; one that moved whole takes along what had moved out of it. */
function groupMovedByPath(whole: JsonObject, moved: ReadonlyMap<string, string[]>): JsonObject {
  const values: JsonObject = {};
  for (const [pointer, path] of moved) {
    const isWithin = path.some((_, depth) => depth > 0 && moved.has(toJsonPointer(path.slice(0, depth))));
    if (!isWithin) values[pointer] = path.reduce<unknown>(getChild, whole) as Json;
  }
  return values;
}

function toJsonPointer(path: readonly string[]): string {
  return path.map((token) => `/${escapePointerToken(token)}`).join('');
}

/** Removes the property nearest to a fault from an answer. Returns its path, or undefined if none could be removed. */
function removeInvalidProperty(
  root: JsonObject,
  { instancePath, params }: SchemaError,
  isOutermost: boolean,
): string[] | undefined {
  const path = instancePath.split('/').slice(1).map(unescapePointerToken);
  const extra = params?.['additionalProperty'] ?? params?.['unevaluatedProperty'] ?? params?.['propertyName'];
  if (typeof extra === 'string') path.push(extra);
  for (let depth = isOutermost ? Math.min(1, path.length) : path.length; depth > 0; depth--) {
    const place = path.slice(0, depth);
    if (removeProperty(root, place)) return place;
  }
  return undefined;
}

/** Removes a member of an object. Returns false for an item, since an array without it would be another answer. */
function removeProperty(root: JsonObject, path: readonly string[]): boolean {
  const parent = path.slice(0, -1).reduce<unknown>(getChild, root);
  const name = path.at(-1);
  if (name === undefined || !isRecord(parent) || !Object.hasOwn(parent, name)) return false;
  return Reflect.deleteProperty(parent, name);
}

function getChild(parent: unknown, token: string): unknown {
  if (Array.isArray(parent)) return parent[Number(token)];
  return isRecord(parent) ? getOwnMember(parent, token) : undefined;
}
