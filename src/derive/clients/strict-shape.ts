/**
 * OpenAI's strict shape of an input schema: every member required, an optional one nullable instead, no open objects. Clients list it;
 * the server goes on checking calls by the schema itself, and takes a null that it refuses for an argument left out.
 */
import type {
  JsonSchema,
  JsonSchemaObject,
  ObjectSchema,
} from '../../../templates/runtime/contract/json-schema.ts';
import { compileTest } from '../../../templates/runtime/schema/compile-schema.ts';
import { asSchemaObject, mapSubschemas } from '../../model/schema-walk.ts';
import { acceptNull } from '../../model/with-null.ts';

/** Larger schemas may be listed in part, above 16 KiB, and a part is no strict shape. */
const MOST_CHARACTERS = 12_000;

/** Writes a schema in the strict shape. Undefined: it has it already. A text: why it would lose something. */
export function toStrictShape(schema: ObjectSchema): ObjectSchema | string | undefined {
  const { properties = {}, required = [], $defs = {} } = schema;
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const nullable = optional.find((name) => acceptsNull(properties[name] ?? true, $defs));
  if (nullable !== undefined) return `\`${nullable}\` is optional, and null is one of its values`;
  const problem = findProblem(schema, '#', true);
  if (problem !== undefined) return problem;
  const closed = closeObject(schema) as ObjectSchema;
  if (optional.length === 0 && JSON.stringify(closed) === JSON.stringify(schema)) return undefined;
  const nullables = optional.map((name): [string, JsonSchema] => [
    name,
    acceptNull({ ...asSchemaObject(closed.properties?.[name] ?? true) }),
  ]);
  const strict = {
    ...closed,
    properties: { ...closed.properties, ...Object.fromEntries(nullables) },
    required: Object.keys(properties),
    additionalProperties: false,
  };
  return JSON.stringify(strict).length > MOST_CHARACTERS
    ? 'the schema is too large to be listed whole'
    : strict;
}

function acceptsNull(schema: JsonSchema, $defs: Record<string, JsonSchema>): boolean {
  return compileTest({ allOf: [schema], $defs })(null);
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

function findProblem(schema: JsonSchema, at: string, isTop = false): string | undefined {
  if (typeof schema === 'boolean') return `the schema at ${at} takes any value`;
  const keyword = REFUSED.find((each) => schema[each] !== undefined);
  if (keyword !== undefined) return `\`${keyword}\` at ${at}`;
  return findOpenPart(schema, at, isTop) ?? findProblemInside(schema, at);
}

function findOpenPart(schema: JsonSchemaObject, at: string, isTop: boolean): string | undefined {
  const { type, $ref, anyOf, enum: values, properties, required = [], additionalProperties = false } = schema;
  const isTyped = [type, $ref, anyOf, values, schema.const].some((each) => each !== undefined);
  if (!isTyped) return `the schema at ${at} takes any value`;
  const types = [type].flat();
  if (types.includes('array') && schema.items === undefined) return `the list at ${at} takes any items`;
  if (!types.includes('object')) return undefined;
  if (additionalProperties !== false || (properties === undefined && !isTop))
    return `the object at ${at} takes any members`;
  const optional = Object.keys(properties ?? {}).find((name) => !required.includes(name));
  return optional === undefined || isTop ? undefined : `the member \`${optional}\` at ${at} is optional`;
}

function findProblemInside({ properties = {}, $defs = {}, items, anyOf = [] }: JsonSchemaObject, at: string) {
  const inner: [string, JsonSchema][] = [
    ...Object.entries($defs).map(([name, each]): [string, JsonSchema] => [`${at}/$defs/${name}`, each]),
    ...Object.entries(properties).map(([name, each]): [string, JsonSchema] => [
      `${at}/properties/${name}`,
      each,
    ]),
    ...anyOf.map((each, index): [string, JsonSchema] => [`${at}/anyOf/${String(index)}`, each]),
    ...(items === undefined ? [] : [[`${at}/items`, items] satisfies [string, JsonSchema]]),
  ];
  return inner.map(([place, each]) => findProblem(each, place)).find((problem) => problem !== undefined);
}

/** An object without a word about other members means those that it lists. */
function closeObject(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  const closed = describeDefault(mapSubschemas(schema, closeObject));
  const isObject = [closed.type].flat().includes('object');
  return isObject && closed.additionalProperties === undefined
    ? { ...closed, additionalProperties: false }
    : closed;
}

/** Says a default in the description, since the subset refuses `default`. */
function describeDefault({ default: value, ...schema }: JsonSchemaObject): JsonSchemaObject {
  if (value === undefined) return schema;
  const { description = '' } = schema;
  const said = /\bdefault/i.test(description) ? '' : ` Default: ${JSON.stringify(value)}.`;
  return { ...schema, description: `${description}${said}`.trim() };
}
