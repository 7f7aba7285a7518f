// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** How values are told apart. A member that is `undefined` counts as absent, as it does for `JSON.stringify`. */
import type { JsonType } from './json-schema.ts';

/** An object that is not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value's own member; inherited names (`constructor`) are not members. */
export function member(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Names of the members that are present. */
export function memberNames(object: Record<string, unknown>): string[] {
  return Object.keys(object).filter((name) => object[name] !== undefined);
}

/** The narrowest type of a JSON value; undefined for what JSON cannot say (functions, NaN). */
export function typeOf(value: unknown): JsonType | undefined {
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
export function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
