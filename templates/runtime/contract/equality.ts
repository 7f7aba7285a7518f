// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Equality of JSON values (JSON Schema Core, section 4.2.2), for values of any depth. */
import { isRecord, memberNames } from './json-value.ts';

/** Whether two values are the same JSON value. Keeps its own stack, so that depth cannot exhaust the real one. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (typeof left !== 'object' || typeof right !== 'object') return isSame(left, right);
  const open: [unknown, unknown][] = [[left, right]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [a, b] = pair;
    if (isSame(a, b)) continue;
    const members = Array.isArray(a) ? itemPairs(a, b) : isRecord(a) ? memberPairs(a, b) : undefined;
    if (members === undefined) return false;
    for (const member of members) open.push(member);
  }
  return true;
}

/** An integer is the same whether it came as a number or, being large, as a `bigint`. */
function isSame(left: unknown, right: unknown): boolean {
  if (typeof left === 'bigint' && Number.isInteger(right)) return left === BigInt(right as number);
  if (typeof right === 'bigint' && Number.isInteger(left)) return right === BigInt(left as number);
  return left === right;
}

/** Pairs that must be equal for the arrays to be; undefined when they cannot be. */
function itemPairs(a: readonly unknown[], b: unknown): [unknown, unknown][] | undefined {
  if (!Array.isArray(b) || a.length !== b.length) return undefined;
  return a.map((item, index) => [item, b[index]]);
}

function memberPairs(a: Record<string, unknown>, b: unknown): [unknown, unknown][] | undefined {
  if (!isRecord(b)) return undefined;
  const names = memberNames(a);
  if (names.length !== memberNames(b).length) return undefined;
  if (!names.every((name) => Object.hasOwn(b, name) && b[name] !== undefined)) return undefined;
  return names.map((name) => [a[name], b[name]]);
}

const deepestHashed = 16;

/**
 * A number that is the same for equal values and mostly differs for others. Order of members does not count;
 * what lies deeper than 16 levels is not looked at.
 */
export function fingerprint(value: unknown, depth = 0): number {
  if (typeof value === 'string') return hashText(value, 7);
  if (typeof value === 'number') return hashText(String(value === 0 ? 0 : value), 11);
  if (typeof value === 'bigint') return fingerprint(Number(value));
  if (typeof value !== 'object' || value === null) return hashText(String(value), 13);
  if (depth === deepestHashed) return 17;
  if (Array.isArray(value)) {
    return value.reduce((hash: number, item) => mix(hash, fingerprint(item, depth + 1)), 19);
  }
  let sum = 23;
  for (const [name, item] of Object.entries(value)) {
    if (item !== undefined) sum = (sum + mix(hashText(name, 29), fingerprint(item, depth + 1))) | 0;
  }
  return sum;
}

function hashText(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index++) hash = mix(hash, text.charCodeAt(index));
  return hash;
}

/** One step of FNV-1a. */
function mix(hash: number, value: number): number {
  return Math.imul(hash ^ value, 16_777_619);
}
