/** JSON values: kinds, members and equality. A member that is `undefined` counts as absent, as it does for `JSON.stringify`. */
import { isRecord } from '../../templates/runtime/json-rpc.ts';
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

/** JSON Schema Core, section 4.2.2. Keeps its own stack, so that depth cannot exhaust the real one. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (typeof left !== 'object' || typeof right !== 'object') return isSameScalar(left, right);
  const open: [unknown, unknown][] = [[left, right]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [a, b] = pair;
    if (isSameScalar(a, b)) continue;
    const members = Array.isArray(a) ? pairItems(a, b) : isRecord(a) ? pairMembers(a, b) : undefined;
    if (members === undefined) return false;
    for (const member of members) open.push(member);
  }
  return true;
}

/** An integer is the same whether it came as a number or, being large, as a `bigint`. */
function isSameScalar(left: unknown, right: unknown): boolean {
  if (typeof left === 'bigint' && Number.isInteger(right)) return left === BigInt(right as number);
  if (typeof right === 'bigint' && Number.isInteger(left)) return right === BigInt(left as number);
  return left === right;
}

function memberNames(object: Record<string, unknown>): string[] {
  return Object.keys(object).filter((name) => object[name] !== undefined);
}

function pairItems(a: readonly unknown[], b: unknown): [unknown, unknown][] | undefined {
  if (!Array.isArray(b) || a.length !== b.length) return undefined;
  return a.map((item, index) => [item, b[index]]);
}

function pairMembers(a: Record<string, unknown>, b: unknown): [unknown, unknown][] | undefined {
  if (!isRecord(b)) return undefined;
  const names = memberNames(a);
  if (names.length !== memberNames(b).length) return undefined;
  if (!names.every((name) => Object.hasOwn(b, name) && b[name] !== undefined)) return undefined;
  return names.map((name) => [a[name], b[name]]);
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
