/** Equality of JSON on two sides. Tools share definitions, so each pair of objects is compared once. */
import { getOwnMember } from '../../templates/runtime/contract/json-value.ts';
import { definitionNameOf } from '../../templates/runtime/contract/json-schema.ts';
import type { JsonSchema } from '../../templates/runtime/contract/json-schema.ts';
import { collectRefs } from '../model/schema-walk.ts';

type Named = Readonly<Record<string, JsonSchema>>;

const equals = new WeakMap<object, object>();

/** The order of members does not count, and a member that is `undefined` is none. */
export function areEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other)) return false;
  if (equals.get(one) === other) return true;
  const found = Array.isArray(one) ? haveSameItems(one, other) : haveSameMembers(one, other);
  if (found) equals.set(one, other);
  return found;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function haveSameItems(one: readonly unknown[], other: object): boolean {
  return (
    Array.isArray(other) &&
    one.length === other.length &&
    one.every((item, index) => areEqual(item, other[index]))
  );
}

function haveSameMembers(one: object, other: object): boolean {
  if (Array.isArray(other)) return false;
  const members = definedEntries(one);
  const others = new Map(definedEntries(other));
  return (
    members.length === others.size &&
    members.every(([name, value]) => others.has(name) && areEqual(value, others.get(name)))
  );
}

function definedEntries(object: object): [string, unknown][] {
  return Object.entries(object).filter(([, value]) => value !== undefined);
}

/** Finds the names of definitions that differ, or refer to one that does. */
export function findChangedDefinitions(before: Named = {}, after: Named = {}): ReadonlySet<string> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = new Set([...names].filter((name) => !areEqual(before[name], getOwnMember(after, name))));
  if (changed.size === 0) return changed;
  const users = new Map<string, string[]>();
  for (const [user, schema] of Object.entries(before)) {
    for (const name of listReferencedNames(schema)) {
      const known = users.get(name);
      if (known === undefined) users.set(name, [user]);
      else known.push(user);
    }
  }
  // A set is iterated with what is added meanwhile.
  for (const name of changed) for (const user of users.get(name) ?? []) changed.add(user);
  return changed;
}

/** Whether two schemas are equal with all that they refer to. */
export function areUnchanged(before: JsonSchema, after: JsonSchema, changed: ReadonlySet<string>): boolean {
  return areEqual(before, after) && listReferencedNames(before).every((name) => !changed.has(name));
}

function listReferencedNames(schema: JsonSchema): string[] {
  return [...collectRefs(schema)].flatMap((ref) => definitionNameOf(ref) ?? []);
}
