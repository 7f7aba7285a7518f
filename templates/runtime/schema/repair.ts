// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Models often send an object, an array, a number or a boolean as a string that holds its JSON. This undoes it where
 * the schema leaves no doubt.
 */
import { type SchemaHints, SchemaHintsReader } from './schema-hints.ts';
import { setMember, typeOf } from '../contract/json-value.ts';
import type { JsonSchema, JsonType } from '../contract/json-schema.ts';
import { readJson } from '../contract/json-text.ts';
import { assertNoLoops, SchemaSet } from './schema-set.ts';

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
    const known = reader.member(guide, value, key);
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
  const type = typeOf(parsed);
  if (type === undefined || type === 'string' || !types.has(type)) return undefined;
  return typeof parsed === 'number' && type === 'integer' && !Number.isSafeInteger(parsed)
    ? undefined
    : parsed;
}
