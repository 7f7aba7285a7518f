// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What a function returns becomes JSON, by its type, and by its class where it has another. */
import { isRecord, ownMember, parseJson, writeJson } from '../../json-rpc.ts';
import { LIMITS } from '../../settings.ts';
import { type Json, ToolError } from '../../types.ts';
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

/** What a generator gives may have no end. */
export class AnswerSize {
  #characters = 0;

  /** @throws {ToolError} when it is more than a message holds */
  add(item: unknown): void {
    this.#characters += 1 + measureText(item);
    if (this.#characters > LIMITS.writtenBytes)
      throw new ToolError(`The result has more than ${LIMITS.writtenBytes} characters. Ask for less.`);
  }
}

function measureText(item: unknown): number {
  try {
    return ((writeJson(item) as string | undefined) ?? '').length;
  } catch {
    // Its type may leave out the part that contains itself.
    return 0;
  }
}

const ANY: Codec = { kind: 'any' };

class Encoder {
  readonly #codecs: Codecs;
  readonly #path: (string | number)[];
  readonly #open = new Set<object>();
  readonly #decided = new Map<object, Map<UnionCodec, Written>>();

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
    try {
      return this.#writeObject(value, codec);
    } finally {
      this.#open.delete(value);
    }
  }

  #writePart(step: string | number, part: unknown, codec: MaybeCodec): unknown {
    this.#path.push(step);
    try {
      return this.write(part, codec);
    } finally {
      this.#path.pop();
    }
  }

  /** Stores without dates return texts, which must be valid ones. */
  #writePrimitive(value: unknown, codec: Codec): unknown {
    if (codec.kind !== 'date' || typeof value !== 'string' || readScalar(value, codec) !== undefined)
      return value;
    const words = `${describeScalar(codec)} but is ${JSON.stringify(value)}`;
    throw new Unfit(`${printPath(this.#path)} must be ${words}.`);
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
    const items = collectItems(value);
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
      [...value].map(([key, member]) => {
        if (typeof key === 'object') throw new Unfit(`${printPath(this.#path)} has a key that is no text.`);
        return [String(key), this.#writePart(String(key), member, members)];
      }),
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

  /** Unions may share parts, and each is decided once: a chain of such values would take twice as long at each level. */
  #writeUnion(value: object, union: UnionCodec): unknown {
    const decided = this.#decided.get(value) ?? new Map<UnionCodec, Written>();
    let written = decided.get(union);
    if (written === undefined) {
      try {
        written = { json: this.#chooseAlternative(value, union) };
      } catch (thrown) {
        if (!(thrown instanceof Unfit)) throw thrown;
        written = { refusal: thrown };
      }
      this.#decided.set(value, decided.set(union, written));
    }
    if ('refusal' in written) throw written.refusal;
    return written.json;
  }

  /**
   * The alternative whose schema takes what it writes; without one, the first that writes anything. A value of several objects has
   * the members that any of them names, without those that one hides.
   */
  #chooseAlternative(given: object, { branches, schemas }: UnionCodec): unknown {
    // An iterator gives its items once.
    const value = hasItemsOnly(given) && !isWrittenByClass(given) ? collectItems(given) : given;
    const candidates = branches.filter((branch) => this.#passes(value, branch));
    if (candidates.length === 0) return this.#writeByClass(value);
    let refusal: Unfit | undefined;
    const written = candidates.flatMap((branch) => {
      const codec = resolveCodec(branch.codec, this.#codecs);
      try {
        return { branch, codec, json: codec === undefined ? value : this.#writeObject(value, codec) };
      } catch (thrown) {
        if (!(thrown instanceof Unfit)) throw thrown;
        refusal ??= thrown;
        return [];
      }
    });
    if (refusal !== undefined && written.length === 0) throw refusal;
    const accepted =
      written.length > 1
        ? written.filter(({ branch, json }) => isPlain(json) && isValid(json, branch.accepts, schemas))
        : [];
    const fitting = accepted.length > 0 ? accepted : written;
    const plain: ObjectCodec = { kind: 'object' };
    const objects = fitting.flatMap(({ branch, codec = plain }) =>
      codec.kind === 'object' ? { branch, codec } : [],
    );
    if (fitting.length < 2 || objects.length < fitting.length || !isWrittenByMembers(value))
      return fitting[0]?.json;
    // A class states which of its members are public.
    const stating = objects.filter(({ codec }) => codec.only !== undefined);
    const named = isLiteral(value) || stating.length === 0 ? objects : stating;
    const names = new Set(named.flatMap(({ codec }) => listNames(value, codec)));
    for (const { codec } of objects) for (const name of codec.without ?? []) names.delete(name);
    const properties = [...names].flatMap((name): [string, Codec][] => {
      const parts = new Map<MaybeCodec, Branch>();
      for (const { branch, codec } of named) {
        const part = resolveCodec(codecOfMember(codec, name), this.#codecs);
        const accepts = ownMember(memberSchemas(branch, schemas), name);
        if (part !== undefined) parts.set(part, { codec: part, ...(isRecord(accepts) && { accepts }) });
      }
      const [first, ...others] = parts.values();
      if (first?.codec === undefined) return [];
      return [[name, others.length === 0 ? first.codec : unionOf([first, ...others], schemas)]];
    });
    return this.#writeMembers(value as Record<string, unknown>, {
      kind: 'object',
      only: [...names],
      properties: Object.fromEntries(properties),
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

type Written = { json: unknown } | { refusal: Unfit };

/** A value that an alternative can't write. */
class Unfit extends TypeError {}

function unionOf(branches: Branch[], schemas: UnionCodec['schemas']): UnionCodec {
  return { kind: 'union', branches, ...(schemas && { schemas }) };
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

/** Members that are written: those that the type names, or whose names fit one of its patterns. */
function listNames(value: object, { only, patterns = {}, without = [] }: ObjectCodec): string[] {
  const expressions = Object.keys(patterns).map((source) => new RegExp(source, 'u'));
  const fitting = Object.keys(value).filter((name) =>
    expressions.some((expression) => expression.test(name)),
  );
  const names = only === undefined ? Object.keys(value) : new Set([...only, ...fitting]);
  return [...names].filter((name) => !without.includes(name));
}

/** An iterator may have no end. */
function collectItems(value: Iterable<unknown>): unknown[] {
  if (Array.isArray(value) || value instanceof Set) return [...value];
  const items: unknown[] = [];
  const size = new AnswerSize();
  for (const item of value) {
    size.add(item);
    items.push(item);
  }
  return items;
}

function isLiteral(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A map where a plain object is expected would pass as one without members. */
function isPlain(json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return true;
  if (!Array.isArray(json) && !isWrittenByMembers(json)) return false;
  return Object.values(json).every(isPlain);
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
function hasItemsOnly(value: object): value is Iterable<unknown> {
  return isIterable(value) && Object.keys(value).length === 0;
}

function isBoxed(value: object): boolean {
  return [String, Number, Boolean, BigInt].some((type) => value instanceof type);
}

function hasOwnForm(value: object): value is { toJSON: () => unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
