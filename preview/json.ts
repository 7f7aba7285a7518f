/** JSON whose integers beyond ±2^53 keep their digits: they are a `bigint` in memory. */
import type { Json, JsonObject } from '../src/util/json-schema.ts';

interface WithSource {
  parse(
    text: string,
    revive: (key: string, value: unknown, context?: { source?: string }) => unknown,
  ): unknown;
  rawJSON?: (text: string) => unknown;
}

const engine = JSON as unknown as WithSource;

/** Digits that may be too many for a number; without such, JSON is parsed at full speed. */
const LONG = /\d{16}/;

export function parseJson(text: string): Json {
  if (!LONG.test(text)) return JSON.parse(text) as Json;
  return engine.parse(text, (_key, value, context) => {
    const digits = context?.source;
    const isLost = typeof value === 'number' && !Number.isSafeInteger(value) && digits !== undefined;
    return isLost && /^-?\d+$/.test(digits) ? BigInt(digits) : value;
  }) as Json;
}

export function printJson(value: unknown, indent?: number): string {
  const print = (_key: string, each: unknown): unknown => {
    if (typeof each !== 'bigint') return each;
    return engine.rawJSON?.(String(each)) ?? Number(each);
  };
  return JSON.stringify(value, print, indent) ?? '';
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isEqual(a: unknown, b: unknown): boolean {
  return a === b || printJson(a) === printJson(b);
}

export interface JsonLine {
  depth: number;
  key?: string | undefined;
  /** A scalar as JSON, or the brackets that open or close. */
  text: string;
  kind: 'string' | 'number' | 'word' | 'bracket';
  /** Ends with a comma. */
  isFollowed: boolean;
  /** JSON Pointer of the value. */
  pointer: string;
}

/** Pretty-printed JSON, line by line. */
export function listLines(value: unknown): JsonLine[] {
  const lines: JsonLine[] = [];
  add(lines, value, { depth: 0, pointer: '', isFollowed: false });
  return lines;
}

type Place = Pick<JsonLine, 'depth' | 'pointer' | 'isFollowed' | 'key'>;

function add(lines: JsonLine[], value: unknown, place: Place): void {
  const entries = Array.isArray(value)
    ? value.map((each, index): [string, unknown] => [String(index), each])
    : isObject(value)
      ? Object.entries(value).filter(([, each]) => each !== undefined)
      : undefined;
  if (entries === undefined) {
    lines.push({ ...place, text: printJson(value), kind: kindOf(value) });
    return;
  }
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (entries.length === 0) {
    lines.push({ ...place, text: `${open}${close}`, kind: 'bracket' });
    return;
  }
  lines.push({ ...place, text: String(open), kind: 'bracket', isFollowed: false });
  for (const [index, [key, each]] of entries.entries())
    add(lines, each, {
      depth: place.depth + 1,
      pointer: `${place.pointer}/${escapeToken(key)}`,
      isFollowed: index < entries.length - 1,
      key: Array.isArray(value) ? undefined : key,
    });
  const { depth, pointer, isFollowed } = place;
  lines.push({ depth, pointer, isFollowed, text: String(close), kind: 'bracket' });
}

function kindOf(value: unknown): JsonLine['kind'] {
  if (typeof value === 'string') return 'string';
  return typeof value === 'number' || typeof value === 'bigint' ? 'number' : 'word';
}

/** RFC 6901. */
export function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}
