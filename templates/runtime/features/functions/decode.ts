// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Arguments that fit their schema become the values that a function expects. */
import { isRecord, ownMember } from '../../json-rpc.ts';
import { printPath } from '../../validate.ts';
import { type Branch, type Codec, type Codecs, codecOfItem, codecOfMember, describeScalar } from './codec.ts';
import { isScalarCodec, isValid, type MaybeCodec, memberSchemas, NUMBERS, passes } from './codec.ts';
import { readScalar, resolveCodec, type ObjectCodec, type UnionCodec } from './codec.ts';

type Path = readonly (string | number)[];
type Decoded = { value: unknown } | { refused: string[] };

/** Arguments that their schema accepts and their type does not: a date that does not exist. */
export class UnfitArguments extends Error {
  /** A sentence for each fault: "`from` must be …". */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('; '));
    this.faults = faults.slice(0, MAX_FAULTS);
  }
}

const MAX_FAULTS = 20;

/** @throws {UnfitArguments} */
export function decode(value: unknown, codec: Codec | undefined, codecs: Codecs = {}): unknown {
  const decoder = new Decoder(codecs);
  const decoded = decoder.read(value, codec, []);
  if (decoder.faults.length > 0) throw new UnfitArguments(decoder.faults);
  return decoded;
}

class Decoder {
  readonly #codecs: Codecs;
  /** A value inside alternatives of alternatives is decoded once. */
  readonly #known = new Map<unknown, Map<UnionCodec, Decoded>>();
  faults: string[] = [];

  constructor(codecs: Codecs) {
    this.#codecs = codecs;
  }

  #fail(path: Path, words: string): undefined {
    if (this.faults.length < MAX_FAULTS) this.faults.push(`${printPath(path)} ${words}`);
  }

  read(value: unknown, unresolved: MaybeCodec, path: Path): unknown {
    const codec = resolveCodec(unresolved, this.#codecs);
    if (codec === undefined || value === null || value === undefined) return toDoubles(value);
    if (isScalarCodec(codec))
      return readScalar(value, codec) ?? this.#fail(path, `must be ${describeScalar(codec)}`);
    if (codec.kind === 'union') return this.#readUnion(value, codec, path);
    if (Array.isArray(value)) return this.#readItems(value, codec, path);
    if (!isRecord(value)) return toDoubles(value);
    if (codec.kind === 'object') return this.#readMembers(value, codec, path);
    if (codec.kind !== 'map' || codec.form === 'entries') return toDoubles(value);
    return new Map(
      Object.entries(value).map(([key, member]) => [
        this.read(key, codec.key, [...path, key]),
        this.read(member, codec.value, [...path, key]),
      ]),
    );
  }

  #readItems(values: unknown[], codec: Codec, path: Path): unknown {
    if (codec.kind === 'numbers') return this.#readNumbers(values, codec.as, path);
    if (codec.kind === 'map' && codec.form === 'entries')
      return new Map(
        (values as [unknown, unknown][]).map(([key, member], index) => [
          this.read(key, codec.key, [...path, index]),
          this.read(member, codec.value, [...path, index]),
        ]),
      );
    if (codec.kind !== 'array' && codec.kind !== 'set' && codec.kind !== 'tuple') return toDoubles(values);
    const items = values.map((item, index) =>
      this.read(item, codecOfItem(codec, index, values.length), [...path, index]),
    );
    return codec.kind === 'set' ? new Set(items) : items;
  }

  /** An array changes numbers beyond its range, which the schema may not refuse: its limits are doubles, and `@schema` may replace it. */
  #readNumbers(values: unknown[], as: keyof typeof NUMBERS, path: Path): unknown {
    const isBig = as.startsWith('Big');
    const isFraction = as.startsWith('Float');
    const type = NUMBERS[as] as unknown as { from: (numbers: unknown[]) => Record<number, number | bigint> };
    const isWhole = (value: unknown): boolean => typeof value === 'bigint' || Number.isInteger(value);
    const numbers = values.map((value) =>
      isBig && isWhole(value) ? BigInt(value as number) : Number(value),
    );
    const slot = type.from([isBig ? 0n : 0]);
    const index = numbers.findIndex((number) => {
      if (isBig !== (typeof number === 'bigint')) return true;
      slot[0] = number;
      return isFraction ? !Number.isFinite(slot[0]) : slot[0] !== number;
    });
    return index < 0
      ? type.from(numbers)
      : this.#fail([...path, index], `must be a number that ${as} can hold`);
  }

  #readMembers(value: Record<string, unknown>, codec: ObjectCodec, path: Path): unknown {
    this.#refuseHidden(value, codec.without, path);
    const members = { ...structuredClone(codec.defaults), ...value };
    // `__proto__` stays a member like others.
    return Object.fromEntries(
      Object.entries(members).map(([name, member]) => [
        name,
        this.read(member, codecOfMember(codec, name), [...path, name]),
      ]),
    );
  }

  /** The server's own code sets hidden members, so clients must not, even if a schema allows any member. */
  #refuseHidden(value: unknown, names: readonly string[] = [], path: Path): void {
    for (const name of names)
      if (isRecord(value) && Object.hasOwn(value, name))
        this.#fail([...path, name], 'is not a known property');
  }

  #readUnion(value: unknown, union: UnionCodec, path: Path): unknown {
    const known = this.#known.get(value) ?? new Map<UnionCodec, Decoded>();
    const decoded = known.get(union) ?? this.#readBranches(value, union, path);
    if (typeof value === 'object') this.#known.set(value, known.set(union, decoded));
    if ('value' in decoded) return decoded.value;
    this.faults.push(...decoded.refused);
    return undefined;
  }

  /**
   * The first alternative that takes the value; those that name most of its members come first. Members that only another one
   * names are read by that one. If none takes it, the faults are those of the first.
   */
  #readBranches(value: unknown, { branches, schemas }: UnionCodec, path: Path): Decoded {
    const { faults } = this;
    const readings: { value: unknown; names: Record<string, unknown> | undefined }[] = [];
    let refused: string[] | undefined;
    for (const branch of chooseBranches(value, branches, schemas)) {
      this.faults = [];
      this.#refuseHidden(value, branch.without, path);
      const decoded = this.read(value, branch.codec, path);
      if (this.faults.length === 0) readings.push({ value: decoded, names: memberSchemas(branch, schemas) });
      else refused ??= this.faults;
      this.faults = faults;
      if (readings.length > 0 && !isRecord(value)) break;
    }
    const [first, ...others] = readings;
    if (first === undefined) return refused === undefined ? { value: toDoubles(value) } : { refused };
    if (!isRecord(value) || others.length === 0 || !isRecord(first.value)) return first;
    const members = Object.entries(first.value).map(([name, member]): [string, unknown] => {
      const names = [first, ...others].find((reading) => ownMember(reading.names, name) !== undefined);
      return [name, isRecord(names?.value) ? ownMember(names.value, name) : member];
    });
    return { value: Object.fromEntries(members) };
  }
}

function chooseBranches(
  value: unknown,
  branches: readonly Branch[],
  schemas: UnionCodec['schemas'],
): Branch[] {
  const passing = branches.filter((branch) => passes(value, branch));
  // Only a `bigint` keeps all digits.
  const exact = typeof value === 'bigint' ? passing.filter(({ codec }) => codec?.kind === 'bigint') : [];
  const possible = exact.length > 0 ? exact : passing;
  if (possible.length < 2) return possible;
  const accepting = possible.filter(({ accepts }) => isValid(value, accepts, schemas));
  if (!isRecord(value)) return accepting.length > 0 ? accepting : possible;
  const countUnnamed = (branch: Branch): number => {
    const members = memberSchemas(branch, schemas);
    return Object.keys(value).filter((name) => ownMember(members, name) === undefined).length;
  };
  return (accepting.length > 0 ? accepting : possible).toSorted((a, b) => countUnnamed(a) - countUnnamed(b));
}

/** Integers beyond ±2^53 are a `bigint` only where the type says so: elsewhere it is a `number`. */
function toDoubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) {
    const items = value.map(toDoubles);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([name, member]): [string, unknown] => [name, toDoubles(member)]);
  return entries.some(([name, member]) => member !== value[name]) ? Object.fromEntries(entries) : value;
}

/** Objects under these names would change the prototype of what code merges them into. */
export function refusePrototypes(value: unknown, path: Path = []): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const isPrototype = name === '__proto__' && isRecord(member);
    if (isPrototype || (name === 'constructor' && isRecord(member) && Object.hasOwn(member, 'prototype')))
      throw new UnfitArguments([
        `${printPath(path)} must have no member \`${isPrototype ? name : 'constructor.prototype'}\``,
      ]);
    refusePrototypes(member, path.length === 0 ? [name] : path);
  }
}
