/** Makes schemas nullable. */
import type { JsonSchema, JsonSchemaObject, JsonType } from '../../templates/runtime/contract/json-schema.ts';

/** Keywords that describe a value as a whole. */
export const annotations: ReadonlySet<string> = new Set(
  'title description deprecated readOnly writeOnly default xml example examples'.split(' '),
);

/** Keywords beside `type` and `enum` that null may violate. */
const demanding = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'const'];

/**
 * Changes the given schema. Null joins a plain schema, or the branches of an `anyOf`. A `oneOf` is wrapped, since one
 * branch may already allow null, and two matching branches are refused.
 */
export function makeNullable(out: JsonSchemaObject): JsonSchemaObject {
  const demands = demanding.filter((keyword) => keyword in out);
  if (demands.length === 0) return addNullToPlain(out);
  const { anyOf } = out;
  if (anyOf === undefined || demands.length > 1 || out.type !== undefined || out.enum !== undefined)
    return wrapInNullUnion(out);
  if (!anyOf.some(isNull)) out.anyOf = [...anyOf, { type: 'null' }];
  return out;
}

function addNullToPlain(out: JsonSchemaObject): JsonSchemaObject {
  if (out.enum !== undefined && !out.enum.includes(null)) out.enum = [...out.enum, null];
  if (out.type === undefined) return out;
  const types: JsonType[] = Array.isArray(out.type) ? out.type : [out.type];
  if (!types.includes('null')) out.type = [...types, 'null'];
  return out;
}

function isNull(branch: JsonSchema): boolean {
  return typeof branch !== 'boolean' && branch.type === 'null';
}

/** Descriptive keywords stay outside, where readers look for them. */
function wrapInNullUnion(out: JsonSchemaObject): JsonSchemaObject {
  const outside: JsonSchemaObject = {};
  for (const keyword of Object.keys(out).filter((name) => annotations.has(name))) {
    outside[keyword] = out[keyword];
    Reflect.deleteProperty(out, keyword);
  }
  if (out.type !== undefined && Array.isArray(out.type)) {
    const types = out.type.filter((type) => type !== 'null');
    const [only] = types;
    out.type = types.length === 1 && only !== undefined ? only : types;
  }
  return { ...outside, anyOf: [out, { type: 'null' }] };
}
