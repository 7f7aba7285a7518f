// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Finds the type of a result by its class and its parts, as deep as its type describes them. */
import type { Codec, CodecBranch, UnionCodec, ObjectCodec } from '../contract/json-schema.ts';
import {
  type Codecs,
  acceptsPlainParts,
  codecOfElement,
  fitsBranch,
  isNumericTypedArray,
  isScalar,
  codecOfMember,
  resolveCodec,
} from './codecs.ts';
import { isRecord, setOwnMember } from '../contract/json-value.ts';

export class ValueKinds {
  readonly #codecs: Codecs;
  /** True is assumed during a check, since a value may contain itself. */
  readonly #known = new Map<object, Map<Codec, boolean>>();

  constructor(codecs: Codecs) {
    this.#codecs = codecs;
  }

  /** Finds the alternatives of a union that fit a value best: by quick tests, then in depth, then by their schemas. */
  findBranches(value: object, { branches, schemas }: UnionCodec): readonly CodecBranch[] {
    const passing = branches.filter((branch) => this.#passesBranchTests(value, branch));
    if (passing.length < 2) return passing;
    const fitting = passing.filter(({ codec }) => this.matchesCodec(value, codec));
    if (fitting.length === 0) return passing;
    if (fitting.length === 1) return fitting;
    const exact = fitting.filter((branch) => acceptsPlainParts(value, branch, schemas));
    return exact.length === 0 ? fitting : exact;
  }

  #passesBranchTests(value: object, branch: CodecBranch): boolean {
    const codec = this.#resolveCodec(branch.codec);
    if (codec?.kind === 'union') return codec.branches.some((each) => this.#passesBranchTests(value, each));
    if (codec === undefined)
      return (Array.isArray(value) || isWrittenByMembers(value)) && fitsBranch(value, branch);
    return isOfCodecClass(value, codec) && (codec.kind !== 'object' || fitsBranch(value, branch));
  }

  matchesCodec(value: unknown, given: Codec | null | undefined): boolean {
    if (value === null || value === undefined || typeof value === 'function') return true;
    const codec = this.#resolveCodec(given ?? undefined) ?? json;
    if (typeof value !== 'object') return matchesPrimitive(value, codec);
    const known = this.#known.get(value) ?? new Map<Codec, boolean>();
    this.#known.set(value, known);
    const answer = known.get(codec);
    if (answer !== undefined) return answer;
    known.set(codec, true);
    const found = this.#matchesObject(value, codec);
    known.set(codec, found);
    return found;
  }

  #matchesObject(value: object, codec: Codec): boolean {
    if (codec === json) return this.#isJsonObject(value);
    if (codec.kind === 'union')
      return codec.branches.some(
        (branch) => this.#passesBranchTests(value, branch) && this.matchesCodec(value, branch.codec),
      );
    return isOfCodecClass(value, codec) && this.#matchParts(value, codec);
  }

  #matchParts(value: object, codec: Codec): boolean {
    switch (codec.kind) {
      case 'array':
      case 'set':
        return itemsOfArrayOrSet(value).every((item) => this.matchesCodec(item, codec.items));
      case 'tuple':
        return itemsOfArrayOrSet(value).every((item, index, { length }) =>
          this.matchesCodec(item, codecOfElement(codec, index, length)),
        );
      case 'map':
        return this.#matchEntries(value as Map<unknown, unknown>, codec);
      case 'object':
        return namesToWrite(value, codec).every((name) =>
          this.matchesCodec((value as Record<string, unknown>)[name], codecOfMember(codec, name)),
        );
      default:
        return true;
    }
  }

  #matchEntries(
    value: Map<unknown, unknown>,
    { form, key, value: values }: Codec & { kind: 'map' },
  ): boolean {
    const matchesKey = (given: unknown): boolean =>
      form === 'entries'
        ? this.matchesCodec(given, key)
        : typeof given === 'number' || (typeof given === 'string' && key?.kind !== 'number-key');
    return [...value].every(([k, v]) => matchesKey(k) && this.matchesCodec(v, values));
  }

  #isJsonObject(value: object): boolean {
    if (Array.isArray(value)) return value.every((item) => this.matchesCodec(item, json));
    if (isBoxed(value)) return true;
    const prototype: unknown = Object.getPrototypeOf(value);
    const isLiteral = prototype === Object.prototype || prototype === null;
    return isLiteral && Object.values(value).every((part) => this.matchesCodec(part, json));
  }

  #resolveCodec(codec: Codec | undefined): Codec | undefined {
    return resolveCodec(codec, this.#codecs);
  }
}

/** Stands for an absent codec: the value is its JSON. */
const json: Codec = { kind: 'any' };

/** An iterator can run only once, so its items are not looked at. */
function itemsOfArrayOrSet(value: object): unknown[] {
  return Array.isArray(value) || value instanceof Set ? [...(value as Iterable<unknown>)] : [];
}

function matchesPrimitive(value: unknown, codec: Codec): boolean {
  if (codec.kind === 'any') return true;
  if (codec.kind === 'bigint') return typeof value === 'bigint';
  if (codec.kind !== 'union') return false;
  return codec.branches.some(
    (branch) => fitsBranch(value, branch) && matchesPrimitive(value, branch.codec ?? json),
  );
}

/** Whether a codec writes values of this class. References and unions are resolved before. */
export function isOfCodecClass(value: object, codec: Codec): boolean {
  switch (codec.kind) {
    case 'any':
      return true;
    case 'toJSON':
      return hasToJson(value);
    case 'object':
      return isWritableAsObject(value, codec);
    case 'array':
    case 'tuple':
      return Array.isArray(value) || (isIterable(value) && !(value instanceof Map) && !isScalar(value));
    case 'set':
      return value instanceof Set;
    case 'map':
      return value instanceof Map;
    case 'numbers':
      return isNumericTypedArray(value);
    case 'bigint':
      return value instanceof BigInt;
    case 'ref':
    case 'union':
    case 'number-key':
    // Results with `Temporal` are written by `toJSON`.
    case 'temporal':
      return false;
    default:
      return isScalar(value, codec.kind);
  }
}

export function isWritableAsObject(value: object, { only }: ObjectCodec): boolean {
  return only === undefined ? isWrittenByMembers(value) : !isWrittenByClass(value);
}

export function isWrittenByMembers(value: object): boolean {
  return !isWrittenByClass(value) && !hasItemsOnly(value);
}

/** Whether a value is written by its class instead of its members. */
function isWrittenByClass(value: object): boolean {
  if (isPlainObjectLiteral(value)) return false;
  if (Array.isArray(value) || value instanceof Map || value instanceof Set) return true;
  return isScalar(value) || isNumericTypedArray(value) || isBoxed(value);
}

/** Most results are object literals, for which no class is looked up. */
export function isPlainObjectLiteral(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}

/** A set, an iterator or a generator has items and no members. */
export function hasItemsOnly(value: object): value is Iterable<unknown> {
  return isIterable(value) && Object.keys(value).length === 0;
}

export function isBoxed(value: object): boolean {
  return (
    value instanceof String || value instanceof Number || value instanceof Boolean || value instanceof BigInt
  );
}

export function hasToJson(value: object): value is { toJSON: () => unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

export function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value && typeof value[Symbol.iterator] === 'function';
}

export function namesToWrite(value: object, { only, without }: ObjectCodec): readonly string[] {
  return only ?? Object.keys(value).filter((name) => without?.includes(name) !== true);
}

/**
 * Merges the alternatives that fit a value, or all if none does: the result has each member that one of them names,
 * except those that one hides. Lists and maps are merged only if all alternatives are.
 */
export function mergeBranchCodecs(
  value: object,
  branches: readonly CodecBranch[],
  codecs: Codecs,
): Codec | undefined {
  if (Array.isArray(value)) return mergeItemCodecs(branches, codecs);
  if (value instanceof Map) return mergeMapCodecs(branches, codecs);
  const fitting = listObjectCodecs(branches, codecs, (branch) => fitsBranch(value, branch));
  const objects = fitting.length > 0 ? fitting : listObjectCodecs(branches, codecs, () => true);
  const [first, ...others] = objects;
  return first === undefined || others.length === 0 ? first : mergeObjectCodecs(value, objects, codecs);
}

function mergeItemCodecs(branches: readonly CodecBranch[], codecs: Codecs): Codec | undefined {
  const lists = branches.map(({ codec }) => resolveCodec(codec, codecs));
  const items = lists.flatMap((codec) => (codec?.kind === 'array' ? [codec.items] : []));
  const merged = items.length < lists.length ? undefined : unionCodecOf(items);
  return merged && { kind: 'array', items: merged };
}

function mergeMapCodecs(branches: readonly CodecBranch[], codecs: Codecs): Codec | undefined {
  const all = branches.map(({ codec }) => resolveCodec(codec, codecs));
  const maps = all.flatMap((codec) => (codec?.kind === 'map' && codec.form === 'object' ? [codec] : []));
  const values = maps.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const merged = values.length < all.length ? undefined : unionCodecOf(values);
  return merged && { kind: 'map', form: 'object', value: merged };
}

function listObjectCodecs(
  branches: readonly CodecBranch[],
  codecs: Codecs,
  fits: (branch: CodecBranch) => boolean,
): ObjectCodec[] {
  return branches.filter(fits).flatMap(({ codec: given }) => {
    const codec = resolveCodec(given, codecs);
    if (codec?.kind === 'union') return listObjectCodecs(codec.branches, codecs, fits);
    return codec?.kind === 'object' ? [codec] : [];
  });
}

function mergeObjectCodecs(value: object, objects: readonly ObjectCodec[], codecs: Codecs): ObjectCodec {
  const inside = new Set(objects.flatMap(({ without = [] }) => without));
  const names = new Set(objects.flatMap((object) => namesToWrite(value, object)));
  const only = [...names].filter((name) => !inside.has(name));
  const properties: Record<string, Codec> = {};
  for (const name of only) {
    const all = objects.filter((object) => namesToWrite(value, object).includes(name));
    const parts = all.map((object) => codecOfMember(object, name)).filter((codec) => codec !== undefined);
    const codec = unionCodecOf([...new Set(parts.map((part) => resolveCodec(part, codecs) ?? part))]);
    if (codec !== undefined) setOwnMember(properties as Record<string, unknown>, name, codec);
  }
  return { kind: 'object', only, properties };
}

function unionCodecOf(codecs: readonly Codec[]): Codec | undefined {
  if (codecs.length < 2) return codecs[0];
  return { kind: 'union', branches: codecs.map((codec) => ({ ...makeBranchTest(codec), codec })) };
}

function makeBranchTest({ kind }: Codec): Pick<CodecBranch, 'types'> {
  if (kind === 'array' || kind === 'tuple') return { types: ['array'] };
  return kind === 'object' ? { types: ['object'] } : {};
}

/** Whether nothing of the value is left out or written in another way. */
export function isUnchanged(value: object, { only, properties, patterns, additional }: ObjectCodec): boolean {
  if (only === undefined || (properties ?? patterns ?? additional) !== undefined) return false;
  return (
    isRecord(value) && isPlainObjectLiteral(value) && Object.keys(value).every((name) => only.includes(name))
  );
}
