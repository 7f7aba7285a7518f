// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Merges the constraints of several schemas on one value, so that a value can be made from them. */
import { isEqual, isRecord } from '../contract/json-value.ts';
import {
  type Json,
  type JsonSchema,
  type JsonSchemaObject,
  type JsonType,
  isSchema,
} from '../contract/json-schema.ts';
import { compileSchemaSet } from '../schema/compile-schema.ts';
import { defaultLimits, Halt, Run } from '../schema/run.ts';
import type { SchemaNode, SchemaSet } from '../schema/schema-set.ts';

export type Follow = (schema: JsonSchemaObject, keyword: '$ref' | '$dynamicRef') => JsonSchema;

export type Branches = readonly JsonSchema[];

export interface MergedConstraints {
  readonly given: readonly JsonSchema[];
  /** All schema objects that apply to the value, also those behind references and `allOf`. */
  readonly parts: readonly JsonSchemaObject[];
  /** Branches of `anyOf`, `oneOf` and conditions; a value is made for one branch of each. */
  readonly choices: readonly Branches[];
  /** Whether a keyword is present that only the validator can check. */
  readonly unsure: boolean;
}

/** Keywords that making a value does not guarantee. */
const judged = [
  ...['oneOf', 'not', 'if', 'dependentSchemas', 'contains', 'propertyNames', 'patternProperties'],
  ...['unevaluatedItems', 'unevaluatedProperties', '$dynamicRef'],
] as const;

/** Keywords that bring in other schemas, or the validator; most schemas have none. */
const composing = new Set<string>([...judged, '$ref', 'allOf', 'anyOf']);

/** Returns undefined when `false` is among the schemas. */
export function mergeConstraints(
  given: readonly JsonSchema[],
  follow: Follow,
): MergedConstraints | undefined {
  return addConstraints({ given, parts: [], choices: [], unsure: false }, given, follow);
}

export function addConstraints(
  facts: MergedConstraints,
  schemas: readonly JsonSchema[],
  follow: Follow,
): MergedConstraints | undefined {
  const parts = new Set(facts.parts);
  const choices = [...facts.choices];
  let { unsure } = facts;
  const open = [...schemas];
  for (let schema = open.shift(); schema !== undefined; schema = open.shift()) {
    if (schema === false) return undefined;
    if (schema === true || parts.has(schema)) continue;
    parts.add(schema);
    if (!Object.keys(schema).some((keyword) => composing.has(keyword))) continue;
    unsure ||= judged.some((keyword) => schema[keyword] !== undefined);
    open.unshift(...schemasAppliedBy(schema, follow));
    choices.push(...listChoices(schema));
  }
  return { given: facts.given, parts: [...parts], choices, unsure };
}

function schemasAppliedBy(schema: JsonSchemaObject, follow: Follow): JsonSchema[] {
  return [
    ...(['$ref', '$dynamicRef'] as const)
      .filter((keyword) => typeof schema[keyword] === 'string')
      .map((keyword) => follow(schema, keyword)),
    ...schemasInList(schema.allOf),
  ];
}

/** A schema that depends on a condition or a member is tried with it and without. */
function listChoices(schema: JsonSchemaObject): Branches[] {
  const { anyOf, oneOf, if: condition, then = true, else: otherwise = true, dependentSchemas = {} } = schema;
  const choices: Branches[] = Object.values(dependentSchemas).map((dependent) => [true, dependent]);
  if (condition !== undefined) choices.push([{ allOf: [condition, then] }, otherwise]);
  const alternatives = [schemasInList(oneOf), schemasInList(anyOf)].filter(({ length }) => length > 0);
  return [...choices, ...alternatives.map(sortNullBranchLast)];
}

/** A branch that only allows null comes last. */
function sortNullBranchLast(branches: Branches): Branches {
  const isNull = (schema: JsonSchema): boolean => typeof schema === 'object' && schema.type === 'null';
  return branches.toSorted((a, b) => Number(isNull(a)) - Number(isNull(b)));
}

function schemasInList(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

const allTypes: readonly JsonType[] = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null'];

/** Lists types in the order to try them. */
export function listTypes({ parts }: MergedConstraints): JsonType[] {
  const said = parts.flatMap(({ type }) => (type === undefined ? [] : [Array.isArray(type) ? type : [type]]));
  const [first, ...others] = said;
  if (first === undefined) return impliedTypes(parts);
  const types = first.flatMap((type) => {
    if (others.every((set) => allowsType(set, type))) return [type];
    return type === 'number' && others.every((set) => allowsType(set, 'integer'))
      ? (['integer'] as const)
      : [];
  });
  return types.toSorted((a, b) => Number(a === 'null') - Number(b === 'null'));
}

export function allowsType(types: readonly JsonType[], type: JsonType): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

/** Keywords that constrain only one type. */
const typical: readonly [JsonType, readonly string[]][] = [
  [
    'object',
    [
      'properties',
      'required',
      'additionalProperties',
      'patternProperties',
      'minProperties',
      'dependentRequired',
    ],
  ],
  ['array', ['items', 'prefixItems', 'minItems', 'uniqueItems', 'contains']],
  ['string', ['pattern', 'minLength', 'maxLength', 'contentEncoding', 'contentMediaType']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

function impliedTypes(parts: readonly JsonSchemaObject[]): JsonType[] {
  const meant = typical.filter(([, keywords]) =>
    parts.some((part) => keywords.some((keyword) => part[keyword] !== undefined)),
  );
  const found = meant.map(([type]) => type);
  return [...found, 'string', ...allTypes.filter((type) => type !== 'string' && !found.includes(type))];
}

/** Returns undefined without `const` and `enum`. */
export function listEnumValues({ parts }: MergedConstraints): Json[] | undefined {
  const lists = parts
    .flatMap((part) => [part.const === undefined ? undefined : [part.const], part.enum])
    .filter((list) => Array.isArray(list));
  const [first, ...others] = lists;
  return first?.filter((value) => others.every((list) => list.some((one) => isEqual(one, value))));
}

export function strictestLimit(
  { parts }: MergedConstraints,
  keyword: keyof JsonSchemaObject,
  pick: (...values: number[]) => number,
): number | undefined {
  const values = parts.map((part) => part[keyword]).filter((value) => typeof value === 'number');
  return values.length === 0 ? undefined : pick(...values);
}

export function listKeywordTexts({ parts }: MergedConstraints, keyword: keyof JsonSchemaObject): string[] {
  return parts.map((part) => part[keyword]).filter((value) => typeof value === 'string');
}

export function listKeywordSchemas(
  { parts }: MergedConstraints,
  keyword: keyof JsonSchemaObject,
): JsonSchema[] {
  return parts.map((part) => part[keyword]).filter(isSchema);
}

/** An empty default is left out, since it is not typical. */
export function suggestedValues({ parts }: MergedConstraints): unknown[] {
  return [
    ...parts.flatMap(({ examples }) => (Array.isArray(examples) ? (examples as unknown[]) : [])),
    ...parts.map((part) => part.default).filter((value) => !isEmptyValue(value)),
  ];
}

function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}

export class SubschemaValidator {
  readonly #root: JsonSchema;
  #set: SchemaSet | undefined;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  /** The schemas must be parts of the root. */
  acceptsValue(schemas: readonly JsonSchema[], value: unknown): boolean {
    try {
      return schemas.every((schema) => this.#nodeOf(schema).check(value, new Run(defaultLimits)));
    } catch (error) {
      if (error instanceof Halt || error instanceof RangeError) return false;
      throw error;
    }
  }

  readonly resolveReference = (schema: JsonSchemaObject, keyword: '$ref' | '$dynamicRef'): JsonSchema => {
    const name = keyword === '$ref' ? /^#\/\$defs\/([^/~%]+)$/.exec(schema.$ref ?? '')?.[1] : undefined;
    const { $defs, $id } = this.#root as JsonSchemaObject;
    if (name !== undefined && $id === undefined && $defs !== undefined && Object.hasOwn($defs, name)) {
      return $defs[name] ?? true;
    }
    const node = this.#nodeOf(schema);
    return (keyword === '$ref' ? node.ref : node.dynamicRef?.node)?.schema ?? true;
  };

  #nodeOf(schema: JsonSchema): SchemaNode {
    const set = (this.#set ??= compileSchemaSet(this.#root));
    return set.node({ schema, step: '' }, set.root);
  }
}

export const sampleLimits = {
  /** Values inside one another. A place deeper than this has no sample. */
  depth: 40,
  /** Levels at which `full` still adds the members that are not required. */
  fullDepth: 4,
  /** Members that `full` adds to all objects together, beside the required ones. */
  fullMembers: 400,
  /** Times one schema may be entered from within itself. */
  repeats: 2,
  /** Places sampled, and values tried, until none is found. */
  work: 20_000,
  /** Items of an array, and UTF-16 code units of a text, that a schema may demand; more has no sample. */
  size: 10_000,
  /** Most texts that are made from one pattern in search of one that fits. */
  patternTries: 60,
} as const;
