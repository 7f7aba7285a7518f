// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * How a value that JSON has no form for travels: data that the compiler makes from a type. Read in one direction it
 * revives an argument (`revive.ts`), in the other it writes a result (`to-json.ts`). Where JSON is the value already,
 * there is none.
 */
import type { JsonObject, JsonSchema, JsonSchemaObject, JsonType } from './json-schema.ts';

export type Codec =
  | ScalarCodec
  | { kind: 'numbers'; as: NumbersClass }
  | { kind: 'array'; items: Codec }
  /** `rest` is of what follows `items`; `last` is of what ends the list behind the rest. */
  | { kind: 'tuple'; items: (Codec | null)[]; rest?: Codec; last?: (Codec | null)[] }
  | ObjectCodec
  | { kind: 'map'; form: 'object' | 'entries'; key?: Codec; value?: Codec }
  | { kind: 'set'; items?: Codec }
  | UnionCodec
  /** Of a result whose class says its JSON form itself; `as` is the codec of that form. */
  | { kind: 'toJSON'; as?: Codec }
  /** Whatever it is: a result is written by its class. */
  | { kind: 'any' }
  /** One of the named codecs. */
  | { kind: 'ref'; name: string };

/** A value that is one JSON string or number. */
export type ScalarCodec =
  /** RFC 3339; `date` is the day in UTC. Default `date-time`. */
  | { kind: 'date'; form?: 'date' }
  /** Base64 (RFC 4648, section 4). Default `Uint8Array`. */
  | { kind: 'bytes'; as?: BytesClass }
  /** An integer of any size. */
  | { kind: 'bigint' }
  /** The digits of an object's or a map's key. */
  | { kind: 'number-key' }
  | { kind: 'url' }
  /** The pattern, or `/pattern/flags` when it has flags. */
  | { kind: 'regexp' };

export type BytesClass = 'Uint8Array' | 'Buffer' | 'ArrayBuffer' | 'SharedArrayBuffer' | 'DataView';

/** Typed arrays that are lists of numbers. */
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
  /** Codecs of members that are not in `properties`, by a regular expression of their names. */
  patterns?: Record<string, Codec>;
  /** The codec of all other members. */
  additional?: Codec;
  /** Arguments: the JSON of members that are not given. */
  defaults?: JsonObject;
  /** Results: these members and no others, those of the prototype (accessors) too. */
  only?: string[];
  /** Members that stay inside: of results they are not written, and no argument may have them. */
  without?: string[];
}

export interface UnionCodec {
  kind: 'union';
  /** The one that counts where several take a value comes first. */
  branches: CodecBranch[];
  /** Schemas that `accepts` refers to as `#/$defs/<name>`. */
  schemas?: Record<string, JsonSchema>;
}

/** One alternative of a union. What its tests say is quick to see; `accepts` is asked where they leave several. */
export interface CodecBranch {
  /** Types of the JSON form; absent: any. */
  types?: JsonType[];
  /** Members that an object must have. */
  required?: string[];
  /** A member, and the values by which it tells this alternative; so does its absence, where it is not `required`. */
  tag?: { name: string; values: (string | number | boolean | null)[] };
  /** Arguments: members that another alternative keeps inside, and this one does not list. */
  without?: string[];
  /** The JSON that it takes. Absent where the alternatives are told apart without, or are revived the same. */
  accepts?: JsonSchemaObject;
  /** Default: the value stays as it is. */
  codec?: Codec;
}
