/** A mapping of a document. Its keys are the document's: ask with `Object.hasOwn`, write with `setOwn`. */
export type Rec = Record<string, unknown>;

/** A member by a key that comes from a document; never one of the prototype. */
export function ownMember(record: Rec, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Sets a member under a key that comes from a document, `__proto__` included. */
export function setOwn<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

/** The kind of a value, for messages: `null`, `a list`, `a number`. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return Object.keys(value).length === 0 ? 'an empty object' : 'an object';
  return `a ${typeof value}`;
}
