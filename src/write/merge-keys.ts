/** A three-way merge of JSON objects, key by key. */
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../templates/runtime/contract/json-value.ts';

export type JsonObject = Record<string, unknown>;

export interface KeyMerge {
  value: JsonObject;
  /** Keys (`scripts.build`) that both sides have changed; the user's stand. */
  kept: string[];
}

/** The order of keys is no difference. */
export function sameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other);
}

/**
 * What the user has changed since `base` stays, the rest is as it is generated now. Lists are values. The user's keys keep
 * their order, new ones follow.
 */
export function mergeKeys(base: JsonObject, mine: JsonObject, theirs: JsonObject): KeyMerge {
  const kept: string[] = [];
  return { value: mergeObjects(base, mine, theirs, '', kept), kept };
}

function mergeObjects(
  base: JsonObject,
  mine: JsonObject,
  theirs: JsonObject,
  path: string,
  kept: string[],
): JsonObject {
  const keys = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
  const members = [...keys].flatMap((key): [string, unknown][] => {
    const sides = [base, mine, theirs].map((side) => member(side, key));
    const value = mergeValues(sides[0], sides[1], sides[2], `${path}${key}`, kept);
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(members);
}

/** `undefined`: there is no such key. */
function mergeValues(base: unknown, mine: unknown, theirs: unknown, path: string, kept: string[]): unknown {
  if (sameJson(mine, theirs) || sameJson(theirs, base)) return mine;
  if (sameJson(mine, base)) return theirs;
  const isGone = theirs === undefined && isRecord(base);
  if (!isRecord(mine) || !(isGone || isRecord(theirs))) {
    kept.push(path);
    return mine;
  }
  const merged = mergeObjects(orNone(base), mine, orNone(theirs), `${path}.`, kept);
  return isGone && Object.keys(merged).length === 0 ? undefined : merged;
}

function orNone(value: unknown): JsonObject {
  return isRecord(value) ? value : {};
}

function member(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
