// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** JSON values: kinds, text and equality. A member that is `undefined` counts as absent, as it does for `JSON.stringify`. */
import type { JsonType } from './json-schema.ts';

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value's own member; inherited names (`constructor`) are not members. */
export function getOwnMember<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

export function memberNames(object: Record<string, unknown>): string[] {
  return Object.keys(object).filter((name) => object[name] !== undefined);
}

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

// An integer that a double would round is a `bigint`, and a number beyond ±1.8e308 is the text of its digits. `JSON.parse` and
// `JSON.stringify` can't do that on every Node that this runs on.

/** Where a member or an item can begin, sixteen digits, or three of an exponent: a double holds all smaller numbers. */
const LARGE_NUMBER = /[:,[]\s*-?\d(?:\d{15}|[\d.]*[eE]\+?\d{3})/;

export function mayHoldLargeNumber(text: string): boolean {
  return LARGE_NUMBER.test(text);
}

/**
 * Integers beyond ±2^53 come as `bigint`, numbers beyond the range of doubles as text, since clients would read neither. Another
 * number with a fraction or an exponent is a double, as RFC 8259, section 6, lets readers expect.
 * @throws {SyntaxError} as `JSON.parse` does
 */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'number') return parseNumberOrKeepText(text.trim());
  if (!mayHoldLargeNumber(text)) return value;
  const marked = markBigIntegers(text);
  return marked === text ? value : unmarkBigIntegers(JSON.parse(marked));
}

function parseNumberOrKeepText(text: string): number | bigint | string {
  const value = parseNumber(text);
  return value === Infinity || value === -Infinity ? text : value;
}

/** A number beyond the range of doubles is infinite, which no schema takes. */
export function parseNumber(text: string): number | bigint {
  const value = Number(text);
  const isExact = Number.isSafeInteger(value) || !Number.isFinite(value);
  return isExact || !/^-?\d+$/.test(text) ? value : BigInt(text);
}

/**
 * A `bigint` becomes its digits. `change` replaces each member before it is written.
 * @throws {TypeError} for a cycle, as `JSON.stringify` does
 */
export function writeJson(value: unknown, change?: (member: unknown) => unknown): string {
  try {
    return JSON.stringify(value, change && ((_, member: unknown) => change(member)));
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    return stringifyWithBigIntegers(value, change ?? ((member) => member));
  }
}

function stringifyWithBigIntegers(value: unknown, change: (member: unknown) => unknown): string {
  const replaceMember = (_: string, given: unknown): unknown => {
    const member = change(given);
    return typeof member === 'bigint' ? `${bigIntegerMark()}${member}` : member;
  };
  return JSON.stringify(value, replaceMember).replaceAll(
    new RegExp(`"${bigIntegerMark()}(-?\\d+)"`, 'g'),
    '$1',
  );
}

const TOKEN = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function markBigIntegers(text: string): string {
  const token = new RegExp(TOKEN);
  let marked = '';
  let done = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [word] = found;
    if (word === '"') token.lastIndex = endOfString(text, token.lastIndex);
    else {
      const value = Number(word);
      const isInRange = Number.isFinite(value);
      if (isInRange && (Number.isSafeInteger(value) || !/^-?\d+$/.test(word))) continue;
      marked += `${text.slice(done, found.index)}"${isInRange ? bigIntegerMark() : ''}${word}"`;
      done = token.lastIndex;
    }
  }
  return marked + text.slice(done);
}

function endOfString(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '\\') start--;
  return (at - start) % 2 === 1;
}

function unmarkBigIntegers(value: unknown): unknown {
  return replaceLeaves(value, (leaf) =>
    typeof leaf === 'string' && leaf.startsWith(bigIntegerMark())
      ? BigInt(leaf.slice(bigIntegerMark().length))
      : leaf,
  );
}

/** Returns the value with doubles for all integers: a copy if it holds a `bigint`, else itself. */
export function bigIntegersToDoubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (!holdsBigInteger(value)) return value;
  return replaceLeaves(structuredClone(value), (leaf) => (typeof leaf === 'bigint' ? Number(leaf) : leaf));
}

export function holdsBigInteger(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'bigint') return true;
    if (typeof next === 'object' && next !== null) for (const part of Object.values(next)) open.push(part);
  }
  return false;
}

/** Replaces leaves in place. Keeps its own stack, since the sender chooses the depth of a text. */
function replaceLeaves(value: unknown, replace: (leaf: unknown) => unknown): unknown {
  const root: Record<string, unknown> = { value };
  const open = [root];
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    for (const key of Object.keys(holder)) {
      const member = holder[key];
      if (typeof member === 'object' && member !== null) open.push(member as Record<string, unknown>);
      else {
        const replaced = replace(member);
        if (replaced !== member) holder[key] = replaced;
      }
    }
  }
  return root['value'];
}

/** No other string begins with the mark, which is random and secret. */
function bigIntegerMark(): string {
  return (marking ??= `${crypto.randomUUID()} `);
}

let marking: string | undefined;

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

const deepestHashed = 16;

/** The same for equal values, and mostly different for others. Order of members does not count; levels below 16 are ignored. */
export function hashJsonValue(value: unknown, depth = 0): number {
  if (typeof value === 'string') return hashText(value, 7);
  if (typeof value === 'number') return hashText(String(value === 0 ? 0 : value), 11);
  if (typeof value === 'bigint') return hashJsonValue(Number(value));
  if (typeof value !== 'object' || value === null) return hashText(String(value), 13);
  if (depth === deepestHashed) return 17;
  if (Array.isArray(value)) {
    return value.reduce((hash: number, item) => mixHash(hash, hashJsonValue(item, depth + 1)), 19);
  }
  let sum = 23;
  for (const [name, item] of Object.entries(value)) {
    if (item !== undefined) sum = (sum + mixHash(hashText(name, 29), hashJsonValue(item, depth + 1))) | 0;
  }
  return sum;
}

function hashText(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index++) hash = mixHash(hash, text.charCodeAt(index));
  return hash;
}

function mixHash(hash: number, value: number): number {
  return Math.imul(hash ^ value, 16_777_619);
}

/** Exact for decimal numbers as they are written: 0.3 is a multiple of 0.1. */
export function isMultiple(value: number | bigint, divisor: number): boolean {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
    if (!Number.isFinite(value)) return false;
  }
  const [a, b] = [parseDecimal(value), parseDecimal(divisor)];
  const exponent = Math.min(a.exponent, b.exponent);
  const scaleDigits = ({ digits, exponent: own }: Decimal): bigint => digits * 10n ** BigInt(own - exponent);
  return scaleDigits(a) % scaleDigits(b) === 0n;
}

interface Decimal {
  digits: bigint;
  exponent: number;
}

function parseDecimal(value: number | bigint): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** Without strict null checks, as some projects compile this, any member could be undefined. */
type Defined<T> = undefined extends string
  ? T
  : { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
      [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
    };

/** Omits members that are `undefined`: optional members may be absent, but not `undefined`. */
export function omitUndefined<T extends object>(members: T): Defined<T>;
export function omitUndefined(members: object): object {
  const defined: Record<string, unknown> = {};
  for (const name of Object.keys(members)) {
    const value: unknown = Reflect.get(members, name);
    if (value !== undefined) setOwnMember(defined, name, value);
  }
  return defined;
}

// Data files in which equal parts stand once.

/** Texts that a data file has once, by their names. A text may hold marks of others. */
export type Pool = ReadonlyMap<string, string>;

/** `{"$":"<name>"}` in the place of a text. Strings of JSON can't hold it, since their quotes are escaped. */
const POOL_MARK = /\{"\$":"(\w+)"\}/g;

const POOL_HEAD = '{\n"pool":{\n"';
const POOL_END = '\n},\n';

/** Takes off the first member of a data file, `"pool":{…}` with a text a line. */
export function splitOffTextPool(text: string): { text: string; pool: Pool | undefined } {
  const end = text.startsWith(POOL_HEAD) ? text.indexOf(POOL_END) : -1;
  if (end === -1) return { text, pool: undefined };
  const lines = text.slice(POOL_HEAD.length, end).split(',\n"');
  const pool = lines.map((line): [string, string] => {
    const at = line.indexOf('":');
    return [line.slice(0, at), line.slice(at + '":'.length)];
  });
  return { text: `{\n${text.slice(end + POOL_END.length)}`, pool: new Map(pool) };
}

export function expandPoolMarks(text: string, pool: Pool | undefined): string {
  if (pool === undefined) return text;
  return text.replace(POOL_MARK, (mark, name: string) => expandPoolMarks(pool.get(name) ?? mark, pool));
}

export function parsePooledJson(whole: string): unknown {
  const { text, pool } = splitOffTextPool(whole);
  return JSON.parse(expandPoolMarks(text, pool));
}

/** Members of a lazy map that stay parsed. */
const MOST_PARSED = 512;

/**
 * As `parsePooledJson`, but each member of the map `name` is parsed when it is read. In another layout than the compiler's, all of
 * them are parsed at once.
 * @throws {SyntaxError}
 */
export function parseMembersLazily(whole: string, name: string): unknown {
  const { text, pool } = splitOffTextPool(whole);
  const head = `\n"${name}":{\n"`;
  const start = text.indexOf(head);
  const end = start === -1 ? -1 : text.indexOf('\n}\n}', start);
  if (end === -1) return JSON.parse(expandPoolMarks(text, pool));
  const rest = `${text.slice(0, start)}\n"${name}":{}${text.slice(end + '\n}\n}'.length)}`;
  const items = text.slice(start + head.length, end).split('\n},\n"');
  const parsed = JSON.parse(expandPoolMarks(rest, pool)) as Record<string, unknown>;
  return {
    ...parsed,
    [name]: defineLazyMembers(items, (item) => JSON.parse(expandPoolMarks(item, pool)) as unknown),
  };
}

function defineLazyMembers(items: readonly string[], parse: (text: string) => unknown): object {
  const members = {};
  const recent = new Map<string, unknown>();
  for (const item of items) {
    const at = item.indexOf('":{\n');
    const key = JSON.parse(`"${item.slice(0, at)}"`) as string;
    const parseOnRead = (): unknown => {
      if (!recent.has(key))
        putAndDropOldest(recent, key, parse(`${item.slice(at + '":'.length)}\n}`), MOST_PARSED);
      return recent.get(key);
    };
    Object.defineProperty(members, key, { get: parseOnRead, enumerable: true });
  }
  return members;
}

/** Puts an entry behind all others, and drops the first one if there are more than `most`. */
export function putAndDropOldest<V>(cache: Map<string, V>, key: string, value: V, most: number): void {
  cache.delete(key);
  cache.set(key, value);
  const [oldest] = cache.keys();
  if (cache.size > most && oldest !== undefined) cache.delete(oldest);
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
