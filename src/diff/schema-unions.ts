/** `anyOf` and `oneOf`, which say the same to a client, and `allOf`, compared. */
import type { Json, JsonSchema, JsonSchemaObject } from '../../templates/runtime/contract/json-schema.ts';
import { surelyFits } from '../emit/wire/surely-fits.ts';
import { type ChangeKind, effectOf } from './change-kinds.ts';
import type { Pair, SchemaChange } from './compare-schemas.ts';
import { nameOfAlternative, pairAlternatives } from './pair-alternatives.ts';
import type { ResolvedSchemas } from './resolved-schemas.ts';
import { compareAssertions, type Schemas } from './schema-assertions.ts';
import { haveNothingInCommon, type Types } from './schema-types.ts';
import { definedMembers } from '../util/defined-members.ts';

interface Sides {
  before: JsonSchemaObject;
  after: JsonSchemaObject;
}

export const alternativeKeywords = ['anyOf', 'oneOf'] as const;

/** Keywords that do not limit what is taken. */
const words = new Set([
  'title',
  'description',
  'default',
  'deprecated',
  'examples',
  '$comment',
  '$defs',
  '$id',
  '$schema',
]);

/**
 * Where one side alone is a union, the other one is made one too. Of a union that asserts nothing beside its alternatives
 * what the other one asserts is the alternative, so that like is compared with like; else it takes anything.
 */
export function alignUnions({ before, after }: Sides): Sides {
  if (isUnion(before) && !isUnion(after)) return { before, after: asUnion(after, before) };
  if (isUnion(after) && !isUnion(before)) return { before: asUnion(before, after), after };
  return { before, after };
}

function isUnion({ anyOf, oneOf }: JsonSchemaObject): boolean {
  return anyOf !== undefined || oneOf !== undefined;
}

function isBareUnion(schema: JsonSchemaObject): boolean {
  return (
    isUnion(schema) &&
    Object.entries(schema).every(
      ([name, value]) => value === undefined || isWord(name) || isAlternatives(name),
    )
  );
}

function asUnion(all: JsonSchemaObject, union: JsonSchemaObject): JsonSchemaObject {
  if (!isBareUnion(union)) return { ...all, anyOf: [true] };
  const { allOf, ...schema } = all;
  const beside = Object.entries(schema).filter(([name]) => isWord(name));
  const limits = Object.entries(schema).filter(([name]) => !isWord(name));
  return {
    ...Object.fromEntries(beside),
    ...definedMembers({ allOf }),
    anyOf: byType(Object.fromEntries(limits)),
  };
}

function isWord(name: string): boolean {
  return words.has(name) || name.startsWith('x-');
}

function isAlternatives(name: string): boolean {
  return (alternativeKeywords as readonly string[]).includes(name);
}

/** Of schemas that `alignUnions` has given: both have alternatives, or neither. */
export function compareAlternatives(
  before: JsonSchemaObject,
  after: JsonSchemaObject,
  at: string,
  types: Types,
  schemas: Schemas,
): { pairs: Pair[]; changes: SchemaChange[] } {
  const [old, now] = [alternativesOf(before), alternativesOf(after)];
  const unions = pairAlternatives(old, now, schemas);
  const parts = pairAlternatives(before.allOf ?? [], after.allOf ?? [], schemas);
  const change = (kind: ChangeKind, schema: JsonSchema, what: string): SchemaChange => ({
    kind,
    at,
    text: `${what}${inWords(schema)}`,
  });
  const backwards = { before: schemas.after, after: schemas.before };
  return {
    pairs: [...unions.pairs, ...parts.pairs].map(([one, other]) => ({ before: one, after: other, at })),
    changes: [
      ...unions.removed
        .filter((schema) => !isToldByType(schemas.before.typesOf(schema), types.after))
        .filter((schema) => !isWithinAny(schema, now, schemas))
        .map((schema) => change('alternative-removed', schema, 'alternative removed')),
      ...unions.added
        .filter((schema) => !isToldByType(schemas.after.typesOf(schema), types.before))
        .filter((schema) => !isWithinAny(schema, old, backwards))
        .map((schema) => change('alternative-added', schema, 'alternative added')),
      ...parts.removed.map((schema) => change('constraint-loosened', schema, 'part of allOf removed')),
      ...parts.added.map((schema) => change('constraint-tightened', schema, 'part of allOf added')),
    ],
  };
}

function alternativesOf({ anyOf, oneOf }: JsonSchemaObject): JsonSchema[] {
  return (anyOf ?? oneOf ?? []).flatMap((schema) =>
    typeof schema === 'object' && Array.isArray(schema.type) ? byType(schema) : [schema],
  );
}

/** A schema as one for each of its types. */
function byType({ type, ...rest }: JsonSchemaObject): JsonSchema[] {
  if (!Array.isArray(type)) return [type === undefined ? rest : { ...rest, type }];
  return type.map((each) => (each === 'null' ? { type: each } : { ...rest, type: each }));
}

/** Where the other side has none of an alternative's types, the change of type says it all; so it does of `null`. */
function isToldByType(types: string[] | undefined, others: string[] | undefined): boolean {
  const own = types?.filter((type) => type !== 'null');
  return haveNothingInCommon({ before: own, after: others });
}

const scalars = new Set(['string', 'number', 'integer', 'boolean', 'null']);

/** Whether whatever is taken by `schema` is taken by one of the other side's too; of values without parts it can be told. */
function isWithinAny(schema: JsonSchema, others: readonly JsonSchema[], schemas: Schemas): boolean {
  return others.some((other) => {
    if (other === true) return true;
    const values = valuesOf(schemas.before.of(schema));
    if (values !== undefined) return values.every((value) => surelyFits(schemas.after.of(other), value, {}));
    if (!isScalar(schema, schemas.before) || !isScalar(other, schemas.after)) return false;
    const types = { before: schemas.before.typesOf(schema), after: schemas.after.typesOf(other) };
    const found = compareAssertions(schemas.before.of(schema), schemas.after.of(other), types, schemas);
    return found.every(({ kind }) => effectOf(kind, 'input') === 'compatible');
  });
}

function valuesOf({ enum: values, const: value }: JsonSchemaObject): readonly Json[] | undefined {
  return value === undefined ? values : [value];
}

function isScalar(schema: JsonSchema, schemas: ResolvedSchemas): boolean {
  const resolved = schemas.of(schema);
  const types = schemas.typesOf(schema);
  return (
    !isUnion(resolved) &&
    resolved.allOf === undefined &&
    types !== undefined &&
    types.every((type) => scalars.has(type))
  );
}

function inWords(schema: JsonSchema): string {
  if (schema === true) return ' (anything)';
  const name = nameOfAlternative(schema) ?? (typeof schema === 'object' ? schema.type : undefined);
  return name === undefined ? '' : ` (${[name].flat().join(' or ')})`;
}
