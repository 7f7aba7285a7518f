import type {
  Json,
  JsonSchema,
  JsonSchemaObject,
  JsonType,
  ObjectSchema,
} from '../../../templates/runtime/contract/json-schema.ts';
import { mapSubschemas } from '../../model/schema-walk.ts';

/** Writes `type: [string, null]` as `anyOf` of one type each. The same values stay valid. */
export function splitTypes(schema: ObjectSchema): ObjectSchema {
  return splitIn(schema) as ObjectSchema;
}

function splitIn(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  const { type, ...rest } = mapSubschemas(schema, splitIn);
  if (!Array.isArray(type)) return type === undefined ? rest : { type, ...rest };
  const [only, ...others] = type;
  if (only !== undefined && others.length === 0) return { type: only, ...rest };
  const words = Object.fromEntries(Object.entries(rest).filter(([keyword]) => WORDS.has(keyword)));
  const limits = Object.fromEntries(Object.entries(rest).filter(([keyword]) => !WORDS.has(keyword)));
  return { ...words, anyOf: type.flatMap((each) => typeBranches(each, limits)) };
}

/** Keywords that say nothing about the type. */
const WORDS = new Set(['title', 'description', 'default', 'examples', 'deprecated', '$comment', '$defs']);

/** Makes a branch of each type. Keywords of other types are left out, where it is known whose they are. */
function typeBranches(type: JsonType, { enum: values, ...limits }: JsonSchemaObject): JsonSchemaObject[] {
  const own = Object.entries(limits).filter(([keyword]) => {
    const types = TYPES.get(keyword);
    return types === undefined || types.includes(type);
  });
  const rest = { type, ...Object.fromEntries(own) };
  if (values === undefined) return [rest];
  const fitting = values.filter((value) => isOfJsonType(value, type));
  return fitting.length === 0 ? [] : [{ ...rest, enum: fitting }];
}

const KEYWORDS: Readonly<Record<string, readonly JsonType[]>> = {
  'minLength maxLength pattern format contentEncoding contentMediaType': ['string'],
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf': ['number', 'integer'],
  'items prefixItems contains minItems maxItems uniqueItems unevaluatedItems': ['array'],
  'properties required additionalProperties patternProperties minProperties maxProperties propertyNames': [
    'object',
  ],
};

const TYPES = new Map(
  Object.entries(KEYWORDS).flatMap(([words, types]) => words.split(' ').map((word) => [word, types])),
);

function isOfJsonType(value: Json, type: JsonType): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
