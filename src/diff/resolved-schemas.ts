/** Resolves the references in the schemas of one tool. */
import {
  type Json,
  type JsonSchema,
  type JsonSchemaObject,
  type JsonType,
  isSchema,
} from '../util/json-schema.ts';
import { isRecord } from '../../templates/runtime/json-rpc.ts';
import {
  ANNOTATIONS,
  asSchemaObject,
  findDefinition,
  inlineReference,
  mapSubschemas,
  omitKeywords,
  reachedDefinitions,
} from '../model/schema-walk.ts';

/** Returns the same object for a boolean each time, so that pairs can be compared by identity. */
const booleans = { true: asSchemaObject(true), false: asSchemaObject(false) };

function omitWords(schema: JsonSchema): JsonSchema {
  return typeof schema === 'boolean'
    ? schema
    : mapSubschemas(omitKeywords(schema, ...ANNOTATIONS), omitWords);
}

export class ResolvedSchemas {
  readonly #defs: Record<string, JsonSchema>;
  readonly #resolved = new Map<JsonSchemaObject, JsonSchemaObject>();

  constructor(root: JsonSchemaObject) {
    this.#defs = root.$defs ?? {};
  }

  /** Returns the same object for the same schema, so that circles are found. Keywords beside a `$ref` win. */
  resolve(schema: JsonSchema): JsonSchemaObject {
    if (typeof schema === 'boolean') return booleans[`${schema}`];
    const existing = this.#resolved.get(schema);
    if (existing !== undefined) return existing;
    const findTarget = (ref: unknown): JsonSchema | undefined => findDefinition(this.#defs, ref);
    const follow = (part: JsonSchema): JsonSchemaObject =>
      asSchemaObject(inlineReference(part, { findTarget }));
    const resolved = foldNullIntoType(joinPlainObjects(follow(schema), follow), follow);
    this.#resolved.set(schema, resolved);
    return resolved;
  }

  /** The schema with all definitions that it reaches, as text without words and in one order: equal texts have the same meaning. */
  printWithDefinitions(schema: JsonSchema): string {
    const definitions = Object.entries(reachedDefinitions(schema, this.#defs));
    const whole = omitWords({ allOf: [schema], $defs: Object.fromEntries(definitions) });
    return JSON.stringify(whole, (key, value: unknown) => {
      if (isRecord(value))
        return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
      const isSet =
        Array.isArray(value) && key !== 'const' && value.every((item) => typeof item === 'string');
      return isSet ? value.toSorted() : value;
    });
  }
}

/** The types that `type` names, of which a value in `enum` or `const` is; without `type`, those of the values; `undefined`: each type. */
export function listTypes({ type, enum: values, const: value, not }: JsonSchemaObject): string[] | undefined {
  if (not !== undefined && (typeof not === 'boolean' ? not : Object.keys(not).length === 0)) return [];
  const all = value === undefined ? values : [value];
  const types = type === undefined ? undefined : [type].flat();
  if (all === undefined) return types;
  // Only null is told apart: other values are compared as such.
  return (
    types?.filter((name) => name !== 'null' || all.includes(null)) ?? [...new Set(all.map(findJsonType))]
  );
}

function findJsonType(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

/** Makes a test of whether another type accepts all values of `type`: integers are numbers. */
export function makeTypeCoverageTest(type: string): (other: string) => boolean {
  return (other) => other === type || (type === 'integer' && other === 'number');
}

/** `anyOf: [X, null]` becomes `type: [X, null]`, which has the same meaning: documents of 3.0 and 3.1 differ in it. */
function foldNullIntoType(
  schema: JsonSchemaObject,
  follow: (branch: JsonSchema) => JsonSchemaObject,
): JsonSchemaObject {
  const keyword = schema.anyOf === undefined ? 'oneOf' : 'anyOf';
  const branches = (schema[keyword] ?? []).filter(isSchema).map(follow);
  const [value, ...moreBranches] = branches.filter(({ type }) => type !== 'null');
  const types = value && listTypes(value);
  if (branches.length !== 2 || moreBranches.length > 0 || value === undefined || types === undefined)
    return schema;
  const { const: constant, enum: values = constant === undefined ? [] : [constant], ...rest } = value;
  const beside = { ...schema, [keyword]: undefined };
  const type = [...types.filter((name) => name !== 'null'), 'null'] as JsonType[];
  return { ...rest, ...(values.length > 0 && { enum: [...values, null] }), ...beside, type };
}

const OF_OBJECTS = new Set(['properties', 'required', 'title', 'description']);
/** Deeper compositions are compared part by part. */
const DEEPEST = 8;

/** `allOf` of objects that only name members becomes one object, which accepts the same. */
function joinPlainObjects(
  whole: JsonSchemaObject,
  follow: (part: JsonSchema) => JsonSchemaObject,
  depth = 0,
): JsonSchemaObject {
  const { allOf, ...schema } = whole;
  if (allOf === undefined || schema.additionalProperties !== undefined || depth > DEEPEST) return whole;
  const objects = allOf.map((part) => joinPlainObjects(follow(part), follow, depth + 1));
  const isPlain = ({ type = 'object', ...part }: JsonSchemaObject): boolean =>
    type === 'object' && Object.keys(part).every((keyword) => OF_OBJECTS.has(keyword));
  if (!objects.every(isPlain)) return whole;
  const parts = [schema, ...objects];
  const properties = new Map<string, JsonSchema>();
  for (const [name, property] of parts.flatMap((part) => Object.entries(part.properties ?? {}))) {
    const other = properties.get(name);
    properties.set(name, other === undefined ? property : { allOf: [other, property] });
  }
  const required = [...new Set(parts.flatMap((part) => part.required ?? []))];
  return {
    ...schema,
    ...(parts.some(({ type }) => type === 'object') && { type: 'object' as const }),
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}
