import type { JsonObject, JsonSchema, JsonSchemaObject, JsonType } from '../util/json-schema.ts';

/**
 * How a value that JSON has no form for is written as JSON: made from a type, for the feature `functions`.
 */
export type Codec =
  | ScalarCodec
  | { kind: 'numbers'; as: NumbersClass }
  | { kind: 'array'; items: Codec }
  /** `rest` is for the items after `items`; `last` for those that end the list. */
  | { kind: 'tuple'; items: (Codec | null)[]; rest?: Codec; last?: (Codec | null)[] }
  | ObjectCodec
  | { kind: 'map'; form: 'object' | 'entries'; key?: Codec; value?: Codec }
  | { kind: 'set'; items?: Codec }
  | UnionCodec
  /** The class of a result has `toJSON`; `as` is the codec of the value that it returns. */
  | { kind: 'toJSON'; as?: Codec }
  /** The type is unknown, so a result is written by its class. */
  | { kind: 'any' }
  | { kind: 'ref'; name: string };

export type ScalarCodec =
  /** RFC 3339; `date` is the day in UTC. Default `date-time`. */
  | { kind: 'date'; form?: 'date' }
  /** Base64 (RFC 4648, section 4). Default `Uint8Array`. */
  | { kind: 'bytes'; as?: BytesClass }
  | { kind: 'bigint' }
  | { kind: 'number-key' }
  | { kind: 'url' }
  /** A class of the global `Temporal`. */
  | { kind: 'temporal'; as: string }
  /** The pattern, or `/pattern/flags` when it has flags. */
  | { kind: 'regexp' };

export type BytesClass = 'Uint8Array' | 'Buffer' | 'ArrayBuffer' | 'SharedArrayBuffer' | 'DataView';

export type NumbersClass =
  | 'Int8Array'
  | 'Uint8ClampedArray'
  | 'Int16Array'
  | 'Uint16Array'
  | 'Int32Array'
  | 'Uint32Array'
  | 'Float32Array'
  | 'Float64Array'
  | 'BigInt64Array'
  | 'BigUint64Array';

export interface ObjectCodec {
  kind: 'object';
  properties?: Record<string, Codec>;
  patterns?: Record<string, Codec>;
  additional?: Codec;
  defaults?: JsonObject;
  /** Results: these members and no others, those of the prototype (accessors) too. */
  only?: string[];
  /** Private members: results are written without them, and no argument may have them. */
  without?: string[];
}

export interface UnionCodec {
  kind: 'union';
  /** The first that accepts a value is used. */
  branches: CodecBranch[];
  schemas?: Record<string, JsonSchema>;
}

/** One alternative of a union. Its tests are quick; `accepts` is checked if they leave several alternatives. */
export interface CodecBranch {
  /** Types of the JSON form. Absent: it may have each type. */
  types?: JsonType[];
  required?: string[];
  /** A member whose values identify this alternative; its absence does too, unless it is `required`. */
  tag?: { name: string; values: (string | number | boolean | null)[] };
  /** An argument with one of these members is another alternative, whose own they are. */
  without?: string[];
  /** Absent if the alternatives are distinguished without it, or are decoded alike. */
  accepts?: JsonSchemaObject;
  codec?: Codec;
}
