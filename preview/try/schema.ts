/** JSON Schemas as a form needs them: references followed, branches listed, first values made. */
import type { Json, JsonObject, JsonSchema, JsonSchemaObject, JsonType } from '../../src/util/json-schema.ts';
import { isObject } from '../json.ts';

export type Shape =
  | { kind: 'const'; value: Json }
  | { kind: 'enum'; values: Json[] }
  | { kind: 'branches'; branches: Branch[] }
  | { kind: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'any' };

export interface Branch {
  label: string;
  schema: JsonSchemaObject;
}

/** References may form a circle of nothing but references. */
const MOST_REFERENCES = 20;

/** The schema with its `$ref` and `allOf` written out, one level deep. */
export function resolve(schema: JsonSchema | undefined, root: JsonSchemaObject, depth = 0): JsonSchemaObject {
  if (schema === undefined || schema === true || depth > MOST_REFERENCES) return {};
  if (schema === false) return { not: {} };
  let resolved = schema;
  if (typeof schema.$ref === 'string') {
    const { $ref, ...beside } = schema;
    const target = followPointer(root, $ref);
    resolved = target === undefined ? beside : merge(resolve(target, root, depth + 1), beside);
  }
  if (!Array.isArray(resolved.allOf)) return resolved;
  const { allOf, ...rest } = resolved;
  return allOf.reduce<JsonSchemaObject>(
    (merged, part) => merge(merged, resolve(part, root, depth + 1)),
    rest,
  );
}

/** `#`, `#/$defs/Name` and any other pointer within the schema. */
function followPointer(root: JsonSchemaObject, ref: string): JsonSchema | undefined {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const token of ref.slice(2).split('/')) {
    const name = decode(token).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return isObject(at) || typeof at === 'boolean' ? (at as JsonSchema) : undefined;
}

function decode(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

/** Keywords of both; what `b` says last holds, and members are united. */
function merge(a: JsonSchemaObject, b: JsonSchemaObject): JsonSchemaObject {
  const merged: JsonSchemaObject = { ...a, ...b };
  if (a.properties !== undefined && b.properties !== undefined)
    merged.properties = { ...a.properties, ...b.properties };
  if (a.required !== undefined && b.required !== undefined)
    merged.required = [...new Set([...a.required, ...b.required])];
  return merged;
}

const TYPES: readonly JsonType[] = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null'];

export function shapeOf(schema: JsonSchemaObject, root: JsonSchemaObject): Shape {
  if (schema.const !== undefined) return { kind: 'const', value: schema.const };
  if (Array.isArray(schema.enum)) return { kind: 'enum', values: schema.enum };
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const list = schema[keyword];
    if (!Array.isArray(list) || list.length === 0) continue;
    const rest: JsonSchemaObject = Object.fromEntries(
      Object.entries(schema).filter(([key]) => key !== keyword),
    );
    const branches = list.map((each, index) => {
      const merged = merge(rest, resolve(each, root));
      return { label: labelOf(each, merged, index), schema: merged };
    });
    // A list of `required` alone says which members go together: it is one form.
    if (
      list.every(
        (each) => isObject(each) && Object.keys(each).every((key) => key === 'required' || key === 'not'),
      )
    )
      return shapeOf(rest, root);
    return { kind: 'branches', branches };
  }
  const { type } = schema;
  if (Array.isArray(type) && type.length > 1)
    return {
      kind: 'branches',
      branches: type.map((each) => ({ label: each, schema: { ...schema, type: each } })),
    };
  const only = Array.isArray(type) ? type[0] : type;
  return { kind: TYPES.find((each) => each === only) ?? guess(schema) };
}

function guess(schema: JsonSchemaObject): 'object' | 'array' | 'string' | 'any' {
  if (schema.properties !== undefined || schema.patternProperties !== undefined) return 'object';
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array';
  return schema.contentEncoding !== undefined || schema.pattern !== undefined ? 'string' : 'any';
}

function labelOf(written: JsonSchema, schema: JsonSchemaObject, index: number): string {
  if (typeof schema.title === 'string') return schema.title;
  const ref = isObject(written) && typeof written.$ref === 'string' ? written.$ref : '';
  if (ref !== '') return decode(ref.slice(ref.lastIndexOf('/') + 1));
  const tag = Object.values(schema.properties ?? {}).find(
    (each) => isObject(each) && each.const !== undefined,
  );
  if (isObject(tag)) return String(tag.const);
  if (schema.const !== undefined) return String(schema.const);
  if (typeof schema.type === 'string')
    return schema.format === undefined ? schema.type : `${schema.type}, ${schema.format}`;
  return `choice ${index + 1}`;
}

/** The branch that a value most likely is of. */
export function branchOf(
  value: Json | undefined,
  branches: readonly Branch[],
  root: JsonSchemaObject,
): number {
  if (value === undefined) return 0;
  const fits = branches.findIndex(({ schema }) => seemsToFit(value, schema, root));
  return Math.max(0, fits);
}

function seemsToFit(value: Json, schema: JsonSchemaObject, root: JsonSchemaObject): boolean {
  const shape = shapeOf(schema, root);
  switch (shape.kind) {
    case 'const':
      return shape.value === value;
    case 'enum':
      return shape.values.includes(value);
    case 'branches':
      return shape.branches.some((branch) => seemsToFit(value, branch.schema, root));
    case 'any':
      return true;
    case 'null':
      return value === null;
    case 'object':
      return isObject(value) && fitsObject(value, schema, root);
    case 'array':
      return Array.isArray(value);
    case 'integer':
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint';
    default:
      return typeof value === shape.kind;
  }
}

/** Required members are there, and constants agree. */
function fitsObject(value: JsonObject, schema: JsonSchemaObject, root: JsonSchemaObject): boolean {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (!required.every((name) => value[name] !== undefined)) return false;
  if (additionalProperties === false && Object.keys(value).some((name) => !Object.hasOwn(properties, name)))
    return false;
  return Object.entries(value).every(([name, each]) => {
    const member = Object.hasOwn(properties, name) ? resolve(properties[name], root) : {};
    return member.const === undefined || member.const === each;
  });
}

/** Deeper required members of a recursive schema are left to the person. */
const DEEPEST = 6;

/** A first value: the default or example, else what is required. */
export function firstValue(
  schema: JsonSchema | undefined,
  root: JsonSchemaObject,
  depth = 0,
): Json | undefined {
  const resolved = resolve(schema, root);
  if (resolved.default !== undefined) return resolved.default;
  if (Array.isArray(resolved.examples) && resolved.examples[0] !== undefined) return resolved.examples[0];
  const shape = shapeOf(resolved, root);
  switch (shape.kind) {
    case 'const':
      return shape.value;
    case 'enum':
      return shape.values[0];
    case 'branches':
      return depth > DEEPEST ? undefined : firstValue(shape.branches[0]?.schema, root, depth + 1);
    case 'object':
      return firstObject(resolved, root, depth);
    case 'array':
      return firstItems(resolved, root, depth);
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'number':
    case 'integer':
      return resolved.minimum ?? (resolved.exclusiveMinimum ?? 0) + 1;
    case 'string':
      return '';
    case 'any':
      return {};
  }
}

export function firstObject(schema: JsonSchemaObject, root: JsonSchemaObject, depth = 0): JsonObject {
  const object: JsonObject = {};
  if (depth > DEEPEST) return object;
  for (const name of schema.required ?? []) {
    const value = firstValue(schema.properties?.[name], root, depth + 1);
    if (value !== undefined)
      Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return object;
}

function firstItems(schema: JsonSchemaObject, root: JsonSchemaObject, depth: number): Json[] {
  if (depth > DEEPEST) return [];
  const wanted = Math.min(schema.minItems ?? 0, 5);
  return Array.from(
    { length: wanted },
    (_, index) => firstValue(schema.prefixItems?.[index] ?? schema.items, root, depth + 1) ?? null,
  );
}

/** What a person must know to fill the field in. */
export function hintsOf(schema: JsonSchemaObject): string[] {
  const { format, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const { minLength, maxLength, minItems, maxItems, pattern, uniqueItems, propertyNames } = schema;
  const hints = [
    format,
    minimum !== undefined && `≥ ${minimum}`,
    exclusiveMinimum !== undefined && `> ${exclusiveMinimum}`,
    maximum !== undefined && `≤ ${maximum}`,
    exclusiveMaximum !== undefined && `< ${exclusiveMaximum}`,
    multipleOf !== undefined && `multiple of ${multipleOf}`,
    range(minLength, maxLength, 'characters'),
    range(minItems, maxItems, 'items'),
    range(schema.minProperties, schema.maxProperties, 'members'),
    uniqueItems === true && 'no item twice',
    isObject(propertyNames) &&
      typeof propertyNames.pattern === 'string' &&
      `names like /${propertyNames.pattern}/`,
    pattern !== undefined && `/${pattern}/`,
    schema.contentEncoding !== undefined &&
      `${schema.contentEncoding}${schema.contentMediaType === undefined ? '' : ` of ${schema.contentMediaType}`}`,
    schema.deprecated === true && 'deprecated',
  ];
  return hints.filter((hint) => typeof hint === 'string');
}

function range(least: number | undefined, most: number | undefined, noun: string): string | undefined {
  if (least === undefined && most === undefined) return undefined;
  if (most === undefined) return `at least ${least} ${noun}`;
  return least === undefined ? `at most ${most} ${noun}` : `${least} to ${most} ${noun}`;
}

/** What is plainly wrong with a scalar; the server judges the whole. */
export function problemOf(
  value: Json | undefined,
  schema: JsonSchemaObject,
  isRequired: boolean,
): string | undefined {
  if (value === undefined) return isRequired ? 'required' : undefined;
  if (typeof value === 'string') return problemOfText(value, schema);
  if (typeof value !== 'number') return undefined;
  const { minimum = -Infinity, maximum = Infinity } = schema;
  if (schema.type === 'integer' && !Number.isInteger(value)) return 'must be a whole number';
  if (value < minimum) return `must be at least ${minimum}`;
  if (value > maximum) return `must be at most ${maximum}`;
  return undefined;
}

function problemOfText(value: string, schema: JsonSchemaObject): string | undefined {
  if (schema.type === 'integer' || schema.type === 'number') return 'must be a number';
  const { length } = [...value];
  if (length < (schema.minLength ?? 0)) return `must have at least ${schema.minLength} characters`;
  if (length > (schema.maxLength ?? Infinity)) return `must have at most ${schema.maxLength} characters`;
  return undefined;
}
