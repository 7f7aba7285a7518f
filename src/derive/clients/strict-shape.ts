/**
 * OpenAI's strict shape of an input schema: every member required, an optional one nullable instead, no open objects. Clients list it;
 * the server goes on checking calls by the schema itself, and takes a null that it refuses for an argument left out.
 */
import { getOwnMember } from '../../../templates/runtime/contract/json-value.ts';
import {
  type JsonSchema,
  type JsonSchemaObject,
  type ObjectSchema,
  listSubschemas,
} from '../../../templates/runtime/contract/json-schema.ts';
import { compileSchemaTest } from '../../../templates/runtime/schema/compile-schema.ts';
import { asSchemaObject, definitionNameOf, mapSubschemas } from '../../model/schema-walk.ts';
import { makeNullable } from '../../model/with-null.ts';

/** Larger schemas may be listed in part, above 16 KiB, and a part is no strict shape. */
const MOST_CHARACTERS = 12_000;

/** Converts a schema to the strict shape. Returns undefined if it has that shape already, or a text that says what it would lose. */
export function toStrictShape(schema: ObjectSchema): ObjectSchema | string | undefined {
  const problem = findStrictProblem(schema, '#', schema.$defs ?? {});
  if (problem !== undefined) return problem;
  const closed = closeObjects(schema) as ObjectSchema;
  if (JSON.stringify(closed) === JSON.stringify(schema)) return undefined;
  const { properties = {} } = closed;
  const strict = { ...closed, properties, required: Object.keys(properties), additionalProperties: false };
  return JSON.stringify(strict).length > MOST_CHARACTERS
    ? 'the schema is too large to be listed whole'
    : strict;
}

type Definitions = Record<string, JsonSchema>;

function acceptsNull(schema: JsonSchema, $defs: Definitions): boolean {
  const { type = 'null' } = asSchemaObject(schema);
  return [type].flat().includes('null') && compileSchemaTest({ allOf: [schema], $defs })(null);
}

function listOptional({ properties = {}, required = [] }: JsonSchemaObject): string[] {
  return Object.keys(properties).filter((name) => !required.includes(name));
}

/** Keywords that the subset lacks (2026-11, openai/codex#8174 and the guide to structured outputs). */
const REFUSED = [
  ...['oneOf', 'allOf', 'not', 'if', 'then', 'else', 'patternProperties', 'propertyNames', 'prefixItems'],
  ...[
    'dependentRequired',
    'dependentSchemas',
    'contains',
    'unevaluatedProperties',
    'unevaluatedItems',
    '$id',
  ],
] as const;

function findStrictProblem(schema: JsonSchema, at: string, $defs: Definitions): string | undefined {
  if (typeof schema === 'boolean') return `the schema at ${at} takes any value`;
  const keyword = REFUSED.find((each) => schema[each] !== undefined);
  if (keyword !== undefined) return `\`${keyword}\` at ${at}`;
  return (
    findOpenPart(schema, at, $defs) ??
    findUnclearAlternatives(schema, at, $defs) ??
    findSubschemaProblem(schema, at, $defs)
  );
}

function findOpenPart(schema: JsonSchemaObject, at: string, $defs: Definitions): string | undefined {
  const { type, $ref, anyOf, enum: values, properties, additionalProperties = false } = schema;
  const isTyped = [type, $ref, anyOf, values, schema.const].some((each) => each !== undefined);
  if (!isTyped) return `the schema at ${at} takes any value`;
  const types = [type].flat();
  if (types.includes('array') && schema.items === undefined) return `the list at ${at} takes any items`;
  if (!types.includes('object')) return undefined;
  const isTop = at === '#';
  if (additionalProperties !== false || (properties === undefined && !isTop))
    return `the object at ${at} takes any members`;
  const nullable = listOptional(schema).find((name) =>
    acceptsNull(getOwnMember(properties ?? {}, name) ?? true, $defs),
  );
  if (nullable === undefined) return undefined;
  const what = isTop ? `\`${nullable}\`` : `the member \`${nullable}\` at ${at}`;
  return `${what} is optional, and null is one of its values`;
}

/** A null that stands for a member left out must not be a value of another alternative. */
function findUnclearAlternatives(
  { anyOf = [] }: JsonSchemaObject,
  at: string,
  $defs: Definitions,
): string | undefined {
  const objects = anyOf.flatMap((branch) => listObjectAlternatives(branch, $defs));
  if (objects.length < 2 || !anyOf.some((branch) => hasOptional(branch, $defs))) return undefined;
  const isUnclear = objects.some((one, index) =>
    objects.slice(index + 1).some((other) => !areDistinguishable(one, other, $defs)),
  );
  return isUnclear
    ? `an optional member at ${at}/anyOf may be a null of another alternative, since no required member tells them apart`
    : undefined;
}

function listObjectAlternatives(
  schema: JsonSchema,
  $defs: Definitions,
  open: readonly string[] = [],
): JsonSchemaObject[] {
  const { $ref, anyOf = [], type } = asSchemaObject(schema);
  const own = [type].flat().includes('object') ? [asSchemaObject(schema)] : [];
  const name = $ref === undefined ? undefined : definitionNameOf($ref);
  if (name !== undefined)
    return open.includes(name)
      ? []
      : listObjectAlternatives(getOwnMember($defs, name) ?? true, $defs, [...open, name]);
  return [...own, ...anyOf.flatMap((branch) => listObjectAlternatives(branch, $defs, open))];
}

/** Two alternatives have a required member of different constants, or list all members and no null that the other may leave out. */
function areDistinguishable(one: JsonSchemaObject, other: JsonSchemaObject, $defs: Definitions): boolean {
  const tags = (one.required ?? []).filter((name) => other.required?.includes(name) === true);
  const isTag = (name: string): boolean => {
    const [mine, its] = [one, other].map(({ properties }) => listConstants(properties?.[name]));
    return mine !== undefined && its !== undefined && !mine.some((value) => its.includes(value));
  };
  if (tags.some(isTag)) return true;
  const isClosed = [one, other].every(({ additionalProperties }) => additionalProperties === false);
  const memberAcceptsNull = (name: string, { properties = {} }: JsonSchemaObject): boolean =>
    Object.hasOwn(properties, name) && acceptsNull(properties[name] ?? true, $defs);
  return (
    isClosed &&
    !listOptional(one).some((name) => memberAcceptsNull(name, other)) &&
    !listOptional(other).some((name) => memberAcceptsNull(name, one))
  );
}

function listConstants(schema: JsonSchema = true): readonly unknown[] | undefined {
  const { const: only, enum: values } = asSchemaObject(schema);
  return only === undefined ? values : [only];
}

function hasOptional(schema: JsonSchema, $defs: Definitions, open: readonly string[] = []): boolean {
  const { $ref, ...inside } = asSchemaObject(schema);
  const name = $ref === undefined ? undefined : definitionNameOf($ref);
  if (
    name !== undefined &&
    !open.includes(name) &&
    hasOptional(getOwnMember($defs, name) ?? true, $defs, [...open, name])
  )
    return true;
  if (listOptional(inside).length > 0) return true;
  return listSubschemas(inside).some((inner) => hasOptional(inner.schema, $defs, open));
}

function findSubschemaProblem(
  { properties = {}, $defs = {}, items, anyOf = [] }: JsonSchemaObject,
  at: string,
  all: Definitions,
): string | undefined {
  const inner: [string, JsonSchema][] = [
    ...Object.entries($defs).map(([name, each]): [string, JsonSchema] => [`${at}/$defs/${name}`, each]),
    ...Object.entries(properties).map(([name, each]): [string, JsonSchema] => [
      `${at}/properties/${name}`,
      each,
    ]),
    ...anyOf.map((each, index): [string, JsonSchema] => [`${at}/anyOf/${String(index)}`, each]),
    ...(items === undefined ? [] : [[`${at}/items`, items] satisfies [string, JsonSchema]]),
  ];
  return inner
    .map(([place, each]) => findStrictProblem(each, place, all))
    .find((problem) => problem !== undefined);
}

/** An object without a word about other members means those that it lists. Its optional ones become required, and null. */
function closeObjects(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  const closed = moveDefaultToDescription(mapSubschemas(schema, closeObjects));
  if (![closed.type].flat().includes('object')) return closed;
  const optional = listOptional(closed);
  const shut =
    closed.additionalProperties === undefined ? { ...closed, additionalProperties: false } : closed;
  if (optional.length === 0) return shut;
  const nullables = optional.map((name): [string, JsonSchema] => [
    name,
    makeNullable({ ...asSchemaObject(getOwnMember(closed.properties ?? {}, name) ?? true) }),
  ]);
  const properties = { ...closed.properties, ...Object.fromEntries(nullables) };
  return { ...shut, properties, required: Object.keys(properties) };
}

/** Says a default in the description, since the subset refuses `default`. */
function moveDefaultToDescription({ default: value, ...schema }: JsonSchemaObject): JsonSchemaObject {
  if (value === undefined) return schema;
  const { description = '' } = schema;
  const said = /\bdefault/i.test(description) ? '' : ` Default: ${JSON.stringify(value)}.`;
  return { ...schema, description: `${description}${said}`.trim() };
}
