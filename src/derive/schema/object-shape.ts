/**
 * Flattens plain objects: `type: object` with properties, or an `allOf` of such, without schemas for further
 * properties. Unions, maps and conditions are not plain.
 */
import { type JsonSchema, type JsonSchemaObject, isSchema } from '../../util/json-schema.ts';
import { isSchemaObject } from '../../model/schema-walk.ts';
import { type SchemaView, hasTooManySchemas } from './schema-view.ts';
import { isPlainSchema, listPlainParts } from './join-alternatives.ts';
import { isObjectType } from './schema-views.ts';

export interface PlainObject {
  properties: Map<string, JsonSchema>;
  required: Set<string>;
  minProperties: number;
  /** Whether other properties are refused. */
  isClosed: boolean;
}

/** Flattens a plain schema; undefined if it is not plain. `view` has pruned it already. */
export function flattenObject(schema: JsonSchema, view: SchemaView): PlainObject | undefined {
  const parts = listPlainParts(schema, view, isPlainSchema);
  if (
    parts === undefined ||
    !parts.some(
      ({ properties, type, additionalProperties }) =>
        properties !== undefined || (type === 'object' && additionalProperties === false),
    )
  )
    return undefined;
  const isClosed = parts.some(
    ({ additionalProperties, unevaluatedProperties }) =>
      additionalProperties === false || unevaluatedProperties === false,
  );
  const flat: PlainObject = { properties: new Map(), required: new Set(), minProperties: 0, isClosed };
  for (const part of parts) addPlainPart(flat, part, view);
  return flat;
}

function addPlainPart(
  flat: PlainObject,
  { properties, required, minProperties }: JsonSchemaObject,
  view: SchemaView,
): void {
  for (const [name, property] of Object.entries(properties ?? {})) {
    if (!isSchema(property)) continue;
    const otherProperty = flat.properties.get(name);
    flat.properties.set(
      name,
      otherProperty === undefined ? property : intersectSchemas(otherProperty, property, view),
    );
  }
  for (const name of required ?? []) flat.required.add(name);
  flat.minProperties = Math.max(flat.minProperties, minProperties ?? 0);
}

/** Makes the schema of what both schemas accept; `{}` if that takes too many copies. */
function intersectSchemas(one: JsonSchema, other: JsonSchema, view: SchemaView): JsonSchema {
  if (isAnything(other) || areSameSchemas(one, other)) return one;
  return isAnything(one) ? other : replaceIfTooLarge({ allOf: [one, other] }, view);
}

function areSameSchemas(one: JsonSchema, other: JsonSchema): boolean {
  if (one === other) return true;
  return ![one, other].some(hasTooManySchemas) && JSON.stringify(one) === JSON.stringify(other);
}

function replaceIfTooLarge(schema: JsonSchemaObject, view: SchemaView): JsonSchemaObject {
  if (!hasTooManySchemas(schema)) return schema;
  view.isTooLarge = true;
  return {};
}

function isAnything(schema: JsonSchema): boolean {
  return schema === true || (isSchemaObject(schema) && Object.keys(schema).length === 0);
}

interface ObjectShape {
  properties: Map<string, JsonSchema>;
  required: Set<string>;
  isClosed: boolean;
}

type Shapes = Map<JsonSchemaObject, ObjectShape | undefined>;

/**
 * Finds the properties that all objects of a composed schema share. Clients refuse composition at the top of an
 * output schema, so the shape replaces it; it accepts everything that the schema accepts, and often more. Undefined
 * if the schema may accept anything but objects.
 */
export function findObjectShape(
  schema: unknown,
  view: SchemaView,
  shapes: Shapes = new Map(),
): ObjectShape | undefined {
  if (!isSchemaObject(schema)) return undefined;
  if (shapes.has(schema)) return shapes.get(schema);
  // A composition that refers to itself adds nothing.
  shapes.set(schema, undefined);
  const { $ref, allOf = [], anyOf, oneOf } = schema;
  const members = [...($ref ? [view.findTarget($ref)] : []), ...allOf];
  const parts = [
    makeShapeFromKeywords(schema),
    ...members.map((member) => findObjectShape(member, view, shapes)),
    ...[anyOf, oneOf].map(
      (branches) =>
        branches &&
        mergeAlternativeShapes(
          branches.map((branch) => findObjectShape(branch, view, shapes)),
          view,
        ),
    ),
  ].filter((part) => part !== undefined);
  const shape = parts.length === 0 ? undefined : mergeAllOfShapes(parts, view);
  shapes.set(schema, shape);
  return shape;
}

/** Properties without a type describe an object. */
function makeShapeFromKeywords(schema: JsonSchemaObject): ObjectShape | undefined {
  const { type, properties, required = [], additionalProperties, patternProperties } = schema;
  const isObject =
    type === undefined
      ? properties !== undefined || isSchemaObject(additionalProperties)
      : isObjectType(type);
  if (!isObject) return undefined;
  return {
    properties: new Map(Object.entries(properties ?? {})),
    required: new Set(required),
    isClosed: additionalProperties === false && patternProperties === undefined,
  };
}

function mergeAllOfShapes(parts: readonly ObjectShape[], view: SchemaView): ObjectShape {
  const properties = new Map<string, JsonSchema>();
  for (const part of parts) {
    for (const [name, schema] of part.properties) {
      const property = properties.get(name);
      properties.set(name, property === undefined ? schema : intersectSchemas(property, schema, view));
    }
  }
  const required = new Set(parts.flatMap((part) => [...part.required]));
  return { properties, required, isClosed: parts.some(({ isClosed }) => isClosed) };
}

function mergeAlternativeShapes(
  branches: readonly (ObjectShape | undefined)[],
  view: SchemaView,
): ObjectShape | undefined {
  const shapes = branches.filter((branch) => branch !== undefined);
  const [first, ...moreShapes] = shapes;
  if (first === undefined || shapes.length < branches.length) return undefined;
  const names = new Set(shapes.flatMap(({ properties }) => [...properties.keys()]));
  return {
    properties: new Map([...names].map((name) => [name, mergeAlternativeProperty(name, shapes, view)])),
    required: new Set(
      [...first.required].filter((name) => moreShapes.every(({ required }) => required.has(name))),
    ),
    isClosed: shapes.every(({ isClosed }) => isClosed),
  };
}

/** An open branch without the property accepts anything there. */
function mergeAlternativeProperty(
  name: string,
  shapes: readonly ObjectShape[],
  view: SchemaView,
): JsonSchema {
  const schemas: JsonSchema[] = [];
  let isFree = false;
  for (const { properties, isClosed } of shapes) {
    const schema = properties.get(name);
    if (schema === undefined) isFree ||= !isClosed;
    else if (!schemas.some((each) => areSameSchemas(each, schema))) schemas.push(schema);
  }
  const [first = true, ...moreSchemas] = schemas;
  if (isFree)
    return isSchemaObject(first) && first.description !== undefined ? { description: first.description } : {};
  return moreSchemas.length === 0 ? first : replaceIfTooLarge({ anyOf: [first, ...moreSchemas] }, view);
}
