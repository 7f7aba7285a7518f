/**
 * Compares two schemas by meaning and not by text: `$ref`s are followed, so that a moved or inlined definition is no change.
 */
import type { JsonSchema, JsonSchemaObject } from '../util/json-schema.ts';
import { KEYWORDS_WITH_SCHEMAS } from '../model/schema-walk.ts';
import { omitUndefined } from '../util/collections.ts';
import { compareDeprecation } from './change-kinds.ts';
import { ResolvedSchemas, listTypes } from './resolved-schemas.ts';
import {
  type SchemaFinding,
  type SchemaPair,
  type SchemaChange,
  compareAssertions,
  areTypesDisjoint,
  limitKeywords,
} from './schema-assertions.ts';
import { wrapMissingUnion, compareAlternatives } from './schema-unions.ts';

/** Compares each pair of schemas once, shallow ones first. */
export function compareSchemas(before: JsonSchemaObject, after: JsonSchemaObject): SchemaChange[] {
  const schemas = { before: new ResolvedSchemas(before), after: new ResolvedSchemas(after) };
  const seen = new Map<JsonSchemaObject, Set<JsonSchemaObject>>();
  const changes: SchemaChange[] = [];
  const open: SchemaPair[] = [{ before, after, at: '' }];
  for (const { at, ...pair } of open) {
    const resolved = {
      before: schemas.before.resolve(pair.before),
      after: schemas.after.resolve(pair.after),
    };
    const partners = seen.get(resolved.before) ?? new Set();
    if (partners.has(resolved.after)) continue;
    seen.set(resolved.before, partners.add(resolved.after));
    const { before: old, after: now } = wrapMissingUnion(resolved);
    const types = { before: listTypes(old), after: listTypes(now) };
    const findings = [...compareAssertions(old, now, types, schemas), ...compareAnnotations(old, now)];
    changes.push(...findings.map((finding) => ({ ...finding, at })));
    if (areTypesDisjoint(types)) continue;
    const members = compareProperties(old, now, at);
    const alternatives = compareAlternatives(old, now, at, schemas);
    changes.push(...members.changes, ...alternatives.changes);
    open.push(...members.pairs, ...pairItemSchemas(old, now, at), ...alternatives.pairs);
  }
  return changes;
}

function pairItemSchemas(before: JsonSchemaObject, after: JsonSchemaObject, at: string): SchemaPair[] {
  const pairs: SchemaPair[] = [];
  const addPair = (old: JsonSchema | undefined, now: JsonSchema | undefined, place: string): void => {
    if (old !== undefined || now !== undefined)
      pairs.push({ before: old ?? true, after: now ?? true, at: `${at}${place}` });
  };
  const [old, now] = [before.prefixItems ?? [], after.prefixItems ?? []];
  for (let index = 0; index < Math.max(old.length, now.length); index += 1)
    addPair(old[index] ?? before.items, now[index] ?? after.items, `[${index}]`);
  addPair(before.items, after.items, '[]');
  return pairs;
}

/** Keywords that are compared elsewhere; the others are annotations. */
const compared = new Set<string>([
  ...limitKeywords,
  ...KEYWORDS_WITH_SCHEMAS.keys(),
  ...['type', 'enum', 'const', 'required', '$id', '$schema', '$anchor', '$dynamicAnchor'],
]);

function compareAnnotations(before: JsonSchemaObject, after: JsonSchemaObject): SchemaFinding[] {
  const names = new Set(
    [...Object.keys(before), ...Object.keys(after)].filter((name) => !compared.has(name)),
  );
  return [...names].flatMap((name) => {
    const [old, now] = [JSON.stringify(before[name]), JSON.stringify(after[name])];
    if (old === now) return [];
    if (name !== 'description') return [compareAnnotation(name, old, now)];
    const { changes, isReworded } = compareDeprecation(before.description, after.description);
    // A change of the keyword `deprecated` is reported as such.
    const found = before.deprecated !== after.deprecated ? [] : changes;
    return isReworded ? [...found, compareAnnotation(name, old, now)] : found;
  });
}

/** `before` and `after` are JSON texts. */
function compareAnnotation(
  name: string,
  before: string | undefined,
  after: string | undefined,
): SchemaFinding {
  if (name === 'title' || name === 'description')
    return {
      kind: `${name}-changed`,
      text: `${name} ${changeVerb(before, after)}`,
      texts: omitUndefined({ before: parseText(before), after: parseText(after) }),
    };
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
  return { kind: 'keyword-changed', text: `${name} ${changeVerb(before, after)}` };
}

function parseText(json: string | undefined): string | undefined {
  return json === undefined ? undefined : String(JSON.parse(json));
}

function changeVerb(before: string | undefined, after: string | undefined): string {
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : 'changed';
}

interface Members {
  /** Members that both schemas have. */
  pairs: SchemaPair[];
  changes: SchemaChange[];
}

function compareProperties(before: JsonSchemaObject, after: JsonSchemaObject, at: string): Members {
  const [old, now] = [before.properties ?? {}, after.properties ?? {}];
  // A required member may have no schema.
  const required = [...(before.required ?? []), ...(after.required ?? [])];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now), ...required])];
  const memberChanges = names.map((name) => {
    const place = at === '' ? name : `${at}.${name}`;
    return compareProperty({ before: findProperty(before, name), after: findProperty(after, name) }, place);
  });
  const open = compareAdditionalProperties(before, after, at);
  return {
    pairs: [...memberChanges.flatMap(({ pairs }) => pairs), ...open.pairs],
    changes: [...memberChanges.flatMap(({ changes }) => changes), ...open.changes],
  };
}

interface Member {
  schema: JsonSchema | undefined;
  required: boolean;
}

function findProperty({ properties = {}, required = [] }: JsonSchemaObject, name: string): Member {
  return {
    schema: Object.hasOwn(properties, name) ? properties[name] : undefined,
    required: required.includes(name),
  };
}

function compareProperty({ before, after }: { before: Member; after: Member }, at: string): Members {
  if (before.schema !== undefined && after.schema === undefined)
    return { pairs: [], changes: [{ kind: 'member-removed', at, text: 'removed' }] };
  if (before.schema === undefined && after.schema !== undefined) {
    const needed = after.required && !before.required;
    const kind = needed ? 'required-member-added' : 'member-added';
    return { pairs: [], changes: [{ kind, at, text: needed ? 'added, and required' : 'added' }] };
  }
  const changes: SchemaChange[] = [];
  if (before.required !== after.required)
    changes.push(
      after.required
        ? { kind: 'became-required', at, text: 'required now' }
        : { kind: 'became-optional', at, text: 'no longer required' },
    );
  if (before.schema === undefined || after.schema === undefined) return { pairs: [], changes };
  return { pairs: [{ before: before.schema, after: after.schema, at }], changes };
}

function compareAdditionalProperties(before: JsonSchemaObject, after: JsonSchemaObject, at: string): Members {
  const { additionalProperties: old = true } = before;
  const { additionalProperties: now = true } = after;
  if (old === false && now === false) return { pairs: [], changes: [] };
  const place = at === '' ? '*' : `${at}.*`;
  if (now === false)
    return { pairs: [], changes: [{ kind: 'closed', at: place, text: 'other members are refused now' }] };
  if (old === false)
    return { pairs: [], changes: [{ kind: 'opened', at: place, text: 'other members are allowed now' }] };
  return { pairs: [{ before: old, after: now, at: place }], changes: [] };
}
