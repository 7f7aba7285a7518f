/**
 * Finds the properties that all objects of a composed schema share. Clients refuse composition at the top of an
 * output schema, so the shape replaces it; it accepts everything that the schema accepts, and often more.
 */
import type { JsonSchema, JsonSchemaObject } from '../../../templates/runtime/contract/json-schema.ts';
import { isSchemaObject } from '../../model/schema-walk.ts';
import { both, isSame, withinCopies } from '../body/flatten.ts';
import { isObjectType } from './loosen.ts';
import type { SchemaView } from './schema-view.ts';

export interface ObjectShape {
  properties: Map<string, JsonSchema>;
  required: Set<string>;
  isClosed: boolean;
}

type Shapes = Map<JsonSchemaObject, ObjectShape | undefined>;

/** Undefined if the schema may accept anything but objects. */
export function objectShape(
  schema: unknown,
  view: SchemaView,
  known: Shapes = new Map(),
): ObjectShape | undefined {
  if (!isSchemaObject(schema)) return undefined;
  if (known.has(schema)) return known.get(schema);
  // A composition that refers to itself adds nothing.
  known.set(schema, undefined);
  const { $ref, allOf = [], anyOf, oneOf } = schema;
  const members = [...($ref ? [view.target($ref)] : []), ...allOf];
  const parts = [
    ownShape(schema),
    ...members.map((member) => objectShape(member, view, known)),
    ...[anyOf, oneOf].map(
      (branches) =>
        branches &&
        joinAlternatives(
          branches.map((each) => objectShape(each, view, known)),
          view,
        ),
    ),
  ].filter((part) => part !== undefined);
  const shape = parts.length === 0 ? undefined : joinParts(parts, view);
  known.set(schema, shape);
  return shape;
}

/** Properties without a type describe an object. */
function ownShape(schema: JsonSchemaObject): ObjectShape | undefined {
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

function joinParts(parts: readonly ObjectShape[], view: SchemaView): ObjectShape {
  const properties = new Map<string, JsonSchema>();
  for (const part of parts) {
    for (const [name, schema] of part.properties) {
      const known = properties.get(name);
      properties.set(name, known === undefined ? schema : both(known, schema, view));
    }
  }
  const required = new Set(parts.flatMap((part) => [...part.required]));
  return { properties, required, isClosed: parts.some(({ isClosed }) => isClosed) };
}

function joinAlternatives(
  branches: readonly (ObjectShape | undefined)[],
  view: SchemaView,
): ObjectShape | undefined {
  const shapes = branches.filter((branch) => branch !== undefined);
  const [first, ...others] = shapes;
  if (first === undefined || shapes.length < branches.length) return undefined;
  const names = new Set(shapes.flatMap(({ properties }) => [...properties.keys()]));
  return {
    properties: new Map([...names].map((name) => [name, joinProperty(name, shapes, view)])),
    required: new Set(
      [...first.required].filter((name) => others.every(({ required }) => required.has(name))),
    ),
    isClosed: shapes.every(({ isClosed }) => isClosed),
  };
}

/** An open branch without the property accepts anything there. */
function joinProperty(name: string, shapes: readonly ObjectShape[], view: SchemaView): JsonSchema {
  const given: JsonSchema[] = [];
  let isFree = false;
  for (const { properties, isClosed } of shapes) {
    const schema = properties.get(name);
    if (schema === undefined) isFree ||= !isClosed;
    else if (!given.some((each) => isSame(each, schema))) given.push(schema);
  }
  const [first = true, ...others] = given;
  if (isFree)
    return isSchemaObject(first) && first.description !== undefined ? { description: first.description } : {};
  return others.length === 0 ? first : withinCopies({ anyOf: [first, ...others] }, view);
}
