/** Compares the types, values and limits of two schemas. */
import type { JsonSchema, JsonSchemaObject } from '../util/json-schema.ts';
import { KEYWORDS_WITH_SCHEMAS } from '../model/schema-walk.ts';
import { formatNameList } from '../util/collections.ts';
import type { ChangeKind, Texts } from './change-kinds.ts';
import { type ResolvedSchemas, makeTypeCoverageTest } from './resolved-schemas.ts';

/** Most values that one message lists. */
const MOST = 5;

export interface SchemaFinding {
  kind: ChangeKind;
  /** A clause without subject: `takes null too`. */
  text: string;
  texts?: Texts;
}

export interface SchemaChange extends SchemaFinding {
  /** `filter.tags[]`; `''` is the whole schema. */
  at: string;
}

export interface SchemaPair {
  before: JsonSchema;
  after: JsonSchema;
  at: string;
}

/** The types that each side accepts; `undefined`: all. */
export interface AcceptedTypes {
  before: string[] | undefined;
  after: string[] | undefined;
}

function compareTypes({ before, after }: AcceptedTypes): SchemaFinding[] {
  const lost = after !== undefined && (before === undefined || !before.every(makeTypesTest(after)));
  const gained = before !== undefined && (after === undefined || !after.every(makeTypesTest(before)));
  if (!lost && !gained) return [];
  const kind = lost && gained ? 'type-changed' : lost ? 'type-narrowed' : 'type-widened';
  return [{ kind, text: `type changed from ${describeTypes(before)} to ${describeTypes(after)}` }];
}

/** No value is accepted by both. */
export function areTypesDisjoint({ before, after }: AcceptedTypes): boolean {
  if (before === undefined || after === undefined) return false;
  return !before.some(makeTypesTest(after)) && !after.some(makeTypesTest(before));
}

function makeTypesTest(types: string[]): (type: string) => boolean {
  return (type) => types.some(makeTypeCoverageTest(type));
}

/** Ignores `null`, which is compared as a type. */
function compareEnumValues(before: JsonSchemaObject, after: JsonSchemaObject): SchemaFinding[] {
  const [old, now] = [listEnumTexts(before), listEnumTexts(after)];
  if (old === undefined && now === undefined) return [];
  if (old === undefined)
    return [{ kind: 'value-removed', text: `takes ${formatNameList(now ?? [], MOST)} alone` }];
  if (now === undefined)
    return [{ kind: 'value-added', text: `takes more than ${formatNameList(old, MOST)}` }];
  const removed = old.filter((value) => !now.includes(value));
  const added = now.filter((value) => !old.includes(value));
  const findings: SchemaFinding[] = [];
  if (removed.length > 0)
    findings.push({ kind: 'value-removed', text: `value ${formatNameList(removed, MOST)} removed` });
  if (added.length > 0)
    findings.push({ kind: 'value-added', text: `value ${formatNameList(added, MOST)} added` });
  return findings;
}

function describeTypes(types: string[] | undefined): string {
  if (types === undefined) return 'any';
  return types.length === 0 ? 'none' : types.join(' or ');
}

function listEnumTexts({ enum: values, const: value }: JsonSchemaObject): string[] | undefined {
  const all = value === undefined ? values : [value];
  return all?.filter((value) => value !== null).map((value) => JSON.stringify(value));
}

/** Limits that accept fewer values when they are greater. */
const minima = 'minimum exclusiveMinimum minLength minItems minProperties minContains'.split(' ');
const maxima = 'maximum exclusiveMaximum maxLength maxItems maxProperties maxContains'.split(' ');

/** Keywords whose schemas are compared one by one; those of `$defs` where a reference leads to them. */
const paired = 'allOf anyOf oneOf properties additionalProperties prefixItems items $defs'.split(' ');

const constraints = [
  ...['multipleOf', 'uniqueItems', 'pattern', 'format', 'contentEncoding', 'contentMediaType'],
  ...[...KEYWORDS_WITH_SCHEMAS.keys()].filter((keyword) => !paired.includes(keyword)),
  ...['dependentRequired', '$ref', '$dynamicRef'],
];

/** Keywords that `compareLimit` compares (JSON Schema 2020-12, Validation, section 6). */
export const limitKeywords: readonly string[] = [...minima, ...maxima, ...constraints];

/** Returns the value of a keyword, or undefined if the keyword refuses no value that the others accept. */
function readLimit(schema: JsonSchemaObject, name: string): unknown {
  if (name === 'uniqueItems') return schema.uniqueItems === false ? undefined : schema.uniqueItems;
  if (!name.toLowerCase().endsWith('contains')) return schema[name];
  const { contains, minContains = 1, maxContains } = schema;
  if (contains === undefined || (minContains === 0 && maxContains === undefined)) return undefined;
  return name === 'minContains' ? minContains : schema[name];
}

function compareLimit(
  name: string,
  before: JsonSchemaObject,
  after: JsonSchemaObject,
  schemas: Schemas,
): SchemaFinding[] {
  const [old, now] = [before, after].map((schema) => readLimit(schema, name));
  // Where only one side has `contains`, that is the change.
  if (old === now || (name === 'minContains' && (old === undefined || now === undefined))) return [];
  if (old === undefined)
    return [{ kind: 'constraint-tightened', text: `${name}${formatPlainValue(now)} set` }];
  if (now === undefined)
    return [{ kind: 'constraint-loosened', text: `${name}${formatPlainValue(old)} removed` }];
  const isSame =
    schemas.before.printWithDefinitions({ [name]: old }) ===
    schemas.after.printWithDefinitions({ [name]: now });
  if (isSame) return [];
  const kind =
    constraints.includes(name) || typeof old !== 'number' || typeof now !== 'number'
      ? 'constraint-changed'
      : minima.includes(name) === now > old
        ? 'constraint-tightened'
        : 'constraint-loosened';
  const values = [old, now].map(formatPlainValue);
  return [{ kind, text: `${name} changed${values.includes('') ? '' : ` from${values.join(' to')}`}` }];
}

/** Shows only texts and numbers: a schema would be too long. */
function formatPlainValue(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? ` ${JSON.stringify(value)}` : '';
}

export interface Schemas {
  before: ResolvedSchemas;
  after: ResolvedSchemas;
}

/** Compares resolved schemas without their parts. Schemas without a common type differ only in their types. */
export function compareAssertions(
  before: JsonSchemaObject,
  after: JsonSchemaObject,
  types: AcceptedTypes,
  schemas: Schemas,
): SchemaFinding[] {
  const typeFindings = compareTypes(types);
  if (areTypesDisjoint(types)) return typeFindings;
  return [
    ...typeFindings,
    ...compareEnumValues(before, after),
    ...limitKeywords.flatMap((name) => compareLimit(name, before, after, schemas)),
  ];
}
