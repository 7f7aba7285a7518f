// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Compares values with the alternatives of a union, by their tests and their schemas. */
import { compileTest, type Test } from '../schema/compile-schema.ts';
import type {
  Codec,
  CodecBranch,
  JsonSchema,
  JsonSchemaObject,
  JsonType,
  ObjectCodec,
  UnionCodec,
} from '../contract/json-schema.ts';
import { isRecord, member, readJsonType } from '../contract/json-value.ts';
import { matchesPattern } from '../schema/run.ts';

type Schemas = UnionCodec['schemas'];

const tests = new WeakMap<JsonSchemaObject, Test>();

/** Returns the alternatives whose schema accepts a JSON value; all if none does, since the whole was found valid. */
export function acceptingBranches(
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

/** Compares a result with an alternative's schema before it is written: only the number of items, texts, numbers and booleans. */
export function acceptsPlainParts(value: object, { accepts }: CodecBranch, schemas: Schemas): boolean {
  const { properties = {}, minItems = 0, maxItems = Infinity } = objectSchema(accepts, schemas) ?? {};
  if (Array.isArray(value)) return value.length >= minItems && value.length <= maxItems;
  return Object.entries(properties).every(([name, schema]) => {
    const part = (value as Record<string, unknown>)[name];
    const isPlain = typeof part === 'string' || typeof part === 'number' || typeof part === 'boolean';
    return !isPlain || isValid(part, schema, schemas);
  });
}

/** Returns false also if the validation exceeds its bound of work. */
export function isValid(value: unknown, schema: JsonSchema, schemas: Schemas = {}): boolean {
  if (typeof schema === 'boolean') return schema;
  let test = tests.get(schema);
  if (test === undefined) tests.set(schema, (test = compileTest({ ...schema, $defs: schemas })));
  return test(value);
}

/** Resolves a schema to the one with the keywords; undefined for a boolean schema. */
export function objectSchema(
  schema: JsonSchema | undefined,
  schemas: Schemas = {},
): JsonSchemaObject | undefined {
  if (!isRecord(schema)) return undefined;
  const { $ref } = schema as JsonSchemaObject;
  if ($ref !== undefined)
    return objectSchema(member(schemas, $ref.slice('#/$defs/'.length)) as JsonSchema | undefined, schemas);
  return schema;
}

/** The codecs that `ref` names. */
export type Codecs = Readonly<Record<string, Codec>>;

/** Finds the codec of the element at `index` in a list of `length`. */
export function elementCodec(
  { items, rest, last = [] }: Codec & { kind: 'tuple' },
  index: number,
  length: number,
): Codec | null | undefined {
  if (index < items.length) return items[index];
  const fromEnd = length - index;
  return fromEnd <= last.length ? last[last.length - fromEnd] : rest;
}

/** Finds the codec of a member: its own, else that of the first pattern that matches its name, else that of all others. */
export function memberCodec(
  { properties = {}, patterns, additional }: ObjectCodec,
  name: string,
): Codec | undefined {
  const own = member(properties, name) as Codec | undefined;
  if (own !== undefined) return own;
  const matched = Object.entries(patterns ?? {}).find(([pattern]) => matchesPattern(pattern, name));
  return matched?.[1] ?? additional;
}

export function resolveCodec(codec: Codec | undefined, codecs: Codecs): Codec | undefined {
  return codec?.kind === 'ref'
    ? resolveCodec(member(codecs, codec.name) as Codec | undefined, codecs)
    : codec;
}

/** Whether the JSON types, members and tag of a branch fit a value: JSON, or an object that is written as one. */
export function fitsBranch(value: unknown, { types, required = [], tag }: CodecBranch): boolean {
  const type = readJsonType(value);
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

/** Returns a lookup of the schemas of members; undefined for a member that the schema doesn't name. */
export function memberSchemas(
  schema: JsonSchema | undefined,
  schemas: Schemas,
): (name: string) => JsonSchema | undefined {
  const said = objectSchema(schema, schemas) ?? {};
  const { properties = {}, patternProperties = {}, additionalProperties, anyOf, oneOf } = said;
  const alternatives = (anyOf ?? oneOf)?.map((each) => memberSchemas(each, schemas)) ?? [];
  return (name) =>
    (member(properties, name) as JsonSchema | undefined) ??
    Object.entries(patternProperties).find(([pattern]) => matchesPattern(pattern, name))?.[1] ??
    additionalProperties ??
    (alternatives.some((schemaOf) => schemaOf(name) !== undefined) ? true : undefined);
}

/** Counts the members of JSON values, at any depth, that a schema doesn't name. Counts are cached by value and schema. */
export class UnnamedMembers {
  readonly #schemas: Schemas;
  readonly #known = new Map<object, Map<JsonSchema, number>>();

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  count(value: unknown, schema: JsonSchema | undefined): number {
    if (typeof value !== 'object' || value === null || schema === undefined) return 0;
    const known = this.#known.get(value) ?? new Map<JsonSchema, number>();
    this.#known.set(value, known);
    const counted = known.get(schema) ?? this.#count(value, schema);
    known.set(schema, counted);
    return counted;
  }

  #count(value: object, schema: JsonSchema): number {
    const said = objectSchema(schema, this.#schemas) ?? {};
    const alternatives =
      (said.anyOf ?? said.oneOf)?.filter((each) => isValid(value, each, this.#schemas)) ?? [];
    if (alternatives.length > 0) return Math.min(...alternatives.map((each) => this.count(value, each)));
    if (Array.isArray(value)) {
      const { prefixItems = [], items } = said;
      return sum(value.map((item, index) => this.count(item, prefixItems[index] ?? items)));
    }
    if (said.type === undefined || !isRecord(value)) return 0;
    const schemaOf = memberSchemas(said, this.#schemas);
    return sum(
      Object.entries(value).map(([name, part]) => {
        const ofMember = schemaOf(name);
        return ofMember === undefined ? 1 : this.count(part, ofMember);
      }),
    );
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, each) => total + each, 0);
}
