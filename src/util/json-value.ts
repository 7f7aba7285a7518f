/** JSON values: kinds, members and numbers. */
import type { JsonType } from './json-schema.ts';

export function getJsonType(value: unknown): JsonType | undefined {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
      return Number.isInteger(value) ? 'integer' : Number.isFinite(value) ? 'number' : undefined;
    case 'bigint':
      return 'integer';
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? 'array' : 'object';
    default:
      return undefined;
  }
}

/** Sets an own member, whatever its name: `__proto__` too is data here. */
export function setOwnMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** A number beyond the range of doubles is infinite, which no schema takes. */
export function parseNumber(text: string): number | bigint {
  const value = Number(text);
  const isExact = Number.isSafeInteger(value) || !Number.isFinite(value);
  return isExact || !/^-?\d+$/.test(text) ? value : BigInt(text);
}

/** Keys of `_meta` (MCP, "General fields"): an optional prefix of labels with dots and a slash, and a name, which may be empty. */
export function isValidMetaKey(key: string): boolean {
  const slash = key.indexOf('/');
  const labels = slash === -1 ? [] : key.slice(0, slash).split('.');
  const areLabels = labels.every((label) => /^[a-z](?:[a-z\d-]*[a-z\d])?$/i.test(label));
  const name = key.slice(slash + 1);
  return areLabels && (name === '' ? slash > 0 : /^[a-z\d](?:[\w.-]*[a-z\d])?$/i.test(name));
}

export const META_KEY_FORM =
  'a name such as com.example/key: an optional prefix of labels, a slash, and letters, digits, "-", "_" and "."';

/** Undefined if an escape is broken. */
export function percentDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
