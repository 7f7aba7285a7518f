import type {
  Json,
  JsonSchema,
  JsonSchemaObject,
  JsonType,
} from '../../../templates/runtime/contract/json-schema.ts';
import { isSchemaObject } from '../../model/schema-walk.ts';
import type { SchemaView } from '../schema/schema-view.ts';
import { omitUndefined } from '../../util/collections.ts';

/** A schema whose values can be part of a URI: one primitive, or a list of them. */
export interface Primitive {
  /** Default: `string`. */
  type: 'string' | 'number' | 'integer' | 'boolean';
  list: boolean;
  values?: string[];
}

/** Reads a primitive. Undefined if a value may be an object, or a list of anything but primitives. */
export function derivePrimitive(schema: JsonSchema, view: SchemaView): Primitive | undefined {
  return derivePrimitiveCached(schema, view, new Map());
}

/** Primitives by schema: undefined while one is being read, so a recursive schema is no primitive. */
type Known = Map<unknown, Primitive | undefined>;

function derivePrimitiveCached(schema: unknown, view: SchemaView, primitives: Known): Primitive | undefined {
  if (schema === true) return { type: 'string', list: false };
  if (!isSchemaObject(schema) || primitives.has(schema)) return primitives.get(schema);
  primitives.set(schema, undefined);
  const primitive = derivePrimitiveUncached(schema, view, primitives);
  primitives.set(schema, primitive);
  return primitive;
}

function derivePrimitiveUncached(
  schema: JsonSchemaObject,
  view: SchemaView,
  primitives: Known,
): Primitive | undefined {
  if (schema.$ref !== undefined) return derivePrimitiveCached(view.findTarget(schema.$ref), view, primitives);
  const types = listNonNullTypes(schema);
  if (types.includes('object') || schema.properties !== undefined) return undefined;
  if (types[0] === 'array')
    return types.length === 1 ? deriveListPrimitive(schema, view, primitives) : undefined;
  const composed = schema.allOf ?? schema.anyOf ?? schema.oneOf;
  return composed === undefined || types.length > 0
    ? makePrimitiveFromKeywords(schema, types)
    : primitiveOfBranches(schema, view, primitives);
}

function listNonNullTypes({ type }: JsonSchemaObject): JsonType[] {
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  return types.filter((type) => type !== 'null');
}

function deriveListPrimitive(
  schema: JsonSchemaObject,
  view: SchemaView,
  primitives: Known,
): Primitive | undefined {
  const item = derivePrimitiveCached(schema.items ?? true, view, primitives);
  return item === undefined || item.list ? undefined : { ...item, list: true };
}

function primitiveOfBranches(
  schema: JsonSchemaObject,
  view: SchemaView,
  known: Known,
): Primitive | undefined {
  const { allOf, anyOf, oneOf } = schema;
  const branches = (anyOf ?? oneOf ?? allOf ?? []).filter(
    (branch) => !(isSchemaObject(branch) && branch.type === 'null'),
  );
  const kinds = branches.map((branch) => derivePrimitiveCached(branch, view, known));
  const primitives = kinds.filter((kind) => kind !== undefined);
  const [first] = primitives;
  if (first === undefined || primitives.length < kinds.length) return undefined;
  return allOf === undefined
    ? joinUnion(first, primitives)
    : (primitives.find(({ values }) => values !== undefined) ?? first);
}

function joinUnion(first: Primitive, kinds: readonly Primitive[]): Primitive | undefined {
  if (kinds.some(({ list }) => list !== first.list)) return undefined;
  const limited = kinds.every(({ values }) => values !== undefined);
  const values = [...new Set(kinds.flatMap((kind) => kind.values ?? []))];
  return {
    type: kinds.every(({ type }) => type === first.type) ? first.type : 'string',
    list: first.list,
    ...(limited ? { values } : {}),
  };
}

function makePrimitiveFromKeywords(schema: JsonSchemaObject, types: readonly JsonType[]): Primitive {
  const [type = 'string', second] = types;
  const single = second === undefined && (type === 'number' || type === 'integer' || type === 'boolean');
  const values = listEnumTexts(schema, type);
  return { type: single ? type : 'string', list: false, ...omitUndefined({ values }) };
}

function listEnumTexts(
  { enum: members, const: only }: JsonSchemaObject,
  type: JsonType,
): string[] | undefined {
  if (only !== undefined) return scalarTexts([only]);
  if (Array.isArray(members)) return scalarTexts(members);
  return type === 'boolean' ? ['true', 'false'] : undefined;
}

function scalarTexts(values: readonly Json[]): string[] {
  return values.filter((value) => value !== null && typeof value !== 'object').map(String);
}
