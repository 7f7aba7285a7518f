import type { Json, JsonSchema, JsonSchemaObject, JsonType } from '../../util/json-schema.ts';
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
  const primitives = new Map<unknown, Primitive | undefined>();
  const readSchema = (part: unknown): Primitive | undefined => {
    if (part === true) return { type: 'string', list: false };
    if (!isSchemaObject(part) || primitives.has(part)) return primitives.get(part);
    // A recursive schema is no primitive.
    primitives.set(part, undefined);
    const primitive = readKeywords(part);
    primitives.set(part, primitive);
    return primitive;
  };
  const readKeywords = (part: JsonSchemaObject): Primitive | undefined => {
    const { $ref, type = [], properties, items = true, allOf, anyOf, oneOf } = part;
    if ($ref !== undefined) return readSchema(view.findTarget($ref));
    const types = [type].flat().filter((name) => name !== 'null');
    if (types.includes('object') || properties !== undefined) return undefined;
    if (types[0] === 'array') {
      const item = types.length === 1 ? readSchema(items) : undefined;
      return item === undefined || item.list ? undefined : { ...item, list: true };
    }
    const branches = anyOf ?? oneOf ?? allOf;
    if (branches === undefined || types.length > 0) return makePrimitiveFromKeywords(part, types);
    const kinds = branches
      .filter((branch) => !(isSchemaObject(branch) && branch.type === 'null'))
      .map(readSchema);
    const primitives = kinds.filter((kind) => kind !== undefined);
    const [first] = primitives;
    if (first === undefined || primitives.length < kinds.length) return undefined;
    return branches === allOf
      ? (primitives.find(({ values }) => values !== undefined) ?? first)
      : joinUnion(first, primitives);
  };
  return readSchema(schema);
}

function joinUnion(first: Primitive, kinds: readonly Primitive[]): Primitive | undefined {
  if (kinds.some(({ list }) => list !== first.list)) return undefined;
  const isLimited = kinds.every(({ values }) => values !== undefined);
  const values = [...new Set(kinds.flatMap((kind) => kind.values ?? []))];
  return {
    type: kinds.every(({ type }) => type === first.type) ? first.type : 'string',
    list: first.list,
    ...(isLimited ? { values } : {}),
  };
}

function makePrimitiveFromKeywords(
  { const: only, enum: members = only === undefined ? undefined : [only] }: JsonSchemaObject,
  types: readonly JsonType[],
): Primitive {
  const [type = 'string', second] = types;
  const isSingle = second === undefined && (type === 'number' || type === 'integer' || type === 'boolean');
  const values: readonly Json[] | undefined = members ?? (type === 'boolean' ? [true, false] : undefined);
  const texts = values?.filter((value) => value !== null && typeof value !== 'object').map(String);
  return { type: isSingle ? type : 'string', list: false, ...omitUndefined({ values: texts }) };
}
