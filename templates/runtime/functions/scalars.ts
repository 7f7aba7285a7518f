// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Reads and writes values whose JSON is one string or number. */
import { commonFormats } from '../schema/formats.ts';
import type { BytesClass, NumbersClass, ScalarCodec } from '../contract/json-schema.ts';

/** Returns undefined for JSON that is no such value. */
export function readScalar(value: unknown, codec: ScalarCodec): unknown {
  if (codec.kind === 'bigint') return readBigInt(value);
  if (typeof value !== 'string') return undefined;
  switch (codec.kind) {
    case 'date':
      return readDate(value, codec.form);
    case 'bytes':
      return readBytes(value, codec.as);
    case 'number-key':
      return Number(value);
    case 'url':
      return URL.canParse(value) ? new URL(value) : undefined;
    case 'regexp':
      return readRegExp(value);
  }
}

/** Describes a scalar's JSON, after "must be". */
export function describeScalar(codec: ScalarCodec): string {
  switch (codec.kind) {
    case 'date':
      return codec.form === 'date'
        ? 'a date such as 2026-01-31'
        : 'a date and time such as 2026-01-31T09:00:00Z';
    case 'bytes':
      return 'bytes as base64';
    case 'bigint':
      return 'an integer';
    case 'number-key':
      return 'a number';
    case 'url':
      return 'a URL such as https://example.com/a';
    case 'regexp':
      return 'a regular expression';
  }
}

/** RFC 3339. A day alone is its first moment in UTC; a time without an offset is refused as ambiguous. */
function readDate(text: string, form: 'date' | undefined): Date | undefined {
  const isDay = commonFormats['date']?.(text) === true;
  if (!isDay && (form === 'date' || commonFormats['date-time']?.(text) !== true)) return undefined;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function readBigInt(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return Number.isInteger(value) ? BigInt(value as number) : undefined;
}

/** Accepts both alphabets of RFC 4648, padded or not. */
function readBytes(text: string, as: BytesClass = 'Uint8Array'): unknown {
  const length = text.replace(/={1,2}$/, '').length;
  const isPadded = length < text.length;
  if (length % 4 === 1 || (isPadded && text.length % 4 !== 0)) return undefined;
  if (!/^(?:[A-Za-z\d+/]*|[A-Za-z\d_-]*)$/.test(text.slice(0, length))) return undefined;
  return toBytesClass(Buffer.from(text, 'base64'), as);
}

/** The buffer may share its memory with others, so other classes get a copy. */
function toBytesClass(buffer: Buffer, as: BytesClass): unknown {
  if (as === 'Buffer') return buffer;
  const own = new Uint8Array(buffer);
  if (as === 'Uint8Array') return own;
  if (as === 'SharedArrayBuffer') {
    const shared = new SharedArrayBuffer(own.length);
    new Uint8Array(shared).set(own);
    return shared;
  }
  return as === 'ArrayBuffer' ? own.buffer : new DataView(own.buffer);
}

function readRegExp(text: string): RegExp | undefined {
  const [, pattern, flags] = /^\/(.+)\/([a-z]+)$/s.exec(text) ?? [];
  try {
    return pattern === undefined ? new RegExp(text) : new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}

/** Returns undefined for values of other classes. A `bigint` is JSON here, and written as its digits. */
export function writeScalar(value: unknown, form?: 'date'): string | undefined {
  if (value instanceof Date) return form === 'date' ? value.toISOString().slice(0, 10) : value.toISOString();
  if (value instanceof URL) return value.href;
  if (value instanceof RegExp) return value.flags === '' ? value.source : String(value);
  return toBytes(value)?.toString('base64');
}

/** Whether `writeScalar` writes a value; of one kind, or of any. */
export function isScalar(value: object, kind?: 'date' | 'url' | 'regexp' | 'bytes'): boolean {
  const classes = kind === undefined ? allScalarClasses : scalarClasses[kind];
  return classes.some((each) => value instanceof each);
}

const byteClasses = [Uint8Array, DataView, ArrayBuffer, SharedArrayBuffer];
const scalarClasses = { date: [Date], url: [URL], regexp: [RegExp], bytes: byteClasses };
const allScalarClasses = Object.values(scalarClasses).flat();

/** Returns undefined for a value that is no bytes. */
export function toBytes(value: unknown): Buffer | undefined {
  if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) return Buffer.from(value);
  if (!(value instanceof Uint8Array || value instanceof DataView)) return undefined;
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

type Numbers = Iterable<number | bigint>;

const numbersClasses: Record<NumbersClass, { from: (values: never) => Numbers }> = {
  Int8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
};

export function readNumbers(values: readonly unknown[], as: NumbersClass): Numbers {
  const isBig = as === 'BigInt64Array' || as === 'BigUint64Array';
  const given = isBig ? values.map((value) => BigInt(value as number | bigint)) : values.map(Number);
  return numbersClasses[as].from(given as never);
}

/**
 * Finds the index of the first integer beyond 64 bits, which a typed array would change; -1 if there is none. A schema can't
 * refuse it, since its limits are doubles.
 */
export function findWrapped(values: readonly unknown[], as: NumbersClass): number {
  const wrap = wraps[as];
  if (wrap === undefined) return -1;
  return values.map((value) => BigInt(value as number | bigint)).findIndex((each) => wrap(64, each) !== each);
}

const wraps: Partial<Record<NumbersClass, (bits: number, value: bigint) => bigint>> = {
  BigInt64Array: (bits, value) => BigInt.asIntN(bits, value),
  BigUint64Array: (bits, value) => BigInt.asUintN(bits, value),
};

/** Describes the integers that don't wrap, after "must be". */
export function describeNumbers(as: NumbersClass): string {
  return as === 'BigUint64Array' ? 'an integer from 0 to 2^64-1' : 'an integer from -2^63 to 2^63-1';
}

/** An array of bytes is a scalar instead. */
export function isNumbers(value: unknown): value is Numbers {
  return ArrayBuffer.isView(value) && !(value instanceof DataView) && !(value instanceof Uint8Array);
}
