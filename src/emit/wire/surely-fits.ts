/** Checks values against simple schemas, since compiling a validator takes longer than all else that is done with an example. */
import type {
  Json,
  JsonObject,
  JsonSchema,
  JsonSchemaObject,
} from '../../../templates/runtime/contract/json-schema.ts';
import { isEqual, isRecord, getJsonType } from '../../../templates/runtime/contract/json-value.ts';
import { definitionNameOf } from '../../model/schema-walk.ts';

type Definitions = Readonly<Record<string, JsonSchema>>;
type Check = (keyword: unknown, value: Json, schema: JsonSchemaObject, within: Within) => boolean;

interface Within {
  definitions: Definitions;
  /** How many schemas may still be visited, so that a circle of references ends. */
  remaining: number;
}

const mostWork = 1_000;

/** Whether the value fits; false also wherever the validator would have to be asked. */
export function isSurelyValid(schema: JsonSchema, value: Json, definitions: Definitions): boolean {
  return isValidForSchema(schema, value, { definitions, remaining: mostWork });
}

function isValidForSchema(schema: JsonSchema, value: Json, within: Within): boolean {
  if (typeof schema === 'boolean') return schema;
  within.remaining -= 1;
  if (within.remaining < 0) return false;
  return Object.keys(schema).every((keyword) => {
    const check = checks.get(keyword);
    return check?.(schema[keyword], value, schema, within) ?? silent.has(keyword);
  });
}

/** No value can violate these keywords; `format` only annotates. */
const silent: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', '$comment'],
  ...['format', 'contentMediaType', 'contentEncoding'],
]);

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['$ref', (ref, value, _, within) => isValidForReference(ref, value, within)],
  ['type', (type, value) => [type].flat().some((one) => isOfType(value, one))],
  ['enum', (values, value) => Array.isArray(values) && values.some((one) => isEqual(one, value))],
  ['const', (only, value) => isEqual(only, value)],
  ['minLength', (least, value) => typeof value !== 'string' || [...value].length >= Number(least)],
  ['maxLength', (limit, value) => typeof value !== 'string' || [...value].length <= Number(limit)],
  ['minimum', (least, value) => typeof value !== 'number' || value >= Number(least)],
  ['maximum', (limit, value) => typeof value !== 'number' || value <= Number(limit)],
  ['exclusiveMinimum', (least, value) => typeof value !== 'number' || value > Number(least)],
  ['exclusiveMaximum', (limit, value) => typeof value !== 'number' || value < Number(limit)],
  ['minItems', (least, value) => !Array.isArray(value) || value.length >= Number(least)],
  ['maxItems', (limit, value) => !Array.isArray(value) || value.length <= Number(limit)],
  [
    'items',
    (items, value, { prefixItems }, within) =>
      prefixItems === undefined && areItemsValid(items, value, within),
  ],
  [
    'required',
    (names, value) =>
      !isRecord(value) || (Array.isArray(names) && names.every((name) => Object.hasOwn(value, String(name)))),
  ],
  ['properties', (_, value, schema, within) => !isRecord(value) || areMembersValid(value, schema, within)],
  [
    'additionalProperties',
    (_, value, schema, within) =>
      !isRecord(value) || (schema.patternProperties === undefined && areMembersValid(value, schema, within)),
  ],
  [
    'allOf',
    (parts, value, _, within) => toSchemaList(parts).every((part) => isValidForSchema(part, value, within)),
  ],
  [
    'anyOf',
    (parts, value, _, within) => toSchemaList(parts).some((part) => isValidForSchema(part, value, within)),
  ],
]);

function isValidForReference(ref: unknown, value: Json, within: Within): boolean {
  const name = definitionNameOf(ref);
  if (name === undefined || !Object.hasOwn(within.definitions, name)) return false;
  return isValidForSchema(within.definitions[name] ?? true, value, within);
}

function areItemsValid(items: unknown, value: Json, within: Within): boolean {
  return !Array.isArray(value) || value.every((item) => isValidForSchema(items as JsonSchema, item, within));
}

function areMembersValid(
  value: JsonObject,
  { properties = {}, additionalProperties = true }: JsonSchemaObject,
  within: Within,
): boolean {
  return Object.keys(value).every((name) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    return isValidForSchema(schema ?? true, value[name] ?? null, within);
  });
}

function toSchemaList(parts: unknown): JsonSchema[] {
  return Array.isArray(parts) ? (parts as JsonSchema[]) : [false];
}

function isOfType(value: Json, type: unknown): boolean {
  const valueType = getJsonType(value);
  return valueType !== undefined && (valueType === type || (valueType === 'integer' && type === 'number'));
}
