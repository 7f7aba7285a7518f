// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Compares values with the alternatives of a union, reads and writes values whose JSON is one string or number, and lets
 * libraries check arguments.
 */
import type { SchemaCheck } from '../contract/bindings.ts';
import type {
  BytesClass,
  Codec,
  CodecBranch,
  JsonSchema,
  JsonSchemaObject,
  JsonType,
  NumbersClass,
  ObjectCodec,
  ScalarCodec,
  UnionCodec,
} from '../contract/json-schema.ts';
import { isRecord, getOwnMember, getJsonType, setOwnMember } from '../contract/json-value.ts';
import { type Test, compileSchemaTest } from '../schema/compile-schema.ts';
import { commonFormats } from '../schema/formats.ts';
import { type StandardIssue, describeIssue, matchesPattern } from '../schema/run.ts';

type Schemas = UnionCodec['schemas'];

const tests = new WeakMap<JsonSchemaObject, Test>();

/** Returns all alternatives if no schema accepts the value, since the whole was found valid. */
export function filterAcceptingBranches(
  value: unknown,
  branches: readonly CodecBranch[],
  schemas: Schemas,
): readonly CodecBranch[] {
  if (branches.length < 2) return branches;
  const accepting = branches.filter(
    ({ accepts }) => accepts === undefined || isValid(value, accepts, schemas),
  );
  return accepting.length === 0 ? branches : accepting;
}

/**
 * Compares a result with an alternative's schema before it is written: the number of items, texts, numbers and
 * booleans alone.
 */
export function acceptsPlainParts(value: object, { accepts }: CodecBranch, schemas: Schemas): boolean {
  const { properties = {}, minItems = 0, maxItems = Infinity } = resolveObjectSchema(accepts, schemas) ?? {};
  if (Array.isArray(value)) return value.length >= minItems && value.length <= maxItems;
  return Object.entries(properties).every(([name, schema]) => {
    const part = (value as Record<string, unknown>)[name];
    const isPlain = typeof part === 'string' || typeof part === 'number' || typeof part === 'boolean';
    return !isPlain || isValid(part, schema, schemas);
  });
}

function isValid(value: unknown, schema: JsonSchema, schemas: Schemas = {}): boolean {
  if (typeof schema === 'boolean') return schema;
  let test = tests.get(schema);
  if (test === undefined) tests.set(schema, (test = compileSchemaTest({ ...schema, $defs: schemas })));
  return test(value);
}

export function resolveObjectSchema(
  schema: JsonSchema | undefined,
  schemas: Schemas = {},
): JsonSchemaObject | undefined {
  if (!isRecord(schema)) return undefined;
  const { $ref } = schema as JsonSchemaObject;
  if ($ref !== undefined)
    return resolveObjectSchema(
      getOwnMember(schemas, $ref.slice('#/$defs/'.length)) as JsonSchema | undefined,
      schemas,
    );
  return schema;
}

export type Codecs = Readonly<Record<string, Codec>>;

export function codecOfElement(
  { items, rest, last = [] }: Codec & { kind: 'tuple' },
  index: number,
  length: number,
): Codec | null | undefined {
  if (index < items.length) return items[index];
  const fromEnd = length - index;
  return fromEnd <= last.length ? last[last.length - fromEnd] : rest;
}

export function codecOfMember(
  { properties = {}, patterns, additional }: ObjectCodec,
  name: string,
): Codec | undefined {
  const own = getOwnMember(properties, name) as Codec | undefined;
  if (own !== undefined) return own;
  const matched = Object.entries(patterns ?? {}).find(([pattern]) => matchesPattern(pattern, name));
  return matched?.[1] ?? additional;
}

export function resolveCodec(codec: Codec | undefined, codecs: Codecs): Codec | undefined {
  return codec?.kind === 'ref'
    ? resolveCodec(getOwnMember(codecs, codec.name) as Codec | undefined, codecs)
    : codec;
}

export function fitsBranch(value: unknown, { types, required = [], tag }: CodecBranch): boolean {
  const type = getJsonType(value);
  if (types !== undefined && !(type !== undefined && matchesAnyType(type, types))) return false;
  if (!isRecord(value)) return true;
  if (tag !== undefined && !hasTagValue(value[tag.name], tag)) return false;
  return required.every((name) => value[name] !== undefined);
}

function hasTagValue(value: unknown, { values }: NonNullable<CodecBranch['tag']>): boolean {
  return value === undefined || values.includes(value as string);
}

function matchesAnyType(type: JsonType, types: readonly JsonType[]): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

export function createMemberSchemaFinder(
  schema: JsonSchema | undefined,
  schemas: Schemas,
): (name: string) => JsonSchema | undefined {
  const said = resolveObjectSchema(schema, schemas) ?? {};
  const { properties = {}, patternProperties = {}, additionalProperties, anyOf, oneOf } = said;
  const alternatives = (anyOf ?? oneOf)?.map((each) => createMemberSchemaFinder(each, schemas)) ?? [];
  return (name) =>
    (getOwnMember(properties, name) as JsonSchema | undefined) ??
    Object.entries(patternProperties).find(([pattern]) => matchesPattern(pattern, name))?.[1] ??
    additionalProperties ??
    (alternatives.some((schemaOf) => schemaOf(name) !== undefined) ? true : undefined);
}

/** Counts the members of JSON values, at any depth, that a schema doesn't name. */
export class UnnamedMembers {
  readonly #schemas: Schemas;
  readonly #known = new Map<object, Map<JsonSchema, number>>();

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  countUnnamedMembers(value: unknown, schema: JsonSchema | undefined): number {
    if (typeof value !== 'object' || value === null || schema === undefined) return 0;
    const known = this.#known.get(value) ?? new Map<JsonSchema, number>();
    this.#known.set(value, known);
    const counted = known.get(schema) ?? this.#countInMembers(value, schema);
    known.set(schema, counted);
    return counted;
  }

  #countInMembers(value: object, schema: JsonSchema): number {
    const said = resolveObjectSchema(schema, this.#schemas) ?? {};
    const alternatives =
      (said.anyOf ?? said.oneOf)?.filter((each) => isValid(value, each, this.#schemas)) ?? [];
    if (alternatives.length > 0)
      return Math.min(...alternatives.map((each) => this.countUnnamedMembers(value, each)));
    if (Array.isArray(value)) {
      const { prefixItems = [], items } = said;
      return sumCounts(
        value.map((item, index) => this.countUnnamedMembers(item, prefixItems[index] ?? items)),
      );
    }
    if (said.type === undefined || !isRecord(value)) return 0;
    const schemaOf = createMemberSchemaFinder(said, this.#schemas);
    return sumCounts(
      Object.entries(value).map(([name, part]) => {
        const ofMember = schemaOf(name);
        return ofMember === undefined ? 1 : this.countUnnamedMembers(part, ofMember);
      }),
    );
  }
}

function sumCounts(counts: readonly number[]): number {
  return counts.reduce((total, each) => total + each, 0);
}

export function readScalar(value: unknown, codec: ScalarCodec): unknown {
  if (codec.kind === 'bigint') return toBigInt(value);
  if (typeof value !== 'string') return undefined;
  switch (codec.kind) {
    case 'date':
      return parseDate(value, codec.form);
    case 'bytes':
      return decodeBase64Bytes(value, codec.as);
    case 'number-key':
      return Number(value);
    case 'url':
      return URL.canParse(value) ? new URL(value) : undefined;
    case 'regexp':
      return parseRegExp(value);
    case 'temporal':
      return parseTemporal(value, codec.as);
  }
}

export function describeScalar(codec: ScalarCodec): string {
  if (codec.kind === 'temporal') return `a text that \`Temporal.${codec.as}.from\` of this Node.js reads`;
  return codec.kind === 'date' && codec.form === 'date'
    ? 'a date such as 2026-01-31'
    : scalarWords[codec.kind];
}

const scalarWords: Readonly<Record<Exclude<ScalarCodec['kind'], 'temporal'>, string>> = {
  date: 'a date and time such as 2026-01-31T09:00:00Z',
  bytes: 'bytes as base64',
  bigint: 'an integer',
  'number-key': 'a number',
  url: 'a URL such as https://example.com/a',
  regexp: 'a regular expression',
};

/** RFC 3339. A day alone is its first moment in UTC; a time without an offset is refused as ambiguous. */
function parseDate(text: string, form: 'date' | undefined): Date | undefined {
  const isDay = commonFormats['date']?.(text) === true;
  if (!isDay && (form === 'date' || commonFormats['date-time']?.(text) !== true)) return undefined;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

type TemporalClasses = Record<string, { from: (text: string) => unknown } | undefined>;

/** Reads a text by a class of `Temporal`; undefined also where Node.js has none. */
function parseTemporal(text: string, name: string): unknown {
  const { Temporal: classes = {} } = globalThis as { Temporal?: TemporalClasses };
  try {
    return getOwnMember(classes, name)?.from(text);
  } catch {
    return undefined;
  }
}

function toBigInt(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return Number.isInteger(value) ? BigInt(value as number) : undefined;
}

/** Accepts both alphabets of RFC 4648, padded or not. */
function decodeBase64Bytes(text: string, as: BytesClass = 'Uint8Array'): unknown {
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

function parseRegExp(text: string): RegExp | undefined {
  const [, pattern, flags] = /^\/(.+)\/([a-z]+)$/s.exec(text) ?? [];
  try {
    return pattern === undefined ? new RegExp(text) : new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}

/** A `bigint` is JSON here, and written as its digits. */
export function writeScalar(value: unknown, form?: 'date'): string | undefined {
  if (value instanceof Date) return form === 'date' ? value.toISOString().slice(0, 10) : value.toISOString();
  if (value instanceof URL) return value.href;
  if (value instanceof RegExp) return value.flags === '' ? value.source : String(value);
  return asBuffer(value)?.toString('base64');
}

export function isScalar(value: object, kind?: 'date' | 'url' | 'regexp' | 'bytes'): boolean {
  const classes = kind === undefined ? allScalarClasses : scalarClasses[kind];
  return classes.some((each) => value instanceof each);
}

const byteClasses = [Uint8Array, DataView, ArrayBuffer, SharedArrayBuffer];
const scalarClasses = { date: [Date], url: [URL], regexp: [RegExp], bytes: byteClasses };
const allScalarClasses = Object.values(scalarClasses).flat();

export function asBuffer(value: unknown): Buffer | undefined {
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

export function makeTypedArray(values: readonly unknown[], as: NumbersClass): Numbers {
  const isBig = as === 'BigInt64Array' || as === 'BigUint64Array';
  const given = isBig ? values.map((value) => BigInt(value as number | bigint)) : values.map(Number);
  return numbersClasses[as].from(given as never);
}

/**
 * Finds the first integer beyond 64 bits, which a typed array would change. A schema can't refuse it, since its
 * limits are doubles.
 */
export function findOverflowingInteger(values: readonly unknown[], as: NumbersClass): number {
  const wrap = wraps[as];
  if (wrap === undefined) return -1;
  return values.map((value) => BigInt(value as number | bigint)).findIndex((each) => wrap(64, each) !== each);
}

const wraps: Partial<Record<NumbersClass, (bits: number, value: bigint) => bigint>> = {
  BigInt64Array: (bits, value) => BigInt.asIntN(bits, value),
  BigUint64Array: (bits, value) => BigInt.asUintN(bits, value),
};

export function describeIntegerRange(as: NumbersClass): string {
  return as === 'BigUint64Array' ? 'an integer from 0 to 2^64-1' : 'an integer from -2^63 to 2^63-1';
}

/** Whether it is an array of numbers; one of bytes is a scalar instead. */
export function isNumericTypedArray(value: unknown): value is Numbers {
  return ArrayBuffer.isView(value) && !(value instanceof DataView) && !(value instanceof Uint8Array);
}

/** A client that sends a list of faults needs no sentence for each. */
const MOST_ISSUES = 20;

/** A schema of all arguments together may return any type, in spite of the declared one. */
type Checked = { value: Record<string, unknown> } | { misfits: string[] };

/** Loads the schemas. The returned function lets them check decoded arguments, and gives the values that they make. */
export async function loadSchemaChecks(
  checks: readonly SchemaCheck[],
  load: (check: SchemaCheck) => Promise<unknown>,
): Promise<(args: Record<string, unknown>) => Promise<Checked>> {
  const opened = await Promise.all(
    checks.map(async (check) => ({ ...check, schema: assertStandardSchema(await load(check), check) })),
  );
  return async (args) => {
    const misfits: string[] = [];
    let made = { ...args };
    for (const { argument, optional = false, schema } of opened) {
      const given = argument === undefined ? args : getOwnMember(args, argument);
      if (given === undefined && optional) continue;
      const result = await schema['~standard'].validate(given);
      const { issues, value } = result as { issues?: readonly StandardIssue[]; value?: unknown };
      if (issues !== undefined) misfits.push(...issues.map((each) => describeIssue(each, argument)));
      else if (argument === undefined) made = value as Record<string, unknown>;
      else setOwnMember(made, argument, value);
    }
    return misfits.length === 0 ? { value: made } : { misfits: misfits.slice(0, MOST_ISSUES) };
  };
}

interface Validating {
  readonly '~standard': { readonly validate: (value: unknown) => unknown };
}

/** A schema of ArkType is a function. */
function assertStandardSchema(value: unknown, { module, export: name }: SchemaCheck): Validating {
  const holder: unknown = Object(value);
  const standard: unknown = Reflect.get(holder as object, '~standard');
  if (isRecord(standard) && typeof standard['validate'] === 'function') return holder as Validating;
  throw new Error(`The export ${name} of ${module} is no schema that checks values.`);
}
