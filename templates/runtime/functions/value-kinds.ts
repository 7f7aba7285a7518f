/** Which type a result has: by its class, and by its parts, as deep as its type describes them. */
import type { Codec, CodecBranch, UnionCodec, ObjectCodec } from '../contract/codec.ts';
import { isNumbers, isScalar } from './scalars.ts';
import {
  acceptsPlainParts,
  type Codecs,
  elementCodec,
  memberCodec,
  fitsBranch,
  targetOf,
} from './union-branches.ts';
import { isRecord, setMember } from '../contract/json-value.ts';

export class ValueKinds {
  readonly #codecs: Codecs;
  /** What is known, or assumed while it is looked at: a value may contain itself. */
  readonly #known = new Map<object, Map<Codec, boolean>>();

  constructor(codecs: Codecs) {
    this.#codecs = codecs;
  }

  /**
   * The alternatives of a union that a value is of, as near as can be said: mostly one passes the tests that are quick. None
   * of which it is in all its depth, and it is one of those that pass.
   */
  branchesOf(value: object, { branches, schemas }: UnionCodec): readonly CodecBranch[] {
    const passing = branches.filter((branch) => this.#passes(value, branch));
    if (passing.length < 2) return passing;
    const fitting = passing.filter(({ codec }) => this.isOf(value, codec));
    if (fitting.length === 0) return passing;
    if (fitting.length === 1) return fitting;
    const exact = fitting.filter((branch) => acceptsPlainParts(value, branch, schemas));
    return exact.length === 0 ? fitting : exact;
  }

  /** The tests of an alternative are of JSON, and of objects that are written as one. */
  #passes(value: object, branch: CodecBranch): boolean {
    const codec = this.#target(branch.codec);
    if (codec?.kind === 'union') return codec.branches.some((each) => this.#passes(value, each));
    if (codec === undefined) return (Array.isArray(value) || isPlain(value)) && fitsBranch(value, branch);
    return isOfClass(value, codec) && (codec.kind !== 'object' || fitsBranch(value, branch));
  }

  /** Whether a codec is of values like this one. */
  isOf(value: unknown, given: Codec | null | undefined): boolean {
    if (value === null || value === undefined || typeof value === 'function') return true;
    const codec = this.#target(given ?? undefined) ?? json;
    if (typeof value !== 'object') return isPrimitiveOf(value, codec);
    const known = this.#known.get(value) ?? new Map<Codec, boolean>();
    this.#known.set(value, known);
    const answer = known.get(codec);
    if (answer !== undefined) return answer;
    known.set(codec, true);
    const found = this.#isObjectOf(value, codec);
    known.set(codec, found);
    return found;
  }

  #isObjectOf(value: object, codec: Codec): boolean {
    if (codec === json) return this.#isJson(value);
    if (codec.kind === 'union')
      return codec.branches.some((branch) => this.#passes(value, branch) && this.isOf(value, branch.codec));
    return isOfClass(value, codec) && this.#arePartsOf(value, codec);
  }

  #arePartsOf(value: object, codec: Codec): boolean {
    switch (codec.kind) {
      case 'array':
      case 'set':
        return itemsOf(value).every((item) => this.isOf(item, codec.items));
      case 'tuple':
        return itemsOf(value).every((item, index, { length }) =>
          this.isOf(item, elementCodec(codec, index, length)),
        );
      case 'map':
        return this.#areEntriesOf(value as Map<unknown, unknown>, codec);
      case 'object':
        return namesOf(value, codec).every((name) =>
          this.isOf((value as Record<string, unknown>)[name], memberCodec(codec, name)),
        );
      default:
        return true;
    }
  }

  #areEntriesOf(
    value: Map<unknown, unknown>,
    { form, key, value: values }: Codec & { kind: 'map' },
  ): boolean {
    const isKey = (given: unknown): boolean =>
      form === 'entries'
        ? this.isOf(given, key)
        : typeof given === 'number' || (typeof given === 'string' && key?.kind !== 'number-key');
    return [...value].every(([k, v]) => isKey(k) && this.isOf(v, values));
  }

  /** Whether JSON has a form for a value, all of it. */
  #isJson(value: object): boolean {
    if (Array.isArray(value)) return value.every((item) => this.isOf(item, json));
    if (isBoxed(value)) return true;
    const prototype: unknown = Object.getPrototypeOf(value);
    const isLiteral = prototype === Object.prototype || prototype === null;
    return isLiteral && Object.values(value).every((part) => this.isOf(part, json));
  }

  #target(codec: Codec | undefined): Codec | undefined {
    return targetOf(codec, this.#codecs);
  }
}

/** In place of no codec: the value is its JSON. */
const json: Codec = { kind: 'any' };

/** What an iterator holds is known when it has run, which it does once. */
function itemsOf(value: object): unknown[] {
  return Array.isArray(value) || value instanceof Set ? [...(value as Iterable<unknown>)] : [];
}

function isPrimitiveOf(value: unknown, codec: Codec): boolean {
  if (codec.kind === 'any') return true;
  if (codec.kind === 'bigint') return typeof value === 'bigint';
  if (codec.kind !== 'union') return false;
  return codec.branches.some(
    (branch) => fitsBranch(value, branch) && isPrimitiveOf(value, branch.codec ?? json),
  );
}

/** Whether a value is of the class that a codec writes; what a reference or a union names is looked up before. */
export function isOfClass(value: object, codec: Codec): boolean {
  switch (codec.kind) {
    case 'any':
      return true;
    case 'toJSON':
      return hasOwnForm(value);
    case 'object':
      return isWritable(value, codec);
    case 'array':
    case 'tuple':
      return Array.isArray(value) || (isIterable(value) && !(value instanceof Map) && !isScalar(value));
    case 'set':
      return value instanceof Set;
    case 'map':
      return value instanceof Map;
    case 'numbers':
      return isNumbers(value);
    case 'bigint':
      return value instanceof BigInt;
    case 'ref':
    case 'union':
    case 'number-key':
      return false;
    default:
      return isScalar(value, codec.kind);
  }
}

/** Whether the members of a value are what its type shows. */
export function isWritable(value: object, { only }: ObjectCodec): boolean {
  return only === undefined ? isPlain(value) : !isOfOwnKind(value);
}

/** An object whose members are its value. */
export function isPlain(value: object): boolean {
  return !isOfOwnKind(value) && !isBareIterable(value);
}

/** A value that its class writes, whatever members it has. */
function isOfOwnKind(value: object): boolean {
  if (isLiteral(value)) return false;
  if (Array.isArray(value) || value instanceof Map || value instanceof Set) return true;
  return isScalar(value) || isNumbers(value) || isBoxed(value);
}

/** An object of no class: most results are, and their class need not be looked for. */
export function isLiteral(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}

/** Items without members: a set, an iterator, a generator. */
export function isBareIterable(value: object): value is Iterable<unknown> {
  return isIterable(value) && Object.keys(value).length === 0;
}

export function isBoxed(value: object): boolean {
  return (
    value instanceof String || value instanceof Number || value instanceof Boolean || value instanceof BigInt
  );
}

export function hasOwnForm(value: object): value is { toJSON: () => unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

export function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value && typeof value[Symbol.iterator] === 'function';
}

/** What is written of a value by an object's codec, before it is known which members it has. */
export function namesOf(value: object, { only, without }: ObjectCodec): readonly string[] {
  return only ?? Object.keys(value).filter((name) => without?.includes(name) !== true);
}

/**
 * The alternatives a value is of, or where it is of none, all there are, as one: the members that any of them names, except
 * for what one keeps inside. Undefined when none of them is an object's; of a list or a map, when one is none.
 */
export function mergedCodec(
  value: object,
  branches: readonly CodecBranch[],
  codecs: Codecs,
): Codec | undefined {
  if (Array.isArray(value)) return mergedItems(branches, codecs);
  if (value instanceof Map) return mergedEntries(branches, codecs);
  const fitting = objectsOf(branches, codecs, (branch) => fitsBranch(value, branch));
  const objects = fitting.length > 0 ? fitting : objectsOf(branches, codecs, () => true);
  const [first, ...others] = objects;
  return first === undefined || others.length === 0 ? first : merge(value, objects, codecs);
}

/** Each item is what it is, when all alternatives are lists of one type. */
function mergedItems(branches: readonly CodecBranch[], codecs: Codecs): Codec | undefined {
  const lists = branches.map(({ codec }) => targetOf(codec, codecs));
  const items = lists.flatMap((codec) => (codec?.kind === 'array' ? [codec.items] : []));
  const merged = items.length < lists.length ? undefined : oneOf(items);
  return merged && { kind: 'array', items: merged };
}

/** So is each value of a map, when the keys of all are written the same. */
function mergedEntries(branches: readonly CodecBranch[], codecs: Codecs): Codec | undefined {
  const all = branches.map(({ codec }) => targetOf(codec, codecs));
  const maps = all.flatMap((codec) => (codec?.kind === 'map' && codec.form === 'object' ? [codec] : []));
  const values = maps.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const merged = values.length < all.length ? undefined : oneOf(values);
  return merged && { kind: 'map', form: 'object', value: merged };
}

function objectsOf(
  branches: readonly CodecBranch[],
  codecs: Codecs,
  fits: (branch: CodecBranch) => boolean,
): ObjectCodec[] {
  return branches.filter(fits).flatMap(({ codec: given }) => {
    const codec = targetOf(given, codecs);
    if (codec?.kind === 'union') return objectsOf(codec.branches, codecs, fits);
    return codec?.kind === 'object' ? [codec] : [];
  });
}

function merge(value: object, objects: readonly ObjectCodec[], codecs: Codecs): ObjectCodec {
  const inside = new Set(objects.flatMap(({ without = [] }) => without));
  const names = new Set(objects.flatMap((object) => namesOf(value, object)));
  const only = [...names].filter((name) => !inside.has(name));
  const properties: Record<string, Codec> = {};
  for (const name of only) {
    const all = objects.filter((object) => namesOf(value, object).includes(name));
    const parts = all.map((object) => memberCodec(object, name)).filter((codec) => codec !== undefined);
    const codec = oneOf([...new Set(parts.map((part) => targetOf(part, codecs) ?? part))]);
    if (codec !== undefined) setMember(properties as Record<string, unknown>, name, codec);
  }
  return { kind: 'object', only, properties };
}

function oneOf(codecs: readonly Codec[]): Codec | undefined {
  if (codecs.length < 2) return codecs[0];
  return { kind: 'union', branches: codecs.map((codec) => ({ ...testOf(codec), codec })) };
}

function testOf({ kind }: Codec): Pick<CodecBranch, 'types'> {
  if (kind === 'array' || kind === 'tuple') return { types: ['array'] };
  return kind === 'object' ? { types: ['object'] } : {};
}

/** Whether nothing of a value is left out, or written in another way: then it is its JSON already. */
export function isExact(value: object, { only, properties, patterns, additional }: ObjectCodec): boolean {
  if (only === undefined || (properties ?? patterns ?? additional) !== undefined) return false;
  return isRecord(value) && isLiteral(value) && Object.keys(value).every((name) => only.includes(name));
}
