// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Models often send an object, an array, a number or a boolean as a string that holds its JSON. This undoes it where
 * the schema leaves no doubt.
 */
import {
  type JsonSchema,
  type JsonSchemaObject,
  type JsonType,
  subschemaAt,
  subschemaList,
  subschemaMap,
} from '../contract/json-schema.ts';
import {
  isEqual,
  isRecord,
  member,
  memberNames,
  readJson,
  setMember,
  readJsonType,
} from '../contract/json-value.ts';
import { type SchemaNode, SchemaSet, assertNoLoops } from './schema-set.ts';

/** Levels of a value that are looked at. */
const deepest = 100;

const indexed = new WeakMap<object, SchemaSet>();

/**
 * Replaces strings by the JSON they hold, at any depth, where the schema allows no string but allows what the
 * text parses to: `"{\"a\":1}"` for an object, `"[1]"` for an array, `"5"` for a number or an integer, `"true"`
 * for a boolean, `"null"` for null. A text is parsed once: JSON inside JSON inside a string stays. An integer too large
 * for a double becomes a `bigint`; one written with an exponent stays a string rather than becoming another number.
 *
 * A place that may hold a string is never touched, so a valid value comes back as it is. The input is not
 * changed; without a repair the same reference comes back.
 *
 * @throws SchemaDefect as `compileSchema` does.
 */
export function repairArguments(schema: JsonSchema, value: unknown): unknown {
  if (typeof schema === 'boolean') return value;
  const set = indexed.get(schema) ?? index(schema);
  return repair(value, set.root, new SchemaHintsReader(set), 0);
}

function index(schema: JsonSchema & object): SchemaSet {
  // Nothing is evaluated here, so the closures are never asked for.
  const set = new SchemaSet(schema, {}, () => () => true);
  assertNoLoops(set);
  indexed.set(schema, set);
  return set;
}

function repair(value: unknown, guide: SchemaHints, reader: SchemaHintsReader, depth: number): unknown {
  if (reader.isExhausted || depth > deepest) return value;
  if (typeof value === 'string') {
    const parsed = parseFor(reader.types(guide), value);
    return parsed === undefined ? value : repair(parsed, guide, reader, depth + 1);
  }
  if (typeof value !== 'object' || value === null) return value;
  return repairMembers(value, guide, reader, depth);
}

/** Copies the container only when a member changes. */
function repairMembers(value: object, guide: SchemaHints, reader: SchemaHintsReader, depth: number): unknown {
  let copy: unknown[] | Record<string, unknown> | undefined;
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  for (const key of keys) {
    const known = reader.memberHints(guide, value, key);
    if (known === undefined) continue;
    const old: unknown = (value as Record<string | number, unknown>)[key];
    const repaired = repair(old, known, reader, depth + 1);
    if (repaired === old) continue;
    copy ??= Array.isArray(value) ? [...(value as unknown[])] : { ...value };
    setMember(copy as Record<string, unknown>, String(key), repaired);
  }
  return copy ?? value;
}

/** Reads the text as JSON, if its value is allowed and a string is not. */
function parseFor(types: ReadonlySet<JsonType>, text: string): unknown {
  if (types.has('string') || types.size === 0) return undefined;
  let parsed: unknown;
  try {
    parsed = readJson(text);
  } catch {
    return undefined;
  }
  const type = readJsonType(parsed);
  if (type === undefined || type === 'string' || !types.has(type)) return undefined;
  return typeof parsed === 'number' && type === 'integer' && !Number.isSafeInteger(parsed)
    ? undefined
    : parsed;
}

/** Schemas that apply to one value: all of the parts, or one at least. */
type SchemaHints = SchemaNode | { every: readonly SchemaHints[] } | { some: readonly SchemaHints[] };

/** `number` always comes with `integer`. */
type Types = ReadonlySet<JsonType>;

const everything: Types = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']);

/** Steps one reader takes, and combinators inside one another it looks through; past either, all is allowed. */
const budget = 50_000;
const deepestHints = 100;

/**
 * Reads loosely what a schema allows at a place: never less than it really allows, except the empty text, which no
 * repair would change. It repairs values and never judges them.
 */
class SchemaHintsReader {
  readonly #set: SchemaSet;
  readonly #types = new Map<SchemaNode, Types>();
  #left = budget;

  constructor(set: SchemaSet) {
    this.#set = set;
  }

  /** Whether there is no budget left; answers then allow everything. */
  get isExhausted(): boolean {
    return this.#left <= 0;
  }

  /** The types a value may have. */
  types(guide: SchemaHints, depth = 0): Types {
    if (--this.#left < 0 || depth > deepestHints) return everything;
    if ('every' in guide) return intersection(guide.every.map((part) => this.types(part, depth + 1)));
    if ('some' in guide) return new Set(guide.some.flatMap((part) => [...this.types(part, depth + 1)]));
    const known = this.#types.get(guide);
    if (known !== undefined) return known;
    const types = this.#typesOf(guide, depth);
    this.#types.set(guide, types);
    return types;
  }

  #typesOf(node: SchemaNode, depth: number): Types {
    if (typeof node.schema === 'boolean') return node.schema ? everything : new Set();
    return intersection([
      ownTypes(node.schema),
      ...this.#applied(node).map((part) => this.types(part, depth + 1)),
    ]);
  }

  /** Hints for a member of `value`; undefined when there are none. */
  memberHints(guide: SchemaHints, value: object, key: string | number, depth = 0): SchemaHints | undefined {
    if (--this.#left < 0 || depth > deepestHints) return undefined;
    if ('every' in guide)
      return every(guide.every.map((part) => this.memberHints(part, value, key, depth + 1)));
    if ('some' in guide) {
      const parts = guide.some.filter((part) => this.#mayHold(part, value, depth + 1));
      const found = parts
        .map((part) => this.memberHints(part, value, key, depth + 1))
        .filter((part) => part !== undefined);
      return found.length === parts.length && found.length > 0 ? { some: found } : undefined;
    }
    const applied = this.#applied(guide).map((part) => this.memberHints(part, value, key, depth + 1));
    return every([...declared(guide, key, this.#set), ...applied]);
  }

  /** Whether a branch can be the one that is meant, judged by type, tags and names of members. */
  #mayHold(guide: SchemaHints, value: object, depth: number): boolean {
    if (--this.#left < 0 || depth > deepestHints) return true;
    if ('every' in guide) return guide.every.every((part) => this.#mayHold(part, value, depth + 1));
    if ('some' in guide) return guide.some.some((part) => this.#mayHold(part, value, depth + 1));
    const type = readJsonType(value);
    if (type === undefined || !this.types(guide).has(type)) return false;
    if (isRecord(value) && !fitsMembers(guide.schema, value)) return false;
    return this.#applied(guide).every((part) => this.#mayHold(part, value, depth + 1));
  }

  /**
   * Hints of `$ref`, `allOf`, `anyOf` and `oneOf`. Conditions and `not` are ignored, since they allow no certain
   * conclusion.
   */
  #applied(node: SchemaNode): SchemaHints[] {
    const { schema } = node;
    if (typeof schema === 'boolean') return [];
    const list = (keyword: string): SchemaHints[] =>
      subschemaList(schema, keyword).map((found) => this.#set.node(found.schema, node, found.step));
    const alternatives = ['anyOf', 'oneOf'].map(list).filter(({ length }) => length > 0);
    const target = this.#set.target(node, '$ref');
    return [
      ...(target === undefined ? [] : [target.node]),
      ...list('allOf'),
      ...alternatives.map((some) => ({ some })),
    ];
  }
}

function ownTypes(schema: JsonSchemaObject): Types {
  const sets: Types[] = [everything];
  const { type, enum: values } = schema;
  if (type !== undefined) {
    const types = new Set(Array.isArray(type) ? type : [type]);
    sets.push(types.has('number') ? types.add('integer') : types);
  }
  if (Array.isArray(values)) sets.push(typesOfValues(values));
  const only = member(schema, 'const');
  if (only !== undefined) sets.push(typesOfValues(only === '' ? [] : [only]));
  return intersection(sets);
}

function typesOfValues(values: readonly unknown[]): Types {
  return new Set(values.map(readJsonType).filter((type) => type !== undefined));
}

function intersection(sets: readonly Types[]): Types {
  return new Set([...everything].filter((type) => sets.every((set) => set.has(type))));
}

/** Combines the parts that are defined; undefined when none is. */
function every(parts: readonly (SchemaHints | undefined)[]): SchemaHints | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length < 2 ? known[0] : { every: known };
}

/** The schemas a schema object itself has for a member. Members matched by patterns are left alone. */
function declared(node: SchemaNode, key: string | number, set: SchemaSet): SchemaHints[] {
  const { schema } = node;
  if (typeof schema === 'boolean') return [];
  if (typeof key === 'number') {
    const prefix = subschemaList(schema, 'prefixItems');
    const found = key < prefix.length ? prefix.slice(key, key + 1) : subschemaAt(schema, 'items');
    return found.map((item) => set.node(item.schema, node, item.step));
  }
  const own = subschemaMap(schema, 'properties').filter(({ name }) => name === key);
  if (own.length > 0) return own.map(({ entry }) => set.node(entry.schema, node, entry.step));
  if (schema.patternProperties !== undefined) return [];
  return subschemaAt(schema, 'additionalProperties').map((item) => set.node(item.schema, node, item.step));
}

/** Whether an object has what the schema requires, no more than it allows, and its `const` and `enum` members. */
function fitsMembers(schema: SchemaNode['schema'], value: Record<string, unknown>): boolean {
  if (typeof schema === 'boolean') return schema;
  const { required, additionalProperties, patternProperties } = schema;
  if (Array.isArray(required) && !required.every((name) => member(value, name) !== undefined)) return false;
  const properties = new Map(
    subschemaMap(schema, 'properties').map(({ name, entry }) => [name, entry.schema]),
  );
  return memberNames(value).every((name) => {
    const property = properties.get(name);
    if (property === undefined) return additionalProperties !== false || patternProperties !== undefined;
    return typeof property === 'boolean' ? property : fitsTag(property, value[name]);
  });
}

function fitsTag(property: JsonSchemaObject, value: unknown): boolean {
  const only = member(property, 'const');
  if (only !== undefined && !isEqual(only, value)) return false;
  return !Array.isArray(property.enum) || property.enum.some((item) => isEqual(item, value));
}
