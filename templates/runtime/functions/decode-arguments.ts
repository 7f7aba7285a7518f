// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Turns validated JSON into the values that a function expects. */
import type { FunctionBinding } from '../contract/bindings.ts';
import type {
  Codec,
  CodecBranch,
  JsonSchema,
  NumbersClass,
  ObjectCodec,
  UnionCodec,
} from '../contract/json-schema.ts';
import { isRecord, getOwnMember, setOwnMember, bigIntegersToDoubles } from '../contract/json-value.ts';
import type { Context } from '../definition.ts';
import { type Validator, compileSchema } from '../schema/compile-schema.ts';
import { formatPath } from '../schema/run.ts';
import {
  type Codecs,
  UnnamedMembers,
  filterAcceptingBranches,
  describeIntegerRange,
  describeScalar,
  codecOfElement,
  findOverflowingInteger,
  fitsBranch,
  codecOfMember,
  createMemberSchemaFinder,
  resolveObjectSchema,
  makeTypedArray,
  readScalar,
} from './codecs.ts';

interface Misfit {
  path: Path;
  words: string;
}

/** A value that its schema accepts and its type does not, such as a date that does not exist. */
export class UndecodableArguments extends Error {
  override readonly name = 'NotRevivable';
  readonly path: Path;
  /** A sentence for each fault: "`from` must be …". */
  readonly misfits: readonly string[];

  constructor(first: Misfit, ...others: Misfit[]) {
    const misfits = [first, ...others].map(({ path, words }) => `${formatPath(path)} ${words}`);
    super(misfits.join('; '));
    this.path = first.path;
    this.misfits = misfits;
  }
}

const MOST_MISFITS = 20;

/**
 * Decodes a value that is valid against its schema. Values of another shape than the codec stay as they are, but
 * integers beyond ±2^53 are a `bigint` only where the codec says so: a `number` is declared elsewhere.
 * @throws {UndecodableArguments} with all faults (20 at most): texts that are no date, URL, base64 or regular
 * expression, and members that clients must not send
 */
export function decodeArgument(value: unknown, codec: Codec | undefined, codecs: Codecs = {}): unknown {
  if (codec === undefined) return bigIntegersToDoubles(value);
  const call: Call = { codecs };
  const decoded = decodeByCodec(value, codec, [], call);
  const [first, ...others] = call.misfits ?? [];
  if (first !== undefined) throw new UndecodableArguments(first, ...others);
  return decoded;
}

interface Call {
  codecs: Codecs;
  misfits?: Misfit[] | undefined;
  /** A value in several alternatives is decoded once. */
  decoded?: Map<unknown, Map<UnionCodec, Outcome>>;
}

type Outcome = { value: unknown } | { refused: Misfit[] };

function addMisfits(call: Call, ...misfits: Misfit[]): undefined {
  call.misfits = [...(call.misfits ?? []), ...misfits].slice(0, MOST_MISFITS);
}

function decodeByCodec(value: unknown, codec: Codec | undefined, path: Path, call: Call): unknown {
  if (codec === undefined || value === null || value === undefined) return bigIntegersToDoubles(value);
  const decodePart = (part: unknown, of: Codec | null | undefined, step: string | number): unknown =>
    decodeByCodec(part, of ?? undefined, [...path, step], call);
  switch (codec.kind) {
    case 'ref':
      return decodeByCodec(value, getOwnMember(call.codecs, codec.name) as Codec | undefined, path, call);
    case 'array':
      return Array.isArray(value) ? value.map((item, index) => decodePart(item, codec.items, index)) : value;
    case 'tuple':
      return Array.isArray(value)
        ? value.map((item, index) => decodePart(item, codecOfElement(codec, index, value.length), index))
        : value;
    case 'set':
      return Array.isArray(value)
        ? new Set(value.map((item, index) => decodePart(item, codec.items, index)))
        : value;
    case 'numbers':
      return Array.isArray(value) ? decodeTypedArray(value, codec.as, path, call) : value;
    case 'object':
      return isRecord(value) ? decodeMembers(value, codec, path, decodePart, call) : value;
    case 'map':
      return decodeMap(value, codec, decodePart);
    case 'union':
      return decodeUnion(value, codec, path, call);
    case 'toJSON':
    case 'any':
      return bigIntegersToDoubles(value);
    default: {
      const read = readScalar(value, codec);
      return read ?? addMisfits(call, { path, words: `must be ${describeScalar(codec)}` });
    }
  }
}

type Path = readonly (string | number)[];

type Inner = (part: unknown, codec: Codec | null | undefined, step: string | number) => unknown;

/** Hidden members are set by the server's own code, so clients must not send them, even if a schema allows it. */
function reportHiddenMembers(value: unknown, names: readonly string[] = [], path: Path, call: Call): void {
  if (!isRecord(value)) return;
  for (const name of names)
    if (Object.hasOwn(value, name))
      addMisfits(call, { path: [...path, name], words: 'is not a known property' });
}

function decodeMembers(
  value: Record<string, unknown>,
  codec: ObjectCodec,
  path: Path,
  inner: Inner,
  call: Call,
): unknown {
  reportHiddenMembers(value, codec.without, path, call);
  const copy: Record<string, unknown> = { ...structuredClone(codec.defaults), ...value };
  for (const name of Object.keys(copy)) {
    setOwnMember(copy, name, inner(copy[name], codecOfMember(codec, name), name));
  }
  return copy;
}

function decodeTypedArray(values: readonly unknown[], as: NumbersClass, path: Path, call: Call): unknown {
  const at = findOverflowingInteger(values, as);
  if (at >= 0) return addMisfits(call, { path: [...path, at], words: `must be ${describeIntegerRange(as)}` });
  return makeTypedArray(values, as);
}

function decodeMap(value: unknown, codec: Codec & { kind: 'map' }, inner: Inner): unknown {
  const { key, value: values } = codec;
  if (codec.form === 'entries') {
    const entries = value as [unknown, unknown][];
    if (!Array.isArray(value)) return value;
    return new Map(entries.map(([k, v], index) => [inner(k, key, index), inner(v, values, index)]));
  }
  if (!isRecord(value)) return value;
  return new Map(Object.entries(value).map(([k, v]) => [inner(k, key, k), inner(v, values, k)]));
}

function decodeUnion(value: unknown, union: UnionCodec, path: Path, call: Call): unknown {
  const known = call.decoded?.get(value)?.get(union);
  const outcome = known ?? decodeBranches(value, union, path, call);
  if (known === undefined && typeof value === 'object') {
    const decoded = (call.decoded ??= new Map<unknown, Map<UnionCodec, Outcome>>());
    const ofValue = decoded.get(value) ?? new Map<UnionCodec, Outcome>();
    decoded.set(value, ofValue.set(union, outcome));
  }
  if ('refused' in outcome) return addMisfits(call, ...outcome.refused);
  return outcome.value;
}

/** If all alternatives refuse a value, the faults of the first are reported. */
function decodeBranches(value: unknown, union: UnionCodec, path: Path, call: Call): Outcome {
  const around = call.misfits;
  let refused: Misfit[] | undefined;
  const decoded = decodeAlternative(value, union, ({ codec, without }) => {
    call.misfits = undefined;
    reportHiddenMembers(value, without, path, call);
    const read = decodeByCodec(value, codec, path, call);
    refused ??= call.misfits;
    return call.misfits === undefined ? { value: read } : undefined;
  });
  call.misfits = around;
  return decoded ?? (refused === undefined ? { value: bigIntegersToDoubles(value) } : { refused });
}

interface Reading {
  value: unknown;
  schema: JsonSchema | undefined;
}

/** Decodes a value by the first alternative that accepts it, and members that this one doesn't name by the next one that does. */
function decodeAlternative(
  value: unknown,
  { branches, schemas }: UnionCodec,
  decode: (branch: CodecBranch) => { value: unknown } | undefined,
): { value: unknown } | undefined {
  const fitting = branches.filter((branch) => fitsBranch(value, branch));
  if (fitting.length === 0) return { value: bigIntegersToDoubles(value) };
  // A bigint type is preferred, since it keeps all digits.
  const exact = typeof value === 'bigint' ? fitting.filter(({ codec }) => codec?.kind === 'bigint') : [];
  const possible = exact.length > 0 ? exact : fitting;
  const accepting = sortByUnnamed(value, filterAcceptingBranches(value, possible, schemas), schemas);
  const isMany = schemas !== undefined && typeof value === 'object';
  const readings: Reading[] = [];
  for (const branch of accepting) {
    const decoded = decode(branch);
    if (decoded !== undefined) readings.push({ value: decoded.value, schema: branch.accepts });
    if (decoded !== undefined && !isMany) break;
  }
  return readings.length === 0 ? undefined : { value: mergeReadings(readings, schemas) };
}

/** The alternative that names most members comes first; equal ones keep their order. */
function sortByUnnamed(
  value: unknown,
  branches: readonly CodecBranch[],
  schemas: UnionCodec['schemas'],
): readonly CodecBranch[] {
  if (branches.length < 2 || schemas === undefined) return branches;
  const unnamed = new UnnamedMembers(schemas);
  const counts = new Map(
    branches.map((branch) => [branch, unnamed.countUnnamedMembers(value, branch.accepts)]),
  );
  return branches.toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
}

/** Adds members that only other readings name to the first reading. */
function mergeReadings(readings: readonly Reading[], schemas: UnionCodec['schemas']): unknown {
  const [first, ...others] = readings;
  if (first === undefined || others.length === 0) return first?.value;
  if (Array.isArray(first.value)) return mergeListReadings(readings, schemas);
  return isPlainObject(first.value) ? mergeObjectReadings(readings, schemas) : first.value;
}

function mergeListReadings(readings: readonly Reading[], schemas: UnionCodec['schemas']): unknown[] {
  const lists = readings.flatMap(({ value, schema }) =>
    Array.isArray(value)
      ? [{ items: value as unknown[], of: resolveObjectSchema(schema, schemas)?.items }]
      : [],
  );
  const [first] = lists;
  return (first?.items ?? []).map((_, index) =>
    mergeReadings(
      lists.map(({ items, of }) => ({ value: items[index], schema: of })),
      schemas,
    ),
  );
}

function mergeObjectReadings(
  readings: readonly Reading[],
  schemas: UnionCodec['schemas'],
): Record<string, unknown> {
  const objects = readings.flatMap(({ value, schema }) =>
    isPlainObject(value) ? [{ members: value, schemaOf: createMemberSchemaFinder(schema, schemas) }] : [],
  );
  const whole: Record<string, unknown> = {};
  for (const name of new Set(objects.flatMap(({ members }) => Object.keys(members)))) {
    const given = objects.filter(({ members }) => Object.hasOwn(members, name));
    const naming = given.filter(({ schemaOf }) => schemaOf(name) !== undefined);
    const parts = (naming.length === 0 ? given.slice(0, 1) : naming).map(({ members, schemaOf }) => ({
      value: members[name],
      schema: schemaOf(name),
    }));
    setOwnMember(whole, name, mergeReadings(parts, schemas));
  }
  return whole;
}

/** Whether the value is a plain object: neither a map nor another class that a codec made. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && Object.getPrototypeOf(value) === Object.prototype;
}

/** Arguments that `prepare` returned need no decoding; the symbol keeps clients from sending any. */
export const PREPARED = Symbol('prepared');

/** The value that libraries made of the arguments, which needs no decoding either. */
export const CHECKED = Symbol('checked');

export type Arguments = Record<string, unknown> & {
  [PREPARED]?: Record<string, unknown>;
  [CHECKED]?: { value: Record<string, unknown> };
};

export function toCallParameters(
  binding: FunctionBinding,
  args: Arguments,
  context: Context,
  codecs: Codecs = {},
): unknown[] {
  const { parameters, contextAt, contextIn, rest = false } = binding;
  const checked = args[CHECKED];
  const revived = checked === undefined ? decodeArguments(binding, args, codecs) : checked.value;
  const values = args[PREPARED] === undefined ? revived : { ...revived, ...args[PREPARED] };
  const list =
    parameters === 'object'
      ? [addContextMembers(values, contextIn, context)]
      : // The function's own default applies to an absent argument.
        parameters.map((name) => getOwnMember(values, name));
  const last = rest ? list.pop() : undefined;
  if (contextAt !== undefined) list.splice(contextAt, 0, context);
  if (Array.isArray(last)) list.push(...(last as unknown[]));
  // Functions may use `arguments.length`.
  while (list.length > 0 && list.at(-1) === undefined) list.pop();
  return list;
}

export function decodeArguments(
  binding: FunctionBinding,
  args: Record<string, unknown>,
  codecs: Codecs = {},
): Record<string, unknown> {
  refusePrototypeMembers(args);
  return decodeArgument(renameArguments(binding.properties, args), binding.argumentCodec, codecs) as Record<
    string,
    unknown
  >;
}

function addContextMembers(
  args: Record<string, unknown>,
  names: readonly string[] = [],
  context: Context,
): Record<string, unknown> {
  return names.length === 0 ? args : { ...args, ...Object.fromEntries(names.map((name) => [name, context])) };
}

export function renameArguments<T>(
  properties: FunctionBinding['properties'],
  args: Record<string, T>,
): Record<string, T> {
  if (properties === undefined) return args;
  const names = new Map(Object.entries(properties));
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [names.get(name) ?? name, value]));
}

export class ArgumentChecks {
  readonly #codecs: Codecs;
  readonly #validators = new WeakMap<object, Validator>();

  constructor(codecs: Codecs) {
    this.#codecs = codecs;
  }

  findSchemaMisfits({ input }: FunctionBinding, args: Record<string, unknown>): string[] {
    if (input === undefined) return [];
    let validate = this.#validators.get(input);
    if (validate === undefined) this.#validators.set(input, (validate = compileSchema(input)));
    return validate(args).map(({ message }) => message);
  }

  findMisfits(binding: FunctionBinding, args: Record<string, unknown>): string[] {
    const misfits = this.findSchemaMisfits(binding, args);
    if (misfits.length > 0) return misfits;
    try {
      decodeArguments(binding, args, this.#codecs);
      return [];
    } catch (thrown) {
      if (thrown instanceof UndecodableArguments) return [...thrown.misfits];
      throw thrown;
    }
  }
}

function refusePrototypeMembers(args: Record<string, unknown>): void {
  const top = findPrototypeMemberName(args);
  if (top !== undefined)
    throw new UndecodableArguments({ path: [], words: `must have no member \`${top}\`` });
  for (const name of Object.keys(args)) {
    const found = findPrototypeMember(args[name]);
    if (found !== undefined)
      throw new UndecodableArguments({ path: [name], words: `must have no member \`${found}\`` });
  }
}

/** The search has its own stack, since a client may send a value of any depth. */
function findPrototypeMember(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const found = findPrototypeMemberName(next);
    if (found !== undefined) return found;
    for (const part of Object.values(next)) if (typeof part === 'object' && part !== null) open.push(part);
  }
  return undefined;
}

/** Only objects are refused: a text or a number under these names changes no prototype. */
function findPrototypeMemberName(value: object): string | undefined {
  if (Object.hasOwn(value, '__proto__') && isRecord(Reflect.get(value, '__proto__'))) return '__proto__';
  if (!Object.hasOwn(value, 'constructor')) return undefined;
  const constructor: unknown = Reflect.get(value, 'constructor');
  return isRecord(constructor) && Object.hasOwn(constructor, 'prototype')
    ? 'constructor.prototype'
    : undefined;
}
