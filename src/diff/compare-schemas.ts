/**
 * What differs between two schemas, by meaning and not by text: `$ref`s are followed, and where a definition has moved or
 * been written out, nothing has changed.
 */
import type { JsonSchema, JsonSchemaObject } from '../../templates/runtime/contract/json-schema.ts';
import type { ChangeKind } from './change-kinds.ts';
import { compareDeprecation } from './deprecation.ts';
import { compareAssertions, type Schemas } from './schema-assertions.ts';
import { limitKeywords } from './schema-limits.ts';
import { compareMembers } from './schema-members.ts';
import { type Finding, haveNothingInCommon, type Types } from './schema-types.ts';
import { alignUnions, alternativeKeywords, compareAlternatives } from './schema-unions.ts';
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

/** Each pair is compared once, however often it is reached; shallow ones first. */
export function compareSchemas(before: JsonSchemaObject, after: JsonSchemaObject): SchemaChange[] {
  const schemas = { before: new ResolvedSchemas(before), after: new ResolvedSchemas(after) };
  const seen = new Map<JsonSchemaObject, Set<JsonSchemaObject>>();
  const changes: SchemaChange[] = [];
  const open: Pair[] = [{ before, after, at: '' }];
  for (const { at, ...pair } of open) {
    const resolved = { before: schemas.before.of(pair.before), after: schemas.after.of(pair.after) };
    const partners = seen.get(resolved.before) ?? new Set();
    if (partners.has(resolved.after)) continue;
    seen.set(resolved.before, partners.add(resolved.after));
    const { before: old, after: now } = alignUnions(resolved);
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
  const words = compareWords(before, after);
  return [...compareAssertions(before, after, types, schemas), ...words];
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
    if (old === now) return [];
    if (name !== 'description') return [compareWord(name, old, now)];
    const { changes, isReworded } = compareDeprecation(before.description, after.description);
    // The keyword says it too.
    const told = before.deprecated !== after.deprecated ? [] : changes;
    return isReworded ? [...told, compareWord(name, old, now)] : told;
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
