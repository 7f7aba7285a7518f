// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What a function returns becomes JSON, by its type, and by its class where it has another. */
import { ownMember, parseJson, writeJson } from '../../json-rpc.ts';
import type { Json } from '../../types.ts';
import { printPath } from '../../validate.ts';
import { type Branch, type Codec, type Codecs, codecOfItem, codecOfMember, describeScalar } from './codec.ts';
import { isNumbers, isScalar, isScalarCodec, isValid, type MaybeCodec, memberSchemas } from './codec.ts';
import { type ObjectCodec, passes, readScalar, resolveCodec, type UnionCodec, writeScalar } from './codec.ts';

/** Undefined: JSON has nothing for it. @throws {Error} that names the member that JSON can't say */
export function toJson(
  value: unknown,
  codec: MaybeCodec,
  codecs: Codecs = {},
  name = 'result',
): Json | undefined {
  const encoded = new Encoder(codecs, name).write(value, codec);
  const text = writeJson(encoded) as string | undefined;
  // `JSON.stringify` writes null for NaN and for a date that does not exist.
  if (text?.includes('null') === true) refuseLost(encoded, [name]);
  return text === undefined ? undefined : (parseJson(text) as Json);
}

function refuseLost(value: unknown, path: readonly (string | number)[]): void {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new RangeError(`${printPath(path)} is ${value}, which JSON can't say.`);
  if (typeof value !== 'object' || value === null) return;
  refuseNoDate(value, path);
  if ('toJSON' in value) return;
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [step, member] of entries) refuseLost(member, [...path, step]);
}

function refuseNoDate(value: object, path: readonly (string | number)[]): void {
  if (value instanceof Date && Number.isNaN(value.getTime()))
    throw new RangeError(`${printPath(path)} is a date that does not exist.`);
}

const ANY: Codec = { kind: 'any' };

class Encoder {
  readonly #codecs: Codecs;
  readonly #path: (string | number)[];
  readonly #open = new Set<object>();

  constructor(codecs: Codecs, name: string) {
    this.#codecs = codecs;
    this.#path = [name];
  }

  write(value: unknown, unresolved: MaybeCodec): unknown {
    const codec = resolveCodec(unresolved, this.#codecs);
    if (codec === undefined || value === null || value === undefined) return value;
    if (typeof value !== 'object') return this.#writePrimitive(value, codec);
    refuseNoDate(value, this.#path);
    if (this.#open.has(value)) throw new TypeError("The result contains itself, which JSON can't say.");
    this.#open.add(value);
    const written = this.#writeObject(value, codec);
    this.#open.delete(value);
    return written;
  }

  #writePart(step: string | number, part: unknown, codec: MaybeCodec): unknown {
    this.#path.push(step);
    const written = this.write(part, codec);
    this.#path.pop();
    return written;
  }

  /** Stores without dates return texts, which must be valid ones. */
  #writePrimitive(value: unknown, codec: Codec): unknown {
    if (codec.kind !== 'date' || typeof value !== 'string' || readScalar(value, codec) !== undefined)
      return value;
    const words = `${describeScalar(codec)} but is ${JSON.stringify(value)}`;
    throw new TypeError(`${printPath(this.#path)} must be ${words}.`);
  }

  #writeObject(value: object, codec: Codec): unknown {
    if (codec.kind === 'union') return this.#writeUnion(value, codec);
    if (!isOfClass(value, codec)) return this.#writeByClass(value);
    if (isScalarCodec(codec)) return writeScalar(value, codec.form) ?? this.#writeByClass(value);
    switch (codec.kind) {
      case 'array':
      case 'set':
      case 'tuple':
        return this.#writeItems(value as Iterable<unknown>, codec);
      case 'numbers':
        return [...(value as Iterable<number>)];
      case 'map':
        return this.#writeMap(value as Map<unknown, unknown>, codec);
      case 'object':
        return this.#writeMembers(value as Record<string, unknown>, codec);
      case 'toJSON':
        return this.#writeOwnForm(value, codec.as);
      default:
        return this.#writeByClass(value);
    }
  }

  #writeOwnForm(value: object, codec: MaybeCodec): unknown {
    const form = hasOwnForm(value) ? value.toJSON() : value;
    return form === value ? value : this.write(form, codec);
  }

  #writeItems(value: Iterable<unknown>, codec: Codec): unknown[] {
    const items = [...value];
    return items.map((item, index) => this.#writePart(index, item, codecOfItem(codec, index, items.length)));
  }

  #writeMap(value: Map<unknown, unknown>, codec: Codec & { kind: 'map' }): unknown {
    const { form, key: keys, value: members } = codec;
    if (form === 'entries')
      return [...value].map(([key, member], index) => [
        this.#writePart(index, key, keys),
        this.#writePart(index, member, members),
      ]);
    return Object.fromEntries(
      [...value].map(([key, member]) => [String(key), this.#writePart(String(key), member, members)]),
    );
  }

  #writeMembers(value: Record<string, unknown>, codec: ObjectCodec): unknown {
    const entries = listNames(value, codec).flatMap((name): [string, unknown][] => {
      const member = name in Object.prototype ? ownMember(value, name) : value[name];
      if (member === undefined || typeof member === 'function') return [];
      return [[name, this.#writePart(name, member, codecOfMember(codec, name))]];
    });
    return Object.fromEntries(entries);
  }

  #writeByClass(value: object): unknown {
    if (value instanceof Promise) throw new TypeError('The result holds a promise: it was not awaited.');
    const scalar = writeScalar(value);
    if (scalar !== undefined) return scalar;
    if (isBoxed(value)) return value.valueOf();
    if (hasOwnForm(value)) return this.#writeOwnForm(value, ANY);
    if (isNumbers(value)) return [...value];
    if (value instanceof Map) {
      const form = [...value.keys()].every((key) => typeof key === 'string') ? 'object' : 'entries';
      return this.#writeMap(value, { kind: 'map', form, key: ANY, value: ANY });
    }
    if (Array.isArray(value) || value instanceof Set || hasItemsOnly(value))
      return this.#writeItems(value as Iterable<unknown>, { kind: 'array', items: ANY });
    const members: ObjectCodec = { kind: 'object', additional: ANY };
    if (!(value instanceof Error)) return this.#writeMembers(value as Record<string, unknown>, members);
    // Clients must not see a stack.
    const names = new Set(['name', 'message', 'cause', ...Object.keys(value)]);
    names.delete('stack');
    return this.#writeMembers(value as unknown as Record<string, unknown>, { ...members, only: [...names] });
  }

  // Alternatives.

  /** A value of several alternatives has the members that any of them names, without those that one hides. */
  #writeUnion(value: object, { branches, schemas }: UnionCodec): unknown {
    const passing = branches.filter((branch) => this.#passes(value, branch));
    const exact = passing.filter((branch) => acceptsPlainParts(value, branch, schemas));
    const fitting = exact.length > 0 ? exact : passing;
    if (fitting.length === 0) return this.#writeByClass(value);
    const codecs = fitting.map(({ codec }) => resolveCodec(codec, this.#codecs));
    const objects = codecs.flatMap((codec = { kind: 'object' }) => (codec.kind === 'object' ? codec : []));
    if (objects.length < 2 || objects.length < codecs.length || !isWrittenByMembers(value)) {
      const codec = mergeItems(codecs, this.#codecs);
      return codec === undefined ? value : this.#writeObject(value, codec);
    }
    // A class states which of its members are public.
    const stating = objects.filter(({ only }) => only !== undefined);
    const named = isLiteral(value) || stating.length === 0 ? objects : stating;
    const hidden = objects.flatMap(({ without = [] }) => without);
    const names = new Set(named.flatMap((codec) => listNames(value, codec)));
    for (const name of hidden) names.delete(name);
    const properties = [...names].flatMap((name) => {
      const parts = named.flatMap((codec) => codecOfMember(codec, name) ?? []);
      return parts.length === 0 ? [] : [[name, unionOf(parts, this.#codecs)]];
    });
    return this.#writeMembers(value as Record<string, unknown>, {
      kind: 'object',
      only: [...names],
      properties: Object.fromEntries(properties) as Record<string, Codec>,
    });
  }

  #passes(value: object, branch: Branch): boolean {
    const codec = resolveCodec(branch.codec, this.#codecs);
    if (codec?.kind === 'union') return codec.branches.some((inner) => this.#passes(value, inner));
    if (codec === undefined)
      return (Array.isArray(value) || isWrittenByMembers(value)) && passes(value, branch);
    return isOfClass(value, codec) && (codec.kind !== 'object' || passes(value, branch));
  }
}

/** Alternatives that are all lists, or all maps, are one with items of all; of others the first counts that writes anything. */
function mergeItems(codecs: MaybeCodec[], pool: Codecs): Codec | undefined {
  const lists = codecs.flatMap((codec) => (codec?.kind === 'array' ? [codec.items] : []));
  if (lists.length === codecs.length) return { kind: 'array', items: unionOf(lists, pool) };
  const maps = codecs.flatMap((codec) =>
    codec?.kind === 'map' && codec.form === 'object' ? [codec.value] : [],
  );
  if (maps.length === codecs.length) return { kind: 'map', form: 'object', value: unionOf(maps, pool) };
  return codecs.find((codec) => codec !== undefined && codec !== null) ?? undefined;
}

/** One codec of all is itself, so that a chain of such values takes no longer at each level. */
function unionOf(parts: MaybeCodec[], codecs: Codecs): Codec {
  const [first, ...others] = new Set(parts.map((codec) => resolveCodec(codec, codecs)));
  if (first !== undefined && others.length === 0) return first;
  return { kind: 'union', branches: [first, ...others].map((codec) => (codec ? { codec } : {})) };
}

/** Texts, numbers and booleans are JSON already, so a schema can be asked; also how many items there are. */
function acceptsPlainParts(value: object, branch: Branch, schemas: UnionCodec['schemas']): boolean {
  const { minItems = 0, maxItems = Infinity } = (branch.accepts ?? {}) as Record<string, number>;
  if (Array.isArray(value)) return value.length >= minItems && value.length <= maxItems;
  return Object.entries(memberSchemas(branch, schemas) ?? {}).every(([name, schema]) => {
    const part = (value as Record<string, unknown>)[name];
    return !['string', 'number', 'boolean'].includes(typeof part) || isValid(part, schema, schemas);
  });
}

function isOfClass(value: object, codec: Codec): boolean {
  if (isScalarCodec(codec))
    return codec.kind === 'bigint' ? value instanceof BigInt : isScalar(value, codec.kind);
  switch (codec.kind) {
    case 'array':
    case 'tuple':
      return Array.isArray(value) || (isIterable(value) && !(value instanceof Map) && !isScalar(value));
    case 'set':
      return value instanceof Set;
    case 'map':
      return value instanceof Map;
    case 'numbers':
      return isNumbers(value);
    case 'object':
      return codec.only === undefined ? isWrittenByMembers(value) : !isWrittenByClass(value);
    case 'toJSON':
      return hasOwnForm(value);
    default:
      return codec.kind === 'any';
  }
}

/** Members that are written. */
function listNames(value: object, { only, without = [] }: ObjectCodec): string[] {
  return (only ?? Object.keys(value)).filter((name) => !without.includes(name));
}

function isLiteral(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isWrittenByMembers(value: object): boolean {
  return !isWrittenByClass(value) && !hasItemsOnly(value);
}

function isWrittenByClass(value: object): boolean {
  if (isLiteral(value)) return false;
  const isCollection = Array.isArray(value) || value instanceof Map || value instanceof Set;
  return isCollection || isScalar(value) || isNumbers(value) || isBoxed(value);
}

function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value && typeof value[Symbol.iterator] === 'function';
}

/** A set, an iterator or a generator has no members. */
function hasItemsOnly(value: object): boolean {
  return isIterable(value) && Object.keys(value).length === 0;
}

function isBoxed(value: object): boolean {
  return [String, Number, Boolean, BigInt].some((type) => value instanceof type);
}

function hasOwnForm(value: object): value is { toJSON: () => unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
