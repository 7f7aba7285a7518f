/** A value may be of several alternatives of a union at once; each says something of its members, or its items. */
import { isRecord, member, setMember, typeOf } from '../contract/json-value.ts';
import type { Codec, CodecBranch, ObjectCodec } from '../contract/codec.ts';
import { type Codecs, memberCodec } from './decode-arguments.ts';
import { isLiteral } from './value-kinds.ts';
import type { JsonType } from '../contract/json-schema.ts';

/** What is written of a value by an object's codec, before it is known which members it has. */
export function namesOf(value: object, { only, without }: ObjectCodec): readonly string[] {
  return only ?? Object.keys(value).filter((name) => without?.includes(name) !== true);
}

/**
 * The alternatives a value is of, or where it is of none, all there are, as one: the members that any of them names, except
 * for what one keeps inside. Undefined when none of them is an object's; of a list or a map, when one is none.
 */
export function mergedCodec(
  value: object,
  branches: readonly CodecBranch[],
  codecs: Codecs,
): Codec | undefined {
  if (Array.isArray(value)) return mergedItems(branches, codecs);
  if (value instanceof Map) return mergedEntries(branches, codecs);
  const fitting = objectsOf(branches, codecs, (branch) => fitsBranch(value, branch));
  const objects = fitting.length > 0 ? fitting : objectsOf(branches, codecs, () => true);
  const [first, ...others] = objects;
  return first === undefined || others.length === 0 ? first : merge(value, objects, codecs);
}

/** Each item is what it is, when all alternatives are lists of one type. */
function mergedItems(branches: readonly CodecBranch[], codecs: Codecs): Codec | undefined {
  const lists = branches.map(({ codec }) => targetOf(codec, codecs));
  const items = lists.flatMap((codec) => (codec?.kind === 'array' ? [codec.items] : []));
  const merged = items.length < lists.length ? undefined : oneOf(items);
  return merged && { kind: 'array', items: merged };
}

/** So is each value of a map, when the keys of all are written the same. */
function mergedEntries(branches: readonly CodecBranch[], codecs: Codecs): Codec | undefined {
  const all = branches.map(({ codec }) => targetOf(codec, codecs));
  const maps = all.flatMap((codec) => (codec?.kind === 'map' && codec.form === 'object' ? [codec] : []));
  const values = maps.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const merged = values.length < all.length ? undefined : oneOf(values);
  return merged && { kind: 'map', form: 'object', value: merged };
}

function objectsOf(
  branches: readonly CodecBranch[],
  codecs: Codecs,
  fits: (branch: CodecBranch) => boolean,
): ObjectCodec[] {
  return branches.filter(fits).flatMap(({ codec: given }) => {
    const codec = targetOf(given, codecs);
    if (codec?.kind === 'union') return objectsOf(codec.branches, codecs, fits);
    return codec?.kind === 'object' ? [codec] : [];
  });
}

function merge(value: object, objects: readonly ObjectCodec[], codecs: Codecs): ObjectCodec {
  const inside = new Set(objects.flatMap(({ without = [] }) => without));
  const names = new Set(objects.flatMap((object) => namesOf(value, object)));
  const only = [...names].filter((name) => !inside.has(name));
  const properties: Record<string, Codec> = {};
  for (const name of only) {
    const all = objects.filter((object) => namesOf(value, object).includes(name));
    const parts = all.map((object) => memberCodec(object, name)).filter((codec) => codec !== undefined);
    const codec = oneOf([...new Set(parts.map((part) => targetOf(part, codecs) ?? part))]);
    if (codec !== undefined) setMember(properties as Record<string, unknown>, name, codec);
  }
  return { kind: 'object', only, properties };
}

function oneOf(codecs: readonly Codec[]): Codec | undefined {
  if (codecs.length < 2) return codecs[0];
  return { kind: 'union', branches: codecs.map((codec) => ({ ...testOf(codec), codec })) };
}

function testOf({ kind }: Codec): Pick<CodecBranch, 'types'> {
  if (kind === 'array' || kind === 'tuple') return { types: ['array'] };
  return kind === 'object' ? { types: ['object'] } : {};
}

export function targetOf(codec: Codec | undefined, codecs: Codecs): Codec | undefined {
  return codec?.kind === 'ref' ? targetOf(member(codecs, codec.name) as Codec | undefined, codecs) : codec;
}

/** Whether nothing of a value is left out, or written in another way: then it is its JSON already. */
export function isExact(value: object, { only, properties, patterns, additional }: ObjectCodec): boolean {
  if (only === undefined || (properties ?? patterns ?? additional) !== undefined) return false;
  return isRecord(value) && isLiteral(value) && Object.keys(value).every((name) => only.includes(name));
}

/** Whether the JSON types, members and tag of a branch fit a value: JSON, or an object that is written as one. */
export function fitsBranch(value: unknown, { types, required = [], tag }: CodecBranch): boolean {
  const type = typeOf(value);
  if (types !== undefined && !(type !== undefined && isOneOf(type, types))) return false;
  if (!isRecord(value)) return true;
  if (tag !== undefined && !hasTag(value[tag.name], tag)) return false;
  return required.every((name) => value[name] !== undefined);
}

function hasTag(value: unknown, { values }: NonNullable<CodecBranch['tag']>): boolean {
  return value === undefined || values.includes(value as string);
}

/** Every integer is a number. */
function isOneOf(type: JsonType, types: readonly JsonType[]): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}
