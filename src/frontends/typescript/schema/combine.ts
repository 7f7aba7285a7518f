import type { Json, JsonSchemaObject, JsonType } from '../../../util/json-schema.ts';

export function unionSchemas(schemas: readonly JsonSchemaObject[]): JsonSchemaObject {
  const distinct = dropEqualSchemas(schemas.flatMap((schema) => listPlainAlternatives(schema) ?? [schema]));
  const [only] = distinct;
  if (distinct.length === 1 && only !== undefined) return only;
  if (distinct.some((schema) => Object.keys(schema).length === 0)) return {};
  const types = distinct.flatMap((schema) => findOnlyType(schema) ?? []);
  return types.length === distinct.length ? { type: dropIntegerBesideNumber(types) } : { anyOf: distinct };
}

/** References stay separate, since their targets have no names yet. */
function dropEqualSchemas(schemas: readonly JsonSchemaObject[]): JsonSchemaObject[] {
  if (schemas.length < 2) return [...schemas];
  const seen = new Map<string, JsonSchemaObject>();
  for (const schema of schemas) {
    const text = JSON.stringify(schema);
    const key = text.includes('"$ref"') ? `${seen.size} ${text}` : text;
    if (!seen.has(key)) seen.set(key, schema);
  }
  return [...seen.values()];
}

function findOnlyType(schema: JsonSchemaObject): JsonType | undefined {
  return Object.keys(schema).length === 1 && typeof schema.type === 'string' ? schema.type : undefined;
}

function dropIntegerBesideNumber(types: JsonType[]): JsonType | JsonType[] {
  const typeNames = types.filter((type) => type !== 'integer' || !types.includes('number'));
  return typeNames.length === 1 && typeNames[0] !== undefined ? typeNames[0] : typeNames;
}

export function addNull(schema: JsonSchemaObject): JsonSchemaObject {
  const { type, ...rest } = schema;
  if (Object.keys(schema).length === 0 || [type].flat().includes('null')) return schema;
  const isPlain = type !== undefined && !['anyOf', 'oneOf', '$ref', 'not'].some((key) => key in rest);
  if (!isPlain) {
    const { oneOf } = schema;
    // No object is null, so still only one alternative matches.
    if (oneOf !== undefined && Object.keys(rest).length === 1) return { oneOf: [...oneOf, { type: 'null' }] };
    return { anyOf: [...(listPlainAlternatives(schema) ?? [schema]), { type: 'null' }] };
  }
  const nullable: JsonSchemaObject = { ...schema, type: [...[type].flat(), 'null'] };
  const values: Json[] | undefined = 'const' in schema ? [schema.const as Json] : schema.enum;
  delete nullable.const;
  return values === undefined ? nullable : { ...nullable, enum: [...values, null] };
}

function listPlainAlternatives(schema: JsonSchemaObject): JsonSchemaObject[] | undefined {
  return Object.keys(schema).length === 1 ? (schema.anyOf as JsonSchemaObject[] | undefined) : undefined;
}
