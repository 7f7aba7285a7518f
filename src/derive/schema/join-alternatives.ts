/**
 * Arguments as documents mean their compositions: an `allOf` of closed objects is one closed object with the members of all,
 * and a `oneOf` whose alternatives overlap accepts what any of them accepts. Strictly read, no value fits the first, and the
 * second refuses values of the document's own examples.
 */
import { type JsonSchema, type JsonSchemaObject, type JsonType, isSchema } from '../../util/json-schema.ts';
import {
  BASES,
  type ReferenceFinder,
  findDefinition,
  followRefs,
  isSchemaObject,
  omitKeywords,
  oneOfToAnyOf,
  subschemasOf,
} from '../../model/schema-walk.ts';
import { omitUndefined } from '../../util/collections.ts';
import type { SchemaRewrite } from './schema-view.ts';

type Pool = Readonly<Record<string, JsonSchema>>;

export function makeAlternativesJoiner(pool: Pool): SchemaRewrite {
  return (schema) => {
    if (typeof schema === 'boolean') return schema;
    const joined = joinClosedObjects(schema, pool);
    return joined.oneOf === undefined || areToldApart(joined, pool) ? joined : oneOfToAnyOf(joined);
  };
}

/** Alternatives beside a closed object, or closed ones, have its members too: each part then lists the names of the others. */
function joinClosedObjects(
  schema: JsonSchemaObject,
  pool: Pool,
  seen: ReadonlySet<JsonSchema> = new Set(),
): JsonSchemaObject {
  if (seen.has(schema) || (schema.allOf ?? schema.anyOf ?? schema.oneOf) === undefined) return schema;
  const parts = listPlainParts(schema, { findTarget: (ref) => findDefinition(pool, ref) }, (part) =>
    // `additionalProperties: true` says no more than its absence.
    isPlainSchema(
      omitKeywords(part, ...CHOICES, ...(part.additionalProperties === true ? ['additionalProperties'] : [])),
    ),
  );
  const choices = (parts ?? []).flatMap((part) =>
    CHOICES.flatMap((keyword) => (part[keyword] === undefined ? [] : { keyword, branches: part[keyword] })),
  );
  const objects = parts?.filter((part) => part.properties !== undefined || isClosedObject(part)) ?? [];
  const [{ keyword, branches = [] } = {}, ...moreChoices] = choices;
  if (parts === undefined || objects.length + choices.length < 2 || moreChoices.length > 0) return schema;
  const joinedBranches = branches.map((branch) => {
    const target = followRefs(branch, pool);
    return target && joinClosedObjects(target, pool, new Set([...seen, schema]));
  });
  const isClosed = objects.some(isClosedObject);
  if (!isClosed && !joinedBranches.some((branch) => branch && isClosedObject(branch))) return schema;
  const properties = joinProperties(objects);
  const namesOfBranches = joinedBranches.flatMap((branch) => Object.keys(branch?.properties ?? {}));
  const required = [...new Set(parts.flatMap((part) => part.required ?? []))];
  const minProperties = Math.max(0, ...parts.map((part) => part.minProperties ?? 0));
  const description = parts.find((part) => part.description !== undefined)?.description;
  return {
    ...omitUndefined({ description }),
    ...omitKeywords(schema, 'allOf', '$ref', 'required', ...CHOICES),
    type: 'object',
    properties: isClosed ? allowNames(properties, [...namesOfBranches, ...required]) : properties,
    ...(required.length > 0 && { required }),
    ...(minProperties > 0 && { minProperties }),
    ...(isClosed && { additionalProperties: false }),
    ...(keyword !== undefined && {
      [keyword]: joinedBranches.map((joined, index) =>
        joined && isClosedObject(joined)
          ? { ...joined, properties: allowNames(joined.properties, Object.keys(properties)) }
          : branches[index],
      ),
    }),
  };
}

const CHOICES = ['anyOf', 'oneOf'] as const;

function isClosedObject({ additionalProperties }: JsonSchemaObject): boolean {
  return additionalProperties === false;
}

function allowNames(properties: Record<string, JsonSchema> = {}, names: readonly string[]) {
  const missing = names.filter((name) => !Object.hasOwn(properties, name));
  return { ...properties, ...Object.fromEntries(missing.map((name) => [name, {}])) };
}

function joinProperties(objects: readonly JsonSchemaObject[]): Record<string, JsonSchema> {
  const properties = new Map<string, JsonSchema>();
  for (const [name, property] of objects.flatMap((part) => Object.entries(part.properties ?? {}))) {
    const other = properties.get(name);
    if (isSchema(property))
      properties.set(
        name,
        other === undefined || other === property ? property : { allOf: [other, property] },
      );
  }
  return Object.fromEntries(properties);
}

/**
 * Lists the schema, what it refers to and its `allOf`, at any depth; undefined if one is not plain. Base schemas come last, since
 * the schema's own properties are more relevant.
 */
export function listPlainParts(
  schema: JsonSchema | undefined,
  finder: ReferenceFinder,
  isPlain: (part: JsonSchemaObject) => boolean,
  seen = new Set<JsonSchema>(),
): JsonSchemaObject[] | undefined {
  if (schema === true) return [];
  if (!isSchemaObject(schema) || !isPlain(schema)) return undefined;
  // A circle adds nothing.
  if (seen.has(schema)) return [];
  seen.add(schema);
  const parts = [schema];
  const targets = schema.$ref === undefined ? [] : [finder.findTarget(schema.$ref)];
  for (const member of [...targets, ...subschemasOf(schema, BASES)]) {
    const nested = listPlainParts(member, finder, isPlain, seen);
    if (nested === undefined) return undefined;
    parts.push(...nested);
  }
  return parts;
}

const plainKeywords = new Set(
  (
    '$ref $comment additionalProperties allOf default deprecated description discriminator example ' +
    'examples externalDocs minProperties properties readOnly required title type unevaluatedProperties ' +
    'writeOnly xml'
  ).split(' '),
);

/** Whether it only says which members an object has. */
export function isPlainSchema(schema: JsonSchemaObject): boolean {
  if (schema.type !== undefined && schema.type !== 'object') return false;
  if (!isClosedOrSilent(schema.additionalProperties)) return false;
  if (!isClosedOrSilent(schema.unevaluatedProperties)) return false;
  return Object.keys(schema).every((keyword) => plainKeywords.has(keyword) || keyword.startsWith('x-'));
}

function isClosedOrSilent(mapSchema: JsonSchema | undefined): boolean {
  return mapSchema === undefined || mapSchema === false;
}

/** Pairs of more are not compared. */
const MOST_ALTERNATIVES = 30;

/** Whether each value can fit one alternative alone: by a discriminator, its type, a constant, or members that the others lack. */
function areToldApart({ oneOf = [], discriminator }: JsonSchemaObject, pool: Pool): boolean {
  if (discriminator !== undefined) return true;
  if (oneOf.length > MOST_ALTERNATIVES) return false;
  const shapes = oneOf.map((branch) => shapeOf(branch, pool));
  return shapes.every((one, index) => shapes.slice(index + 1).every((other) => isApart(one, other)));
}

interface Shape {
  /** Undefined: values of each type fit. */
  types: ReadonlySet<JsonType> | undefined;
  values: readonly unknown[] | undefined;
  properties: Record<string, JsonSchema>;
  required: readonly string[];
  isClosed: boolean;
}

/** Leaves out `allOf` and its like, which only make an alternative narrower. */
function shapeOf(branch: JsonSchema, pool: Pool): Shape {
  const schema = followRefs(branch, pool) ?? {};
  const values = valuesOf(schema);
  const types = schema.type === undefined ? values?.map(typeOfValue) : [schema.type].flat();
  const isClosed = schema.additionalProperties === false && schema.patternProperties === undefined;
  const { properties = {}, required = [] } = schema;
  return { types: types && new Set(types), values, properties, required, isClosed };
}

function valuesOf({ const: constant, enum: values }: JsonSchemaObject): readonly unknown[] | undefined {
  return constant === undefined ? values : [constant];
}

function typeOfValue(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'bigint' ? 'integer' : (type as JsonType);
}

const family = (type: JsonType): JsonType => (type === 'integer' ? 'number' : type);

function isApart(one: Shape, other: Shape): boolean {
  const types = one.types && other.types && [one.types, other.types].map((list) => [...list].map(family));
  const common = types && types[0]?.filter((type) => types[1]?.includes(type));
  if (common?.length === 0 || areDisjoint(one.values, other.values)) return true;
  const isOfObjects = common?.every((type) => type === 'object') === true;
  if (!isOfObjects) return false;
  const constants = one.required.filter((name) => other.required.includes(name));
  if (constants.some((name) => areDisjoint(valuesOfMember(one, name), valuesOfMember(other, name))))
    return true;
  const [lacksOne, lacksOther] = [hasMemberBeyond(one, other), hasMemberBeyond(other, one)];
  return (lacksOne && lacksOther) || (lacksOne && other.isClosed) || (lacksOther && one.isClosed);
}

/** Whether an object of the first has a member that the second doesn't name. */
function hasMemberBeyond({ required }: Shape, { properties }: Shape): boolean {
  return required.some((name) => !Object.hasOwn(properties, name));
}

function valuesOfMember({ properties }: Shape, name: string): readonly unknown[] | undefined {
  const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isSchemaObject(member) ? valuesOf(member) : undefined;
}

function areDisjoint(one: readonly unknown[] | undefined, other: readonly unknown[] | undefined): boolean {
  return one !== undefined && other !== undefined && !one.some((value) => other.includes(value));
}
