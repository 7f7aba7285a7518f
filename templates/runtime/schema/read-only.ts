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
  const keys = Object.keys(record);
  // A value of more members than there are steps is not read.
  run.spendSteps(keys.length * (1 + tests.length));
  const change = (member: unknown, inner: ReadOnlyMembers | undefined) => dropMembers(member, inner, run);
  /** Undefined for a member that is dropped. */
  const changes = new Map<string, unknown>();
  for (const name of keys) {
    const matching = tests.filter(({ pattern }) => pattern.test(name, run));
    if (names.includes(name) || matching.some(({ inner }) => inner === null)) {
      changes.set(name, undefined);
      continue;
    }
    const nested = [getOwnMember(properties, name), ...matching.map(({ inner }) => inner ?? undefined)];
    const parts = nested.filter((part) => part !== undefined);
    const member = (parts.length === 0 ? [values] : parts).reduce(change, record[name]);
    if (member !== record[name]) changes.set(name, member);
  }
  if (changes.size === 0) return value;
  const entries = keys.map((name) => [name, changes.has(name) ? changes.get(name) : record[name]] as const);
  return Object.fromEntries(entries.filter(([, member]) => member !== undefined)) as T;
}
