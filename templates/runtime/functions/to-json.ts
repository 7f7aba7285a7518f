// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Turns the result of a function into a JSON value by its type. */
import type {
  BytesClass,
  Codec,
  NumbersClass,
  ObjectCodec,
  ScalarCodec,
  UnionCodec,
} from '../contract/json-schema.ts';
import { member, setMember, writeJson } from '../contract/json-value.ts';
import { commonFormats } from '../schema/formats.ts';
import { formatPath, show } from '../schema/run.ts';
import { type Codecs, elementCodec, memberCodec } from './union-branches.ts';
import {
  ValueKinds,
  hasOwnForm,
  isBareIterable,
  isBoxed,
  isExact,
  isIterable,
  isPlain,
  isWritable,
  mergedCodec,
  writtenNames,
} from './value-kinds.ts';

/**
 * Writes a result as a JSON value, with `bigint` for integers that a double would round. Without a codec the result is returned
 * as it is. A value of another class than its type is written by its class.
 *
 * @throws {TypeError} for a result that contains itself, and for a text that should be a date and isn't
 * @throws {RangeError} for a date that does not exist; the message names the member
 */
export function toJson(value: unknown, codec: Codec | undefined, codecs: Codecs = {}): unknown {
  if (codec === undefined || isJsonAlready(value, codec)) return value;
  return new Writer(codecs).write(value, codec);
}

/** Most results are JSON already, and need no writer. */
function isJsonAlready(value: unknown, codec: Codec): boolean {
  return codec.kind === 'object' && typeof value === 'object' && value !== null && isExact(value, codec);
}

class Writer {
  readonly #codecs: Codecs;
  readonly #kinds: ValueKinds;
  /** The objects and lists around the current value. */
  readonly #open = new Set<object>();
  /** The place of the current value in the result. */
  readonly #path: (string | number)[] = [];

  constructor(codecs: Codecs) {
    this.#codecs = codecs;
    this.#kinds = new ValueKinds(codecs);
  }

  write(value: unknown, codec: Codec | null | undefined): unknown {
    if (codec === null || codec === undefined || value === null || value === undefined) return value;
    if (typeof value !== 'object') {
      this.#refuseText(value, codec);
      return value;
    }
    if (value instanceof Date) refuseNoDate(value, this.#path);
    if (this.#open.has(value)) throw new TypeError('The result contains itself, which JSON cannot say.');
    this.#open.add(value);
    try {
      return this.#writeObject(value, codec);
    } finally {
      this.#open.delete(value);
    }
  }

  #part(step: string | number, value: unknown, codec: Codec | null | undefined): unknown {
    this.#path.push(step);
    const written = this.write(value, codec);
    this.#path.pop();
    return written;
  }

  /** Stores without dates return texts, which are accepted if they are valid. */
  #refuseText(value: unknown, codec: Codec): void {
    if (codec.kind !== 'date' || typeof value !== 'string' || readScalar(value, codec) !== undefined) return;
    throw new TypeError(
      `${placeInResult(this.#path)} must be ${describeScalar(codec)} but is ${show(value)}.`,
    );
  }

  #writeObject(value: object, codec: Codec): unknown {
    switch (codec.kind) {
      case 'ref':
        return this.#again(value, member(this.#codecs, codec.name) as Codec | undefined);
      case 'toJSON':
        return this.#writeOwnForm(value, codec.as);
      case 'array':
        return this.#list(value, () => codec.items);
      case 'tuple':
        return this.#list(value, (index, length) => elementCodec(codec, index, length));
      case 'set':
        return this.#list(value, () => codec.items);
      case 'numbers':
        return isNumbers(value) ? [...value] : value;
      case 'map':
        return value instanceof Map ? this.#map(value, codec) : this.#any(value);
      case 'object':
        return isWritable(value, codec)
          ? this.#object(value as Record<string, unknown>, codec)
          : this.#any(value);
      case 'union':
        return this.#union(value, codec);
      case 'any':
        return this.#any(value);
      default:
        return writeScalar(value, codec.kind === 'date' ? codec.form : undefined) ?? this.#any(value);
    }
  }

  /** Writes the same value by another codec. */
  #again(value: object, codec: Codec | undefined): unknown {
    return codec === undefined ? value : this.#writeObject(value, codec);
  }

  #writeOwnForm(value: object, codec: Codec | undefined): unknown {
    const written = hasOwnForm(value) ? value.toJSON() : value;
    return written === value ? value : this.write(written, codec);
  }

  #list(value: object, codecAt: (index: number, length: number) => Codec | null | undefined): unknown {
    if (!isIterable(value)) return value;
    const items = [...value];
    return items.map((item, index) => this.#part(index, item, codecAt(index, items.length)));
  }

  #object(value: Record<string, unknown>, codec: ObjectCodec): Record<string, unknown> {
    if (isExact(value, codec)) return value;
    const written: Record<string, unknown> = {};
    for (const name of writtenNames(value, codec)) {
      const part = name in Object.prototype ? member(value, name) : value[name];
      if (part === undefined || typeof part === 'function') continue;
      setMember(written, name, this.#part(name, part, memberCodec(codec, name)));
    }
    return written;
  }

  #map(value: Map<unknown, unknown>, { form, key, value: values }: Codec & { kind: 'map' }): unknown {
    if (form === 'entries')
      return [...value].map(([k, v], index) => [this.#part(index, k, key), this.#part(index, v, values)]);
    const written: Record<string, unknown> = {};
    for (const [k, v] of value) setMember(written, String(k), this.#part(String(k), v, values));
    return written;
  }

  #union(value: object, union: UnionCodec): unknown {
    const fitting = this.#kinds.findBranches(value, union);
    // A branch without a codec may match values that have to be written.
    const found = fitting.find(({ codec }) => codec !== undefined) ?? fitting[0];
    const isOne = found !== undefined && fitting.length === 1;
    const isMany = !isOne && (Array.isArray(value) || value instanceof Map || isPlain(value));
    const merged = isMany
      ? mergedCodec(value, fitting.length === 0 ? union.branches : fitting, this.#codecs)
      : undefined;
    if (merged !== undefined) return this.#again(value, merged);
    return found === undefined ? this.#any(value) : this.#again(value, found.codec);
  }

  /** Writes a value by its class, and its parts by theirs. */
  #any(value: object): unknown {
    if (value instanceof Promise) throw new TypeError('The result holds a promise: it was not awaited.');
    const scalar = writeScalar(value);
    if (scalar !== undefined) return scalar;
    if (isBoxed(value)) return value.valueOf();
    if (hasOwnForm(value)) return this.#writeOwnForm(value, any);
    if (isNumbers(value)) return [...value];
    if (value instanceof Map) return this.#anyMap(value);
    if (Array.isArray(value) || value instanceof Set || isBareIterable(value))
      return this.#list(value, () => any);
    if (value instanceof Error) return this.#error(value);
    return this.#object(value as Record<string, unknown>, { kind: 'object', additional: any });
  }

  /** Writes the message, the cause and added members of an error, but not the stack, which clients must not see. */
  #error(value: object): unknown {
    const names = ['name', 'message', 'cause', ...Object.keys(value).filter((name) => name !== 'stack')];
    return this.#object(value as Record<string, unknown>, {
      kind: 'object',
      additional: any,
      only: [...new Set(names)],
    });
  }

  #anyMap(value: Map<unknown, unknown>): unknown {
    const isRecord = [...value.keys()].every((key) => typeof key === 'string');
    return this.#map(value, { kind: 'map', form: isRecord ? 'object' : 'entries', key: any, value: any });
  }
}

const any: Codec = { kind: 'any' };

type Path = readonly (string | number)[];

/** Writes a place in the result: `` `result.items[2].price` ``. */
function placeInResult(path: Path): string {
  return formatPath(['result', ...path]);
}

/**
 * Writes the JSON text of a result or a part of it; undefined if it has none.
 *
 * @throws {RangeError} for a number and a date that `JSON.stringify` would write as null
 */
export function writeSerializable(value: unknown, path?: Path): string | undefined {
  const json: string | undefined = writeJson(value);
  if (json?.includes('null') === true) assertJsonSerializable(value, path);
  return json;
}

/** @throws {RangeError} for a number and a date that `JSON.stringify` would write as null; the value must have no cycle */
export function assertJsonSerializable(value: unknown, path: Path = []): void {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new RangeError(`${placeInResult(path)} is ${value}, which JSON can't say.`);
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof Date) refuseNoDate(value, path);
  if ('toJSON' in value) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) assertJsonSerializable(item, [...path, index]);
  } else for (const [name, part] of Object.entries(value)) assertJsonSerializable(part, [...path, name]);
}

/** @throws {RangeError} for a date that does not exist */
function refuseNoDate(date: Date, path: Path): void {
  if (Number.isNaN(date.getTime()))
    throw new RangeError(`${placeInResult(path)} is a date that does not exist.`);
}

/** Reads and writes values whose JSON is one string or number. */

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
function writeScalar(value: unknown, form?: 'date'): string | undefined {
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
