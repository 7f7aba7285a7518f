/** What JSON has no word for in a result, told by the name of its member. */
import { nameOf } from '../schema/findings.ts';
import { writeJson } from '../contract/json-text.ts';

type Path = readonly (string | number)[];

/** A place in the result as people write it: `` `result.items[2].price` ``. */
export function placeInResult(path: Path): string {
  return nameOf(['result', ...path]);
}

/**
 * The JSON text of a result, or of a part of one; undefined for what has none.
 *
 * @throws {RangeError} for a number and a date that `JSON.stringify` would write as null
 */
export function writeSayable(value: unknown, path?: Path): string | undefined {
  const json: string | undefined = writeJson(value);
  if (json?.includes('null') === true) refuseUnsayable(value, path);
  return json;
}

/**
 * Refuses what `JSON.stringify` would write as null. The value has been written: it has no cycle.
 *
 * @throws {RangeError} that names the first of them
 */
export function refuseUnsayable(value: unknown, path: Path = []): void {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new RangeError(`${placeInResult(path)} is ${value}, which JSON can't say.`);
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof Date) refuseNoDate(value, path);
  if ('toJSON' in value) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) refuseUnsayable(item, [...path, index]);
  } else for (const [name, part] of Object.entries(value)) refuseUnsayable(part, [...path, name]);
}

/** @throws {RangeError} that names it */
export function refuseNoDate(date: Date, path: Path): void {
  if (Number.isNaN(date.getTime()))
    throw new RangeError(`${placeInResult(path)} is a date that does not exist.`);
}
