// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Leaves out members of arguments that only answers have. */
import type { ReadOnlyMembers } from '../contract/bindings.ts';
import { getOwnMember } from '../contract/json-value.ts';
import { matchesPattern } from './run.ts';

/** Models give back what they got. Returns the same reference if nothing is dropped. */
export function dropReadOnly<T>(value: T, members: ReadOnlyMembers | undefined): T {
  if (members === undefined || typeof value !== 'object' || value === null) return value;
  const { names = [], properties = {}, items, values, patterns = {} } = members;
  if (Array.isArray(value)) {
    const list = value.map((item: unknown) => dropReadOnly(item, items));
    return list.every((item, index) => item === value[index]) ? value : (list as T);
  }
  const entries = Object.entries(value);
  const kept = entries.flatMap(([name, each]): [string, unknown][] => {
    const matched = Object.keys(patterns).filter((source) => matchesPattern(source, name));
    if (names.includes(name) || matched.some((source) => patterns[source] === null)) return [];
    const known = [getOwnMember(properties, name), ...matched.map((source) => patterns[source] ?? undefined)];
    const own = known.filter((one) => one !== undefined);
    return [[name, (own.length === 0 ? [values] : own).reduce(dropReadOnly<unknown>, each)]];
  });
  const isSame = kept.length === entries.length && kept.every(([, each], at) => each === entries[at]?.[1]);
  return isSame ? value : (Object.fromEntries(kept) as T);
}
