/**
 * Derives the schema of a JSON merge patch (RFC 7396): no member is required at any depth, and null removes a member.
 * Lists are replaced as a whole, so their items stay unchanged.
 */
import type { JsonSchema } from '../../util/json-schema.ts';
import { mediaTypeEssence } from '../../util/http-syntax.ts';
import {
  isSchemaObject,
  keywordsThatJudge,
  mapSubschemas,
  definitionNameOf,
  omitKeywords,
  oneOfToAnyOf,
} from '../../model/schema-walk.ts';
import { makeNullable } from '../../model/with-null.ts';
import type { SchemaView } from '../schema/schema-view.ts';

export function isMergePatch(mediaType: string): boolean {
  return mediaTypeEssence(mediaType) === 'application/merge-patch+json';
}

/** Keywords that require members, or that judge an object by its members: a patch lacks most of them. */
const demands = [
  ...['required', 'minProperties', 'maxProperties', 'dependentRequired'],
  ...keywordsThatJudge('test', 'consequence'),
];
const memberKeywords = keywordsThatJudge('member');
const compositions = keywordsThatJudge('value', 'alternative');

export function toPatchSchema(schema: JsonSchema, view: SchemaView): JsonSchema {
  if (!isSchemaObject(schema) || (schema.type !== undefined && ![schema.type].flat().includes('object')))
    return schema;
  const nested = mapSubschemas(omitKeywords(schema, ...demands), (subschema, keyword) => {
    if (memberKeywords.includes(keyword)) return toNullablePatch(subschema, view);
    return compositions.includes(keyword) ? toPatchSchema(subschema, view) : subschema;
  });
  const patch = oneOfToAnyOf(nested);
  const name = definitionNameOf(patch.$ref);
  if (name === undefined) return patch;
  // Other operations use the referenced schema too, so its patch becomes another schema, unless the two are the same.
  const variant = view.defineVariant(name, '.patch', (member) => toPatchSchema(member, view));
  return variant === name ? patch : { ...patch, $ref: `#/$defs/${variant}` };
}

/** Patches a member or a whole body. Left out it changes nothing, so it has no default; null is a value. */
export function toNullablePatch(schema: JsonSchema, view: SchemaView): JsonSchema {
  const patch = toPatchSchema(schema, view);
  if (!isSchemaObject(patch)) return patch;
  return makeNullable({ ...omitKeywords(patch, 'default') });
}
