/** A three-way merge of JSON objects, key by key. */
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../templates/runtime/contract/json-value.ts';

export type JsonObject = Record<string, unknown>;

/**
 * Keeps the user's changes since `base`, and takes the rest from the generated object. Lists are merged as a whole. The user's
 * keys keep their order; new ones follow. `kept` are keys (`scripts.build`) that both sides have changed, and that stay the user's.
 */
export function mergeKeys(
  base: JsonObject,
  mine: JsonObject,
  theirs: JsonObject,
): { value: JsonObject; kept: string[] } {
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
    const [before, own, other] = [member(base, key), member(mine, key), member(theirs, key)];
    const value = mergeValues(before, own, other, `${path}${key}`, kept);
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(members);
}

/** `undefined` stands for a missing key. */
function mergeValues(base: unknown, mine: unknown, theirs: unknown, path: string, kept: string[]): unknown {
  if (isDeepStrictEqual(mine, theirs) || isDeepStrictEqual(theirs, base)) return mine;
  if (isDeepStrictEqual(mine, base)) return theirs;
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
