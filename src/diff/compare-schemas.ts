/**
 * Compares two schemas by meaning and not by text: `$ref`s are followed, so that a moved or inlined definition is no change.
 */
import type { JsonSchema, JsonSchemaObject } from '../../templates/runtime/contract/json-schema.ts';
import { compareDeprecation } from './deprecation.ts';
import { compareAssertions } from './schema-assertions.ts';
import { limitKeywords } from './schema-limits.ts';
import { compareMembers } from './schema-members.ts';
import { type Finding, haveNothingInCommon, type Pair, type SchemaChange } from './schema-types.ts';
import { alignUnions, alternativeKeywords, compareAlternatives } from './schema-unions.ts';
import { ResolvedSchemas } from './resolved-schemas.ts';

/** Compares each pair of schemas once, shallow ones first. */
export function compareSchemas(before: JsonSchemaObject, after: JsonSchemaObject): SchemaChange[] {
  const schemas = { before: new ResolvedSchemas(before), after: new ResolvedSchemas(after) };
  const seen = new Map<JsonSchemaObject, Set<JsonSchemaObject>>();
  const changes: SchemaChange[] = [];
  const open: Pair[] = [{ before, after, at: '' }];
  for (const { at, ...pair } of open) {
    const resolved = {
      before: schemas.before.resolve(pair.before),
      after: schemas.after.resolve(pair.after),
    };
    const partners = seen.get(resolved.before) ?? new Set();
    if (partners.has(resolved.after)) continue;
    seen.set(resolved.before, partners.add(resolved.after));
    const { before: old, after: now } = alignUnions(resolved);
    const types = { before: schemas.before.listTypes(old), after: schemas.after.listTypes(now) };
    const findings = [...compareAssertions(old, now, types, schemas), ...compareWords(old, now)];
    changes.push(...findings.map((finding) => ({ ...finding, at })));
    if (haveNothingInCommon(types)) continue;
    const members = compareMembers(old, now, at);
    const alternatives = compareAlternatives(old, now, at, types, schemas);
    changes.push(...members.changes, ...alternatives.changes);
    open.push(...members.pairs, ...elements(old, now, at), ...alternatives.pairs);
  }
  return changes;
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

/** Keywords that are compared elsewhere; the others are annotations. */
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
    // A change of the keyword `deprecated` is reported as such.
    const found = before.deprecated !== after.deprecated ? [] : changes;
    return isReworded ? [...found, compareWord(name, old, now)] : found;
  });
}

/** `before` and `after` are JSON texts. */
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
