/** A validated JSON value becomes the value that a function expects. */
import { isRecord, member, setMember } from '../contract/json-value.ts';
import { nameOf } from '../schema/findings.ts';
import { matchesPattern } from '../schema/run.ts';
import { reviveAlternative } from './revive-alternative.ts';
import type { Codec, NumbersClass, ObjectCodec, UnionCodec } from '../contract/codec.ts';
import { numberWords, readNumbers, readScalar, scalarWords, wrappedAt } from './scalars.ts';

/** Codecs by name, for `ref`. */
export type Codecs = Readonly<Record<string, Codec>>;

/** One thing that keeps a value from being revived. */
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
export function revive(value: unknown, codec: Codec | undefined, codecs: Codecs = {}): unknown {
  if (codec === undefined) return value;
  const call: Call = { codecs };
  const revived = reviveBy(value, codec, [], call);
  const [first, ...others] = call.misfits ?? [];
  if (first !== undefined) throw new NotRevivable(first, ...others);
  return revived;
}

interface Call {
  codecs: Codecs;
  /** Absent until there is one. */
  misfits?: Misfit[] | undefined;
  /** By value and union: what several alternatives hold is revived once, however many there are around it. */
  told?: Map<unknown, Map<UnionCodec, Outcome>>;
}

type Outcome = { value: unknown } | { refused: Misfit[] };

/** What stands in the place of a value that is none is never seen. */
function refuse(call: Call, ...misfits: Misfit[]): undefined {
  call.misfits = [...(call.misfits ?? []), ...misfits].slice(0, mostMisfits);
}

function reviveBy(value: unknown, codec: Codec | undefined, path: Path, call: Call): unknown {
  if (codec === undefined || value === null || value === undefined) return value;
  const inner = (part: unknown, of: Codec | null | undefined, step: string | number): unknown =>
    reviveBy(part, of ?? undefined, [...path, step], call);
  switch (codec.kind) {
    case 'ref':
      return reviveBy(value, member(call.codecs, codec.name) as Codec | undefined, path, call);
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

/** Of the element at `index` in a list of `length`. */
export function elementCodec(
  { items, rest, last = [] }: Codec & { kind: 'tuple' },
  index: number,
  length: number,
): Codec | null | undefined {
  if (index < items.length) return items[index];
  const fromEnd = length - index;
  return fromEnd <= last.length ? last[last.length - fromEnd] : rest;
}

/** Of a member: its own, else that of the first pattern its name matches, else that of all others. */
export function memberCodec(
  { properties = {}, patterns, additional }: ObjectCodec,
  name: string,
): Codec | undefined {
  const own = member(properties, name) as Codec | undefined;
  if (own !== undefined) return own;
  const matched = Object.entries(patterns ?? {}).find(([pattern]) => matchesPattern(pattern, name));
  return matched?.[1] ?? additional;
}

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
  const revived = reviveAlternative(value, union, ({ codec, without }) => {
    call.misfits = undefined;
    refuseMembers(value, without, path, call);
    const read = reviveBy(value, codec, path, call);
    refused ??= call.misfits;
    return call.misfits === undefined ? { value: read } : undefined;
  });
  call.misfits = around;
  return revived ?? (refused === undefined ? { value } : { refused });
}
