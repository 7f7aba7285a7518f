/** Compares the types, values and limits of two schemas. */
import type { JsonSchema, JsonSchemaObject } from '../../templates/runtime/contract/json-schema.ts';
import { formatNameList } from '../util/collections.ts';
import type { ChangeKind } from './change-kinds.ts';
import { type ResolvedSchemas, makeTypeCoverageTest } from './resolved-schemas.ts';

/** Most values that one message lists. */
const MOST = 5;

export interface SchemaFinding {
  kind: ChangeKind;
  /** A clause without subject: `takes null too`. */
  text: string;
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

/** The types that each side accepts; `undefined`: any. */
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
  const found: SchemaFinding[] = [];
  if (removed.length > 0)
    found.push({ kind: 'value-removed', text: `value ${formatNameList(removed, MOST)} removed` });
  if (added.length > 0)
    found.push({ kind: 'value-added', text: `value ${formatNameList(added, MOST)} added` });
  return found;
}

function describeTypes(types: string[] | undefined): string {
  if (types === undefined) return 'any';
  return types.length === 0 ? 'none' : types.join(' or ');
}

function listEnumTexts({ enum: values, const: value }: JsonSchemaObject): string[] | undefined {
  const all = value === undefined ? values : [value];
  return all?.filter((each) => each !== null).map((each) => JSON.stringify(each));
}

/** The text of a keyword's value with all definitions that it refers to. */
type ToText = (value: unknown) => string;

const lowerLimits = ['minLength', 'minItems', 'minProperties', 'minContains'];
const upperLimits = ['maxLength', 'maxItems', 'maxProperties', 'maxContains'];

const constraints = [
  'pattern',
  'format',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'contains',
  'propertyNames',
  'patternProperties',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedProperties',
  'unevaluatedItems',
  'not',
  'if',
  'then',
  'else',
  '$ref',
  '$dynamicRef',
];

/** Keywords that `compareLimits` compares (JSON Schema 2020-12, Validation, section 6). */
export const limitKeywords: readonly string[] = [
  ...lowerLimits,
  ...upperLimits,
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
  'uniqueItems',
  ...constraints,
];

function compareLimits(
  before: JsonSchemaObject,
  after: JsonSchemaObject,
  texts: { before: ToText; after: ToText },
): SchemaFinding[] {
  return [
    ...lowerLimits.flatMap((name) => compareLimit(name, 1, before[name], after[name])),
    ...upperLimits.flatMap((name) => compareLimit(name, -1, before[name], after[name])),
    ...compareBounds('minimum', 1, lowerBound(before), lowerBound(after)),
    ...compareBounds('maximum', -1, upperBound(before), upperBound(after)),
    ...compareMultiples(before.multipleOf, after.multipleOf),
    ...compareUniqueness(before, after),
    ...constraints.flatMap((name) => compareConstraint(name, before[name], after[name], texts)),
  ];
}

/** `sign` is 1 if a greater limit accepts fewer values. */
function compareLimit(name: string, sign: 1 | -1, before: unknown, after: unknown): SchemaFinding[] {
  return compareBounds(name, sign, toBound(before), toBound(after));
}

interface Bound {
  value: number;
  exclusive: boolean;
}

function toBound(value: unknown, exclusive = false): Bound | undefined {
  return typeof value === 'number' ? { value, exclusive } : undefined;
}

function lowerBound({ minimum, exclusiveMinimum }: JsonSchemaObject): Bound | undefined {
  return stricterBound(1, toBound(minimum), toBound(exclusiveMinimum, true));
}

function upperBound({ maximum, exclusiveMaximum }: JsonSchemaObject): Bound | undefined {
  return stricterBound(-1, toBound(maximum), toBound(exclusiveMaximum, true));
}

function stricterBound(sign: 1 | -1, one: Bound | undefined, other: Bound | undefined): Bound | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return compareTightness(sign, one, other) > 0 ? one : other;
}

/** Above 0 if `one` accepts fewer values than `other`, 0 if they are equal. */
function compareTightness(sign: 1 | -1, one: Bound, other: Bound): number {
  return one.value === other.value
    ? Number(one.exclusive) - Number(other.exclusive)
    : sign * (one.value - other.value);
}

function compareBounds(
  name: string,
  sign: 1 | -1,
  before: Bound | undefined,
  after: Bound | undefined,
): SchemaFinding[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined)
    return [{ kind: 'constraint-tightened', text: `${name} ${printBound(after)} set` }];
  if (after === undefined)
    return [{ kind: 'constraint-loosened', text: `${name} ${printBound(before)} removed` }];
  const change = compareTightness(sign, after, before);
  if (change === 0) return [];
  const kind = change > 0 ? 'constraint-tightened' : 'constraint-loosened';
  return [{ kind, text: `${name} changed from ${printBound(before)} to ${printBound(after)}` }];
}

function printBound(bound: Bound | undefined): string {
  return bound === undefined ? 'none' : `${bound.value}${bound.exclusive ? ' (exclusive)' : ''}`;
}

function compareMultiples(before: number | undefined, after: number | undefined): SchemaFinding[] {
  if (before === after) return [];
  if (before === undefined) return [{ kind: 'constraint-tightened', text: `multipleOf ${after} set` }];
  if (after === undefined) return [{ kind: 'constraint-loosened', text: `multipleOf ${before} removed` }];
  const text = `multipleOf changed from ${before} to ${after}`;
  if (after % before === 0) return [{ kind: 'constraint-tightened', text }];
  return [{ kind: before % after === 0 ? 'constraint-loosened' : 'constraint-changed', text }];
}

function compareUniqueness(before: JsonSchemaObject, after: JsonSchemaObject): SchemaFinding[] {
  const [old, now] = [before.uniqueItems === true, after.uniqueItems === true];
  if (old === now) return [];
  return now
    ? [{ kind: 'constraint-tightened', text: 'uniqueItems set' }]
    : [{ kind: 'constraint-loosened', text: 'uniqueItems removed' }];
}

function compareConstraint(
  name: string,
  before: unknown,
  after: unknown,
  texts: { before: ToText; after: ToText },
): SchemaFinding[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined)
    return [{ kind: 'constraint-tightened', text: `${name}${formatTextOnly(after)} set` }];
  if (after === undefined)
    return [{ kind: 'constraint-loosened', text: `${name}${formatTextOnly(before)} removed` }];
  if (texts.before(before) === texts.after(after)) return [];
  const both = typeof before === 'string' && typeof after === 'string';
  return [
    {
      kind: 'constraint-changed',
      text: `${name} changed${both ? ` from${formatTextOnly(before)} to${formatTextOnly(after)}` : ''}`,
    },
  ];
}

/** Shows only texts: a schema would be too long. */
function formatTextOnly(value: unknown): string {
  return typeof value === 'string' ? ` ${JSON.stringify(value)}` : '';
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
  const found = compareTypes(types);
  if (areTypesDisjoint(types)) return found;
  const limits = compareLimits(before, after, {
    before: (value) => schemas.before.printWithDefinitions(value),
    after: (value) => schemas.after.printWithDefinitions(value),
  });
  return [...found, ...compareEnumValues(before, after), ...limits];
}
