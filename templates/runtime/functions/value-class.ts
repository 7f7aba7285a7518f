/** What a value is by its class, without looking into it. */
import type { Codec, ObjectCodec } from '../contract/codec.ts';
import { isNumbers, isScalar } from './scalars.ts';

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
