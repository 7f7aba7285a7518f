/** A validated JSON value becomes the value that a function expects. */
import { isRecord, member, setMember } from '../contract/json-value.ts';
import { nameOf } from '../schema/findings.ts';
import type { Codec, NumbersClass, ObjectCodec, UnionCodec, CodecBranch } from '../contract/codec.ts';
import { numberWords, readNumbers, readScalar, scalarWords, wrappedAt } from './scalars.ts';
import type { JsonSchema } from '../contract/json-schema.ts';
import {
  acceptingBranches,
  objectSchema,
  type Codecs,
  elementCodec,
  memberCodec,
  fitsBranch,
  memberSchemas,
  UnnamedMembers,
} from './union-branches.ts';

/** One thing that keeps a value from being decoded. */
export interface Misfit {
  /** Where in the arguments. */
  path: Path;
  /** The rest of the sentence: "must be …". */
  words: string;
}

/** A value that its schema takes, but that is not what its type needs: a date that does not exist. */
export class NotRevivable extends Error {
  override readonly name = 'NotRevivable';
  /** Where the first is. */
  readonly path: Path;
  /** A sentence for each: "`from` must be …". */
  readonly misfits: readonly string[];

  constructor(first: Misfit, ...others: Misfit[]) {
    const misfits = [first, ...others].map(({ path, words }) => `${nameOf(path)} ${words}`);
    super(misfits.join('; '));
    this.path = first.path;
    this.misfits = misfits;
  }
}

/** As many as validation tells of one value. */
const mostMisfits = 20;

/**
 * Revives a value that is valid against its schema. The given value is not changed; without a codec it comes back as it
 * is, and so do `null`, `undefined` and what has another shape than the codec.
 *
 * @throws {NotRevivable} for text that is no date, URL, base64 or regular expression, and for a member that stays inside: at
 * the end, for all there are (20 at most)
 */
export function decodeArgument(value: unknown, codec: Codec | undefined, codecs: Codecs = {}): unknown {
  if (codec === undefined) return value;
  const call: Call = { codecs };
  const decoded = decodeBy(value, codec, [], call);
  const [first, ...others] = call.misfits ?? [];
  if (first !== undefined) throw new NotRevivable(first, ...others);
  return decoded;
}

interface Call {
  codecs: Codecs;
  /** Absent until there is one. */
  misfits?: Misfit[] | undefined;
  /** By value and union: what several alternatives hold is decoded once, however many there are around it. */
  told?: Map<unknown, Map<UnionCodec, Outcome>>;
}

type Outcome = { value: unknown } | { refused: Misfit[] };

/** What stands in the place of a value that is none is never seen. */
function refuse(call: Call, ...misfits: Misfit[]): undefined {
  call.misfits = [...(call.misfits ?? []), ...misfits].slice(0, mostMisfits);
}

function decodeBy(value: unknown, codec: Codec | undefined, path: Path, call: Call): unknown {
  if (codec === undefined || value === null || value === undefined) return value;
  const inner = (part: unknown, of: Codec | null | undefined, step: string | number): unknown =>
    decodeBy(part, of ?? undefined, [...path, step], call);
  switch (codec.kind) {
    case 'ref':
      return decodeBy(value, member(call.codecs, codec.name) as Codec | undefined, path, call);
    case 'array':
      return Array.isArray(value) ? value.map((item, index) => inner(item, codec.items, index)) : value;
    case 'tuple':
      return Array.isArray(value)
        ? value.map((item, index) => inner(item, elementCodec(codec, index, value.length), index))
        : value;
    case 'set':
      return Array.isArray(value)
        ? new Set(value.map((item, index) => inner(item, codec.items, index)))
        : value;
    case 'numbers':
      return Array.isArray(value) ? reviveNumbers(value, codec.as, path, call) : value;
    case 'object':
      return isRecord(value) ? reviveMembers(value, codec, path, inner, call) : value;
    case 'map':
      return reviveMap(value, codec, inner);
    case 'union':
      return reviveUnion(value, codec, path, call);
    case 'toJSON':
    case 'any':
      return value;
    default: {
      const read = readScalar(value, codec);
      return read ?? refuse(call, { path, words: `must be ${scalarWords(codec)}` });
    }
  }
}

/** Where in the arguments. */
type Path = readonly (string | number)[];

type Inner = (part: unknown, codec: Codec | null | undefined, step: string | number) => unknown;

/** What stays inside is for the server's own code, whatever a schema lets through. */
function refuseMembers(value: unknown, names: readonly string[] = [], path: Path, call: Call): void {
  if (!isRecord(value)) return;
  for (const name of names)
    if (Object.hasOwn(value, name)) refuse(call, { path: [...path, name], words: 'is not a known property' });
}

function reviveMembers(
  value: Record<string, unknown>,
  codec: ObjectCodec,
  path: Path,
  inner: Inner,
  call: Call,
): unknown {
  refuseMembers(value, codec.without, path, call);
  const copy: Record<string, unknown> = { ...structuredClone(codec.defaults), ...value };
  for (const name of Object.keys(copy)) {
    setMember(copy, name, inner(copy[name], memberCodec(codec, name), name));
  }
  return copy;
}

function reviveNumbers(values: readonly unknown[], as: NumbersClass, path: Path, call: Call): unknown {
  const at = wrappedAt(values, as);
  if (at >= 0) return refuse(call, { path: [...path, at], words: `must be ${numberWords(as)}` });
  return readNumbers(values, as);
}

function reviveMap(value: unknown, codec: Codec & { kind: 'map' }, inner: Inner): unknown {
  const { key, value: values } = codec;
  if (codec.form === 'entries') {
    const entries = value as [unknown, unknown][];
    if (!Array.isArray(value)) return value;
    return new Map(entries.map(([k, v], index) => [inner(k, key, index), inner(v, values, index)]));
  }
  if (!isRecord(value)) return value;
  return new Map(Object.entries(value).map(([k, v]) => [inner(k, key, k), inner(v, values, k)]));
}

function reviveUnion(value: unknown, union: UnionCodec, path: Path, call: Call): unknown {
  const known = call.told?.get(value)?.get(union);
  const outcome = known ?? outcomeOf(value, union, path, call);
  if (known === undefined && typeof value === 'object') {
    const told = (call.told ??= new Map<unknown, Map<UnionCodec, Outcome>>());
    const ofValue = told.get(value) ?? new Map<UnionCodec, Outcome>();
    told.set(value, ofValue.set(union, outcome));
  }
  if ('refused' in outcome) return refuse(call, ...outcome.refused);
  return outcome.value;
}

/** What all alternatives refuse is refused in the words of the first. */
function outcomeOf(value: unknown, union: UnionCodec, path: Path, call: Call): Outcome {
  const around = call.misfits;
  let refused: Misfit[] | undefined;
  const decoded = decodeAlternative(value, union, ({ codec, without }) => {
    call.misfits = undefined;
    refuseMembers(value, without, path, call);
    const read = decodeBy(value, codec, path, call);
    refused ??= call.misfits;
    return call.misfits === undefined ? { value: read } : undefined;
  });
  call.misfits = around;
  return decoded ?? (refused === undefined ? { value } : { refused });
}

/** A value as one alternative revives it, and what that says of it. */
interface Reading {
  value: unknown;
  schema: JsonSchema | undefined;
}

/**
 * Revives a value as the first alternative that takes it; members that this one does not name, as the next that does. `decodeArgument`
 * returns undefined for an alternative that refuses the value, and so does this when all do.
 */
export function decodeAlternative(
  value: unknown,
  { branches, schemas }: UnionCodec,
  decode: (branch: CodecBranch) => { value: unknown } | undefined,
): { value: unknown } | undefined {
  const fitting = branches.filter((branch) => fitsBranch(value, branch));
  if (fitting.length === 0) return { value };
  const accepting = byUnnamed(value, acceptingBranches(value, fitting, schemas), schemas);
  const isMany = schemas !== undefined && typeof value === 'object';
  const readings: Reading[] = [];
  for (const branch of accepting) {
    const decoded = decode(branch);
    if (decoded !== undefined) readings.push({ value: decoded.value, schema: branch.accepts });
    if (decoded !== undefined && !isMany) break;
  }
  return readings.length === 0 ? undefined : { value: merged(readings, schemas) };
}

/** What names most of a value comes first; of equal ones the order stays. */
function byUnnamed(
  value: unknown,
  branches: readonly CodecBranch[],
  schemas: UnionCodec['schemas'],
): readonly CodecBranch[] {
  if (branches.length < 2 || schemas === undefined) return branches;
  const unnamed = new UnnamedMembers(schemas);
  const counts = new Map(branches.map((branch) => [branch, unnamed.count(value, branch.accepts)]));
  return branches.toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
}

/** The first reading, with what only others say. */
function merged(readings: readonly Reading[], schemas: UnionCodec['schemas']): unknown {
  const [first, ...others] = readings;
  if (first === undefined || others.length === 0) return first?.value;
  if (Array.isArray(first.value)) return mergedLists(readings, schemas);
  return isPlain(first.value) ? mergedMembers(readings, schemas) : first.value;
}

function mergedLists(readings: readonly Reading[], schemas: UnionCodec['schemas']): unknown[] {
  const lists = readings.flatMap(({ value, schema }) =>
    Array.isArray(value) ? [{ items: value as unknown[], of: objectSchema(schema, schemas)?.items }] : [],
  );
  const [first] = lists;
  return (first?.items ?? []).map((_, index) =>
    merged(
      lists.map(({ items, of }) => ({ value: items[index], schema: of })),
      schemas,
    ),
  );
}

function mergedMembers(
  readings: readonly Reading[],
  schemas: UnionCodec['schemas'],
): Record<string, unknown> {
  const objects = readings.flatMap(({ value, schema }) =>
    isPlain(value) ? [{ members: value, schemaOf: memberSchemas(schema, schemas) }] : [],
  );
  const whole: Record<string, unknown> = {};
  for (const name of new Set(objects.flatMap(({ members }) => Object.keys(members)))) {
    const given = objects.filter(({ members }) => Object.hasOwn(members, name));
    const naming = given.filter(({ schemaOf }) => schemaOf(name) !== undefined);
    const parts = (naming.length === 0 ? given.slice(0, 1) : naming).map(({ members, schemaOf }) => ({
      value: members[name],
      schema: schemaOf(name),
    }));
    setMember(whole, name, merged(parts, schemas));
  }
  return whole;
}

/** An object that is none of a class: what a codec has made of one may be a map. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && Object.getPrototypeOf(value) === Object.prototype;
}
