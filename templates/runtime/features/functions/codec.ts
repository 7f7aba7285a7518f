// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Codecs say how values that JSON has no form for are read from JSON and written as it. The compiler makes them of types. */
import { isRecord, ownMember } from '../../json-rpc.ts';
import type { JsonObject, Schema, SchemaObject } from '../../types.ts';
import { compileSchema, isOfType, type Validator } from '../../validate.ts';

export type Codec =
  | { kind: ScalarKind; form?: 'date'; as?: string }
  | { kind: 'numbers'; as: keyof typeof NUMBERS }
  | { kind: 'array' | 'set'; items?: Codec }
  /** `rest`: of the items after `items`. `last`: of those that end the list. */
  | { kind: 'tuple'; items: (Codec | null)[]; rest?: Codec; last?: (Codec | null)[] }
  | ObjectCodec
  | { kind: 'map'; form: 'object' | 'entries'; key?: Codec; value?: Codec }
  | UnionCodec
  /** A class with `toJSON`, whose value is written by `as`. */
  | { kind: 'toJSON'; as?: Codec }
  /** The type is unknown: a result is written by its class. */
  | { kind: 'any' }
  | { kind: 'ref'; name: string };

export interface ObjectCodec {
  kind: 'object';
  properties?: Record<string, Codec>;
  patterns?: Record<string, Codec>;
  additional?: Codec;
  defaults?: JsonObject;
  /** A result has these members and no others, those of the prototype (accessors) too. */
  only?: string[];
  /** Private members: results are written without them, and no argument may have them. */
  without?: string[];
}

export interface UnionCodec {
  kind: 'union';
  branches: Branch[];
  schemas?: Record<string, Schema>;
}

/** An alternative of a union. Its tests are quick; `accepts` is for values that several alternatives pass. */
export interface Branch {
  /** Types of the JSON form. Absent: it may have each type. */
  types?: string[];
  required?: string[];
  /** A member whose values tell the alternatives apart. */
  tag?: { name: string; values: unknown[] };
  /** An argument with one of these members is another alternative. */
  without?: string[];
  accepts?: SchemaObject;
  codec?: Codec;
}

export type Codecs = Readonly<Record<string, Codec>>;
/** Undefined and null: the value is JSON. */
export type MaybeCodec = Codec | null | undefined;

/** A reference that the codecs don't have leaves the value as it is. */
export function resolveCodec(codec: MaybeCodec, codecs: Codecs): Exclude<Codec, { kind: 'ref' }> | undefined {
  let target = codec ?? undefined;
  while (target?.kind === 'ref') target = ownMember(codecs, target.name);
  return target;
}

export function codecOfItem(codec: Codec, index: number, length: number): MaybeCodec {
  if (codec.kind !== 'tuple') return 'items' in codec ? codec.items : undefined;
  const { items, rest, last = [] } = codec;
  if (index < items.length) return items[index];
  return length - index <= last.length ? last[last.length - (length - index)] : rest;
}

export function codecOfMember(
  { properties, patterns = {}, additional }: ObjectCodec,
  name: string,
): MaybeCodec {
  const codec = ownMember(properties, name);
  if (codec !== undefined) return codec;
  const pattern = Object.keys(patterns).find((source) => new RegExp(source, 'u').test(name));
  return pattern === undefined ? additional : patterns[pattern];
}

// Alternatives.

export function passes(value: unknown, { types, required = [], tag }: Branch): boolean {
  if (types !== undefined && !types.some((type) => isOfType(value, type))) return false;
  if (!isRecord(value)) return true;
  const label = tag && value[tag.name];
  if (label !== undefined && tag?.values.includes(label) !== true) return false;
  return required.every((name) => value[name] !== undefined);
}

const validators = new WeakMap<SchemaObject, Validator>();

export function isValid(value: unknown, schema: Schema | undefined, schemas: UnionCodec['schemas']): boolean {
  if (typeof schema !== 'object') return schema !== false;
  const validate = validators.get(schema) ?? compileSchema({ ...schema, $defs: schemas ?? {} });
  validators.set(schema, validate);
  return validate(value).length === 0;
}

/** What an alternative's schema says of each member. Undefined: it names none. */
export function memberSchemas(
  { accepts }: Branch,
  schemas: UnionCodec['schemas'],
): Record<string, Schema> | undefined {
  const reference = accepts?.['$ref'];
  const target =
    typeof reference === 'string' ? ownMember(schemas, reference.replace('#/$defs/', '')) : accepts;
  return isRecord(target) ? target.properties : undefined;
}

// Values whose JSON is one text or number.

interface Scalar {
  /** What an argument must be. */
  words: string;
  /** Undefined for JSON that is no such value. */
  read: (json: unknown, as: string | undefined) => unknown;
  isInstance?: (value: object) => boolean;
  write?: (value: never) => string;
}

const text =
  (read: (text: string, as: string | undefined) => unknown): Scalar['read'] =>
  (json, as) => {
    try {
      return typeof json === 'string' ? read(json, as) : undefined;
    } catch {
      return undefined;
    }
  };

const SCALARS = {
  date: {
    words: 'a date and time such as 2026-01-31T09:00:00Z',
    read: text(readDate),
    isInstance: (value) => value instanceof Date,
    write: (date: Date) => date.toISOString(),
  },
  bytes: {
    words: 'bytes as base64',
    read: text(readBase64),
    isInstance: (value) => toBuffer(value) !== undefined,
    write: (bytes: object) => toBuffer(bytes)?.toString('base64') ?? '',
  },
  bigint: {
    words: 'an integer',
    read: (json) =>
      typeof json === 'bigint' ? json : Number.isInteger(json) ? BigInt(json as number) : undefined,
  },
  'number-key': { words: 'a number', read: text(Number) },
  url: {
    words: 'a URL such as https://example.com/a',
    read: text((url) => new URL(url)),
    isInstance: (value) => value instanceof URL,
    write: (url: URL) => url.href,
  },
  regexp: {
    words: 'a regular expression',
    read: text((source) => {
      const [, pattern, flags] = /^\/(.+)\/([a-z]+)$/s.exec(source) ?? [];
      return pattern === undefined ? new RegExp(source) : new RegExp(pattern, flags);
    }),
    isInstance: (value) => value instanceof RegExp,
    write: (expression: RegExp) => (expression.flags === '' ? expression.source : String(expression)),
  },
  /** Results are written by `toJSON`. Older versions of Node have no `Temporal`. */
  temporal: {
    words: 'a text that `Temporal` of this Node.js reads',
    read: text((source, as = '') => {
      const classes: unknown = Reflect.get(globalThis, 'Temporal');
      const type = isRecord(classes) ? ownMember(classes, as) : undefined;
      return (type as { from?: (source: string) => unknown } | undefined)?.from?.(source);
    }),
  },
} satisfies Record<string, Scalar>;

type ScalarKind = keyof typeof SCALARS;
type ScalarCodec = Extract<Codec, { kind: ScalarKind }>;

export const isScalarCodec = (codec: Codec): codec is ScalarCodec => Object.hasOwn(SCALARS, codec.kind);

export function readScalar(json: unknown, { kind, as, form }: ScalarCodec): unknown {
  return (SCALARS[kind] as Scalar).read(json, form ?? as);
}

export function describeScalar({ kind, form }: ScalarCodec): string {
  return form === 'date' ? 'a date such as 2026-01-31' : SCALARS[kind].words;
}

export function isScalar(value: object, kind?: ScalarKind): boolean {
  const rows: Scalar[] = kind === undefined ? Object.values(SCALARS) : [SCALARS[kind]];
  return rows.some(({ isInstance }) => isInstance?.(value) === true);
}

/** Undefined for other values. */
export function writeScalar(value: object, form?: 'date'): string | undefined {
  const row = (Object.values(SCALARS) as Scalar[]).find(({ isInstance }) => isInstance?.(value) === true);
  const written = row?.write?.(value as never);
  return form === 'date' && value instanceof Date ? written?.slice(0, 10) : written;
}

/** RFC 3339. A day is its first moment in UTC; a time without an offset is ambiguous, and refused. */
function readDate(source: string, form: string | undefined): Date | undefined {
  const [, day = '', time] =
    /^(\d{4}-\d\d-\d\d)(?:[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/.exec(
      source,
    ) ?? [];
  if (day === '' || (form === 'date' && time !== undefined)) return undefined;
  // `Date` takes 30 February for 2 March.
  const isDay = new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  return isDay ? new Date(source.toUpperCase()) : undefined;
}

/** Both alphabets of RFC 4648, padded or not. */
function readBase64(source: string, as = 'Uint8Array'): unknown {
  const digits = source.replace(/={1,2}$/, '');
  if (digits.length % 4 === 1 || (digits !== source && source.length % 4 !== 0)) return undefined;
  if (!/^(?:[A-Za-z\d+/]*|[A-Za-z\d_-]*)$/.test(digits)) return undefined;
  const buffer = Buffer.from(source, 'base64');
  if (as === 'Buffer') return buffer;
  // A buffer may share its memory with others.
  const { length } = buffer;
  const bytes = new Uint8Array(
    as === 'SharedArrayBuffer' ? new SharedArrayBuffer(length) : new ArrayBuffer(length),
  );
  bytes.set(buffer);
  if (as === 'Uint8Array') return bytes;
  return as === 'DataView' ? new DataView(bytes.buffer) : bytes.buffer;
}

export function toBuffer(value: unknown): Buffer | undefined {
  if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) return Buffer.from(value);
  if (!(value instanceof Uint8Array || value instanceof DataView)) return undefined;
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

// Arrays of numbers.

export const NUMBERS = {
  ...{
    Int8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
  },
  ...{ BigInt64Array, BigUint64Array },
};

export function isNumbers(value: unknown): value is Iterable<number | bigint> {
  return ArrayBuffer.isView(value) && !(value instanceof DataView) && !(value instanceof Uint8Array);
}
