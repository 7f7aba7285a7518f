/**
 * What differs between two schemas, by meaning and not by text: `$ref`s are followed, and where a definition has moved or
 * been written out, nothing has changed.
 */
import type { JsonSchema, JsonSchemaObject } from '../../templates/runtime/schema/json-schema.ts';
import type { ChangeKind } from './change-kinds.ts';
import { compareLimits, limitKeywords } from './schema-limits.ts';
import { compareMembers } from './schema-members.ts';
import {
  compareTypes,
  compareValues,
  type Finding,
  haveNothingInCommon,
  type Types,
} from './schema-types.ts';
import { nameOfAlternative, pairAlternatives } from './pair-alternatives.ts';
import { ResolvedSchemas } from './resolved-schemas.ts';

export interface SchemaChange {
  kind: ChangeKind;
  /** `filter.tags[]`; `''` is the whole. */
  at: string;
  /** A clause without subject. */
  text: string;
}

/** Two schemas that have the same place. */
export interface Pair {
  before: JsonSchema;
  after: JsonSchema;
  at: string;
}

interface Schemas {
  before: ResolvedSchemas;
  after: ResolvedSchemas;
}

/** Each pair is compared once, however often it is reached; shallow ones first. */
export function compareSchemas(before: JsonSchemaObject, after: JsonSchemaObject): SchemaChange[] {
  const schemas = { before: new ResolvedSchemas(before), after: new ResolvedSchemas(after) };
  const seen = new Map<JsonSchemaObject, Set<JsonSchemaObject>>();
  const changes: SchemaChange[] = [];
  const open: Pair[] = [{ before, after, at: '' }];
  for (const { at, ...pair } of open) {
    const old = schemas.before.of(pair.before);
    const now = schemas.after.of(pair.after);
    const partners = seen.get(old) ?? new Set();
    if (partners.has(now)) continue;
    seen.set(old, partners.add(now));
    const types = { before: schemas.before.typesOf(old), after: schemas.after.typesOf(now) };
    changes.push(...compareHere(old, now, types, schemas).map((finding) => ({ ...finding, at })));
    if (haveNothingInCommon(types)) continue;
    const members = compareMembers(old, now, at);
    const alternatives = compareAlternatives(old, now, at, types, schemas);
    changes.push(...members.changes, ...alternatives.changes);
    open.push(...members.pairs, ...elements(old, now, at), ...alternatives.pairs);
  }
  return changes;
}

function compareHere(
  before: JsonSchemaObject,
  after: JsonSchemaObject,
  types: Types,
  schemas: Schemas,
): Finding[] {
  const found = compareTypes(types);
  const words = compareWords(before, after);
  if (haveNothingInCommon(types)) return [...found, ...words];
  const limits = compareLimits(before, after, {
    before: (value) => schemas.before.textOf(value),
    after: (value) => schemas.after.textOf(value),
  });
  return [...found, ...compareValues(before, after), ...limits, ...words];
}

function elements(before: JsonSchemaObject, after: JsonSchemaObject, at: string): Pair[] {
  const pairs: Pair[] = [];
  const add = (old: JsonSchema | undefined, now: JsonSchema | undefined, place: string): void => {
    if (old !== undefined || now !== undefined)
      pairs.push({ before: old ?? true, after: now ?? true, at: `${at}${place}` });
  };
  const [old, now] = [before.prefixItems ?? [], after.prefixItems ?? []];
  for (let index = 0; index < Math.max(old.length, now.length); index += 1)
    add(old[index] ?? before.items, now[index] ?? after.items, `[${index}]`);
  add(before.items, after.items, '[]');
  return pairs;
}

const alternativeKeywords = ['anyOf', 'oneOf'] as const;

/** Of `anyOf` and `oneOf`, which say the same to a client; a schema without either is the one alternative. */
function compareAlternatives(
  before: JsonSchemaObject,
  after: JsonSchemaObject,
  at: string,
  types: Types,
  schemas: Schemas,
): { pairs: Pair[]; changes: SchemaChange[] } {
  const [old, now] = [alternativesOf(before), alternativesOf(after)];
  const [oldParts, nowParts] = [before.allOf ?? [], after.allOf ?? []];
  const unions =
    old === undefined && now === undefined
      ? { pairs: [], removed: [], added: [] }
      : pairAlternatives(old ?? byType(before), now ?? byType(after), schemas);
  const parts = pairAlternatives(oldParts, nowParts, schemas);
  const change = (kind: ChangeKind, schema: JsonSchema, what: string): SchemaChange => ({
    kind,
    at,
    text: `${what}${inWords(schema)}`,
  });
  return {
    pairs: [...unions.pairs, ...parts.pairs].map(([one, other]) => ({ before: one, after: other, at })),
    changes: [
      ...unions.removed
        .filter((schema) => !isToldByType(schemas.before.typesOf(schema), types.after))
        .map((schema) => change('alternative-removed', schema, 'alternative removed')),
      ...unions.added
        .filter((schema) => !isToldByType(schemas.after.typesOf(schema), types.before))
        .map((schema) => change('alternative-added', schema, 'alternative added')),
      ...parts.removed.map((schema) => change('constraint-loosened', schema, 'part of allOf removed')),
      ...parts.added.map((schema) => change('constraint-tightened', schema, 'part of allOf added')),
    ],
  };
}

function alternativesOf({ anyOf, oneOf }: JsonSchemaObject): JsonSchema[] | undefined {
  return anyOf ?? oneOf;
}

/** A schema without alternatives as one for each of its types. What `allOf` adds is compared by itself. */
function byType(schema: JsonSchemaObject): JsonSchema[] {
  const { type, ...rest } = schema;
  delete rest.allOf;
  if (!Array.isArray(type)) return [type === undefined ? rest : { ...rest, type }];
  return type.map((each) => (each === 'null' ? { type: each } : { ...rest, type: each }));
}

/** Where the other side has none of an alternative's types, the change of type says it all. */
function isToldByType(types: string[] | undefined, others: string[] | undefined): boolean {
  return haveNothingInCommon({ before: types, after: others });
}

function inWords(schema: JsonSchema): string {
  const name = nameOfAlternative(schema) ?? (typeof schema === 'object' ? schema.type : undefined);
  return name === undefined ? '' : ` (${[name].flat().join(' or ')})`;
}

/** Keywords that are compared elsewhere; the rest are notes for the reader. */
const compared = new Set<string>([
  ...limitKeywords,
  ...alternativeKeywords,
  'type',
  'enum',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'prefixItems',
  'allOf',
  '$defs',
  '$id',
  '$schema',
  '$anchor',
  '$dynamicAnchor',
]);

function compareWords(before: JsonSchemaObject, after: JsonSchemaObject): Finding[] {
  const names = new Set(
    [...Object.keys(before), ...Object.keys(after)].filter((name) => !compared.has(name)),
  );
  return [...names].flatMap((name) => {
    const [old, now] = [JSON.stringify(before[name]), JSON.stringify(after[name])];
    return old === now ? [] : [compareWord(name, old, now)];
  });
}

/** `before` and `after` as JSON texts. */
function compareWord(name: string, before: string | undefined, after: string | undefined): Finding {
  if (name === 'title' || name === 'description')
    return { kind: `${name}-changed`, text: `${name} ${verb(before, after)}` };
  if (name === 'default') {
    return before === undefined
      ? { kind: 'default-added', text: `default ${after} added` }
      : {
          kind: 'default-changed',
          text: `default ${before} ${after === undefined ? 'removed' : `changed to ${after}`}`,
        };
  }
  if (name === 'deprecated')
    return after === 'true'
      ? { kind: 'deprecated', text: 'deprecated' }
      : { kind: 'no-longer-deprecated', text: 'no longer deprecated' };
  return { kind: 'keyword-changed', text: `${name} ${verb(before, after)}` };
}

function verb(before: string | undefined, after: string | undefined): string {
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : 'changed';
}
