/** Compares `anyOf` and `oneOf`, which have the same meaning for a client, and `allOf`. */
import type { Json, JsonSchema, JsonSchemaObject } from '../../templates/runtime/contract/json-schema.ts';
import { isSurelyValid } from '../emit/wire/surely-fits.ts';
import { omitUndefined } from '../util/collections.ts';
import { type ChangeKind, findEffect } from './change-kinds.ts';
import type { ResolvedSchemas } from './resolved-schemas.ts';
import {
  type SchemaPair,
  type SchemaChange,
  type Schemas,
  type AcceptedTypes,
  compareAssertions,
  areTypesDisjoint,
} from './schema-assertions.ts';

interface Sides {
  before: JsonSchemaObject;
  after: JsonSchemaObject;
}

export const alternativeKeywords = ['anyOf', 'oneOf'] as const;

/** Keywords that do not limit the accepted values. */
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
 * If only one side is a union, makes the other one a union, too. Its assertions become the alternative if the first union has
 * no assertions beside its alternatives; else its alternative accepts anything.
 */
export function wrapMissingUnion({ before, after }: Sides): Sides {
  if (isUnion(before) && !isUnion(after)) return { before, after: wrapAsUnion(after, before) };
  if (isUnion(after) && !isUnion(before)) return { before: wrapAsUnion(before, after), after };
  return { before, after };
}

function isUnion({ anyOf, oneOf }: JsonSchemaObject): boolean {
  return anyOf !== undefined || oneOf !== undefined;
}

function isBareUnion(schema: JsonSchemaObject): boolean {
  return (
    isUnion(schema) &&
    Object.entries(schema).every(
      ([name, value]) => value === undefined || isAnnotationKeyword(name) || isAlternativesKeyword(name),
    )
  );
}

function wrapAsUnion(all: JsonSchemaObject, union: JsonSchemaObject): JsonSchemaObject {
  if (!isBareUnion(union)) return { ...all, anyOf: [true] };
  const { allOf, ...schema } = all;
  const beside = Object.entries(schema).filter(([name]) => isAnnotationKeyword(name));
  const limits = Object.entries(schema).filter(([name]) => !isAnnotationKeyword(name));
  return {
    ...Object.fromEntries(beside),
    ...omitUndefined({ allOf }),
    anyOf: splitByType(Object.fromEntries(limits)),
  };
}

function isAnnotationKeyword(name: string): boolean {
  return words.has(name) || name.startsWith('x-');
}

function isAlternativesKeyword(name: string): boolean {
  return (alternativeKeywords as readonly string[]).includes(name);
}

export function compareAlternatives(
  before: JsonSchemaObject,
  after: JsonSchemaObject,
  at: string,
  types: AcceptedTypes,
  schemas: Schemas,
): { pairs: SchemaPair[]; changes: SchemaChange[] } {
  const [old, now] = [listAlternatives(before), listAlternatives(after)];
  const unions = pairAlternatives(old, now, schemas);
  const parts = pairAlternatives(before.allOf ?? [], after.allOf ?? [], schemas);
  const makeAlternativeChange = (kind: ChangeKind, schema: JsonSchema, what: string): SchemaChange => ({
    kind,
    at,
    text: `${what}${describeAlternative(schema)}`,
  });
  const backwards = { before: schemas.after, after: schemas.before };
  return {
    pairs: [...unions.pairs, ...parts.pairs].map(([one, other]) => ({ before: one, after: other, at })),
    changes: [
      ...unions.removed
        .filter((schema) => !isTypeChange(schemas.before.listTypes(schema), types.after))
        .filter((schema) => !isAcceptedByAny(schema, now, schemas))
        .map((schema) => makeAlternativeChange('alternative-removed', schema, 'alternative removed')),
      ...unions.added
        .filter((schema) => !isTypeChange(schemas.after.listTypes(schema), types.before))
        .filter((schema) => !isAcceptedByAny(schema, old, backwards))
        .map((schema) => makeAlternativeChange('alternative-added', schema, 'alternative added')),
      ...parts.removed.map((schema) =>
        makeAlternativeChange('constraint-loosened', schema, 'part of allOf removed'),
      ),
      ...parts.added.map((schema) =>
        makeAlternativeChange('constraint-tightened', schema, 'part of allOf added'),
      ),
    ],
  };
}

function listAlternatives({ anyOf, oneOf }: JsonSchemaObject): JsonSchema[] {
  return (anyOf ?? oneOf ?? []).flatMap((schema) =>
    typeof schema === 'object' && Array.isArray(schema.type) ? splitByType(schema) : [schema],
  );
}

function splitByType({ type, ...rest }: JsonSchemaObject): JsonSchema[] {
  if (!Array.isArray(type)) return [type === undefined ? rest : { ...rest, type }];
  return type.map((each) => (each === 'null' ? { type: each } : { ...rest, type: each }));
}

/** Whether the change of an alternative is reported as a change of type: the other side has none of its types, except `null`. */
function isTypeChange(types: string[] | undefined, others: string[] | undefined): boolean {
  const own = types?.filter((type) => type !== 'null');
  return areTypesDisjoint({ before: own, after: others });
}

const scalars = new Set(['string', 'number', 'integer', 'boolean', 'null']);

/** Whether all values of `schema` are accepted by one of `others`. Decided only for constants and scalars. */
function isAcceptedByAny(schema: JsonSchema, others: readonly JsonSchema[], schemas: Schemas): boolean {
  return others.some((other) => {
    if (other === true) return true;
    const [old, now] = [schemas.before.resolve(schema), schemas.after.resolve(other)];
    const values = listConstants(old);
    if (values !== undefined) return values.every((value) => isSurelyValid(now, value, {}));
    if (!acceptsOnlyScalars(schema, schemas.before) || !acceptsOnlyScalars(other, schemas.after))
      return false;
    const types = { before: schemas.before.listTypes(schema), after: schemas.after.listTypes(other) };
    const found = compareAssertions(old, now, types, schemas);
    return found.every(({ kind }) => findEffect(kind, 'input') === 'compatible');
  });
}

function listConstants({ enum: values, const: value }: JsonSchemaObject): readonly Json[] | undefined {
  return value === undefined ? values : [value];
}

function acceptsOnlyScalars(schema: JsonSchema, schemas: ResolvedSchemas): boolean {
  const resolved = schemas.resolve(schema);
  const types = schemas.listTypes(schema);
  return (
    !isUnion(resolved) &&
    resolved.allOf === undefined &&
    types !== undefined &&
    types.every((type) => scalars.has(type))
  );
}

function describeAlternative(schema: JsonSchema): string {
  if (schema === true) return ' (anything)';
  const name = labelAlternative(schema) ?? (typeof schema === 'object' ? schema.type : undefined);
  return name === undefined ? '' : ` (${[name].flat().join(' or ')})`;
}

interface Alternatives {
  pairs: [before: JsonSchema, after: JsonSchema][];
  removed: JsonSchema[];
  added: JsonSchema[];
}

/** Pairs alternatives by name or title, then by meaning, then by a type that only one has; a single one left on each side is a pair, too. */
function pairAlternatives(
  before: readonly JsonSchema[],
  after: readonly JsonSchema[],
  schemas: { before: ResolvedSchemas; after: ResolvedSchemas },
): Alternatives {
  const rest = { before: [...before], after: [...after] };
  const pairs: Alternatives['pairs'] = [];
  const pairByLabel = (labelOld: Label, labelNew: Label): void => {
    for (const old of [...rest.before]) {
      if (rest.after.length === 0) return;
      const label = labelOld(old, rest.before);
      if (label === undefined) continue;
      const now = rest.after.find((each) => labelNew(each, rest.after) === label);
      if (now === undefined) continue;
      pairs.push([old, now]);
      rest.before.splice(rest.before.indexOf(old), 1);
      rest.after.splice(rest.after.indexOf(now), 1);
    }
  };
  pairByLabel(labelAlternative, labelAlternative);
  pairByLabel(makeTitleLabeler(schemas.before), makeTitleLabeler(schemas.after));
  pairByLabel(
    (schema) => schemas.before.printWithDefinitions(schema),
    (schema) => schemas.after.printWithDefinitions(schema),
  );
  pairByLabel(makeTypeLabeler(schemas.before), makeTypeLabeler(schemas.after));
  const [old, now] = [rest.before, rest.after];
  if (old.length === 1 && now.length === 1 && old[0] !== undefined && now[0] !== undefined)
    return { pairs: [...pairs, [old[0], now[0]]], removed: [], added: [] };
  return { pairs, removed: old, added: now };
}

type Label = (schema: JsonSchema, all: readonly JsonSchema[]) => string | undefined;

/** Labels an alternative: by its constant member, its title or its definition's name. */
function labelAlternative(schema: JsonSchema): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  const tag = Object.entries(schema.properties ?? {}).find(
    ([, property]) => typeof property === 'object' && property.const !== undefined,
  );
  if (schema.$ref !== undefined) return schema.$ref.replace(/^#\/\$defs\//, '');
  if (schema.title !== undefined) return schema.title;
  if (tag === undefined || typeof tag[1] === 'boolean') return undefined;
  return `${tag[0]}: ${JSON.stringify(tag[1].const)}`;
}

/** A definition that is written out on one side only has its title on both. */
function makeTitleLabeler(schemas: ResolvedSchemas): Label {
  return (schema) => schemas.resolve(schema).title;
}

function makeTypeLabeler(schemas: ResolvedSchemas): Label {
  const findType = (schema: JsonSchema): string | undefined => {
    const { type } = schemas.resolve(schema);
    return type === undefined ? undefined : [type].flat().join();
  };
  return (schema, all) => {
    const type = findType(schema);
    return all.filter((each) => findType(each) === type).length === 1 ? type : undefined;
  };
}
