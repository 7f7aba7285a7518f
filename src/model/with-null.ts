import type { JsonSchemaObject } from '../util/json-schema.ts';
import { ANNOTATIONS, composition } from './schema-walk.ts';

/** Keywords beside `type` and `enum` that null may violate. */
const demanding = [...composition, 'const'];

/**
 * Changes the given schema. Null joins a plain schema, or the branches of an `anyOf`. A `oneOf` is wrapped, since one
 * branch may already allow null, and two matching branches are refused.
 */
export function makeNullable(out: JsonSchemaObject): JsonSchemaObject {
  const demands = demanding.filter((keyword) => keyword in out);
  const { anyOf, type } = out;
  if (demands.length === 0) {
    if (out.enum !== undefined && !out.enum.includes(null)) out.enum = [...out.enum, null];
    if (type !== undefined && ![type].flat().includes('null')) out.type = [...[type].flat(), 'null'];
    return out;
  }
  if (anyOf === undefined || demands.length > 1 || type !== undefined || out.enum !== undefined)
    return wrapInNullUnion(out);
  if (!anyOf.some((branch) => typeof branch !== 'boolean' && branch.type === 'null'))
    out.anyOf = [...anyOf, { type: 'null' }];
  return out;
}

/** Descriptive keywords stay outside, where readers look for them. The object inside stays the same. */
function wrapInNullUnion(inside: JsonSchemaObject): JsonSchemaObject {
  const outside: JsonSchemaObject = {};
  for (const keyword of Object.keys(inside).filter((name) => ANNOTATIONS.has(name))) {
    outside[keyword] = inside[keyword];
    Reflect.deleteProperty(inside, keyword);
  }
  if (Array.isArray(inside.type)) {
    const types = inside.type.filter((type) => type !== 'null');
    inside.type = types.length === 1 && types[0] !== undefined ? types[0] : types;
  }
  return { ...outside, anyOf: [inside, { type: 'null' }] };
}
