// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Leaves out members of arguments that only answers have. */
import type { ReadOnlyMembers } from '../contract/bindings.ts';
import { getOwnMember } from '../contract/json-value.ts';
import { makePattern } from '../contract/patterns.ts';
import { Halt, Run, defaultLimits } from './run.ts';

/** Models give back what they got. Returns the same reference if nothing is dropped, or if it takes too much work to find out. */
export function dropReadOnly<T>(value: T, members: ReadOnlyMembers | undefined): T {
  try {
    return dropMembers(value, members, new Run(defaultLimits));
  } catch (error) {
    if (error instanceof Halt) return value;
    throw error;
  }
}

function dropMembers<T>(value: T, members: ReadOnlyMembers | undefined, run: Run): T {
  if (members === undefined || typeof value !== 'object' || value === null) return value;
  const { names = [], properties = {}, items, values, patterns = {} } = members;
  if (Array.isArray(value)) {
    run.spendSteps(value.length);
    const list = value.map((item: unknown) => dropMembers(item, items, run));
    return list.every((item, index) => item === value[index]) ? value : (list as T);
  }
  const record = value as Record<string, unknown>;
  const tests = Object.entries(patterns).map(([source, inner]) => ({ pattern: makePattern(source), inner }));
  const all = Object.keys(record);
  // A value of more members than there are steps is not read.
  run.spendSteps(all.length * (1 + tests.length));
  /** Undefined for a member that is dropped. */
  const changes = new Map<string, unknown>();
  for (const name of all) {
    const matched = tests.filter(({ pattern }) => pattern.test(name, run));
    if (names.includes(name) || matched.some(({ inner }) => inner === null)) {
      changes.set(name, undefined);
      continue;
    }
    const known = [getOwnMember(properties, name), ...matched.map(({ inner }) => inner ?? undefined)];
    const inside = known.filter((one) => one !== undefined);
    const change = (member: unknown, inner: ReadOnlyMembers | undefined) => dropMembers(member, inner, run);
    const changed = (inside.length === 0 ? [values] : inside).reduce(change, record[name]);
    if (changed !== record[name]) changes.set(name, changed);
  }
  if (changes.size === 0) return value;
  const kept = all.map((name): [string, unknown] => [
    name,
    changes.has(name) ? changes.get(name) : record[name],
  ]);
  return Object.fromEntries(kept.filter(([, member]) => member !== undefined)) as T;
}
