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

/** The members of an object or list; `undefined` for a scalar. */
export function entriesOf(value: unknown): [string, unknown][] | undefined {
  if (!Array.isArray(value) && !isObject(value)) return undefined;
  return Object.entries(value).filter(([, each]) => each !== undefined);
}

export function kindOf(value: unknown): 'string' | 'number' | 'word' {
  if (typeof value === 'string') return 'string';
  return typeof value === 'number' || typeof value === 'bigint' ? 'number' : 'word';
}

/** RFC 6901. */
export function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}
