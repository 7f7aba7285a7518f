// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Turns the result of a function into a JSON value by its type. */
import { show, formatPath } from '../schema/run.ts';
import { member, setMember, writeJson } from '../contract/json-value.ts';
import type { Codec, ObjectCodec, UnionCodec } from '../contract/json-schema.ts';
import {
  isExact,
  mergedCodec,
  writtenNames,
  hasOwnForm,
  isBareIterable,
  isBoxed,
  isIterable,
  isPlain,
  isWritable,
  ValueKinds,
} from './value-kinds.ts';
import { isNumbers, readScalar, describeScalar, writeScalar } from './scalars.ts';
import { type Codecs, elementCodec, memberCodec } from './union-branches.ts';

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
export function placeInResult(path: Path): string {
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
