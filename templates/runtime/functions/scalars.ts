/** Values that are one JSON string or number, both ways. */
import { commonFormats } from '../schema/formats.ts';
import type { BytesClass, NumbersClass, ScalarCodec } from '../contract/codec.ts';

/** Reads a scalar's JSON; undefined when it is not the JSON of such a value. */
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

/** What a scalar's JSON must be, after "must be". */
export function scalarWords(codec: ScalarCodec): string {
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

/** RFC 3339. A day alone is its first moment in UTC; a time without an offset could be any of many. */
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

/** Both alphabets of RFC 4648, padded or not. */
function readBytes(text: string, as: BytesClass = 'Uint8Array'): unknown {
  const length = text.replace(/={1,2}$/, '').length;
  const isPadded = length < text.length;
  if (length % 4 === 1 || (isPadded && text.length % 4 !== 0)) return undefined;
  if (!/^(?:[A-Za-z\d+/]*|[A-Za-z\d_-]*)$/.test(text.slice(0, length))) return undefined;
  return bytesAs(Buffer.from(text, 'base64'), as);
}

/** A buffer may share its memory with others, so anything but a buffer gets its own. */
function bytesAs(buffer: Buffer, as: BytesClass): unknown {
  if (as === 'Buffer') return buffer;
  const own = new Uint8Array(buffer);
  if (as === 'Uint8Array') return own;
  if (as === 'SharedArrayBuffer') return sharedOf(own);
  return as === 'ArrayBuffer' ? own.buffer : new DataView(own.buffer);
}

function sharedOf(bytes: Uint8Array): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return shared;
}

function readRegExp(text: string): RegExp | undefined {
  const [, pattern, flags] = /^\/(.+)\/([a-z]+)$/s.exec(text) ?? [];
  try {
    return pattern === undefined ? new RegExp(text) : new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}

/** A value that is written by its class; undefined for any other. A `bigint` is JSON here: it is written as its digits. */
export function writeScalar(value: unknown, form?: 'date'): string | undefined {
  if (value instanceof Date) return form === 'date' ? value.toISOString().slice(0, 10) : value.toISOString();
  if (value instanceof URL) return value.href;
  if (value instanceof RegExp) return value.flags === '' ? value.source : String(value);
  const bytes = bytesOf(value);
  return bytes?.toString('base64');
}

/** Whether a value is written by its class; of one kind, or of any. */
export function isScalar(value: object, kind?: 'date' | 'url' | 'regexp' | 'bytes'): boolean {
  const classes = kind === undefined ? allScalarClasses : scalarClasses[kind];
  return classes.some((each) => value instanceof each);
}

const byteClasses = [Uint8Array, DataView, ArrayBuffer, SharedArrayBuffer];
const scalarClasses = { date: [Date], url: [URL], regexp: [RegExp], bytes: byteClasses };
const allScalarClasses = Object.values(scalarClasses).flat();

/** The bytes of a value that is nothing else; undefined for any other. */
export function bytesOf(value: unknown): Buffer | undefined {
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
 * Where the first integer stands that 64 bits do not hold, so that it would arrive as another; -1 where there is none. A
 * schema does not say it: its limits are doubles, and the ends of 64 bits are none.
 */
export function wrappedAt(values: readonly unknown[], as: NumbersClass): number {
  const wrap = wraps[as];
  if (wrap === undefined) return -1;
  return values.map((value) => BigInt(value as number | bigint)).findIndex((each) => wrap(64, each) !== each);
}

const wraps: Partial<Record<NumbersClass, (bits: number, value: bigint) => bigint>> = {
  BigInt64Array: (bits, value) => BigInt.asIntN(bits, value),
  BigUint64Array: (bits, value) => BigInt.asUintN(bits, value),
};

/** What `wrappedAt` finds missing, after "must be". */
export function numberWords(as: NumbersClass): string {
  return as === 'BigUint64Array' ? 'an integer from 0 to 2^64-1' : 'an integer from -2^63 to 2^63-1';
}

/** A typed array of numbers; one of bytes is a scalar. */
export function isNumbers(value: unknown): value is Numbers {
  return ArrayBuffer.isView(value) && !(value instanceof DataView) && !(value instanceof Uint8Array);
}
