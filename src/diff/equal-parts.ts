/** Equality of JSON on two sides. Tools share definitions, so each pair of objects is compared once. */
const equals = new WeakMap<object, object>();

/** The order of members does not count, and a member that is `undefined` is none. */
export function areEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other)) return false;
  if (equals.get(one) === other) return true;
  const isEqual = Array.isArray(one) ? haveSameItems(one, other) : haveSameMembers(one, other);
  if (isEqual) equals.set(one, other);
  return isEqual;
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
  const otherEntries = new Map(definedEntries(other));
  return (
    members.length === otherEntries.size &&
    members.every(([name, value]) => otherEntries.has(name) && areEqual(value, otherEntries.get(name)))
  );
}

function definedEntries(object: object): [string, unknown][] {
  return Object.entries(object).filter(([, value]) => value !== undefined);
}
