/** The examples of a schema that clients see. */
import type { Json, JsonSchemaObject } from '../../util/json-schema.ts';
import { getJsonType } from '../../util/json-value.ts';
import type { SchemaRewrite } from './schema-view.ts';

/** Limit of one listed example's JSON, in UTF-16 code units. */
const longestListed = 300;
const mostListed = 2;

/**
 * Lists the first two that are short and of the type of `target`. Of a single value that another keyword of
 * `schema` explains none is listed.
 */
export function selectShortExamples(
  schema: JsonSchemaObject,
  target: JsonSchemaObject,
  examples: readonly (Json | undefined)[],
): Json[] {
  const isExplained = schema.type === 'boolean' || explaining.some((keyword) => keyword in schema);
  const listed = new Map<string, Json>();
  for (const example of examples) {
    if (
      example === undefined ||
      (isExplained && !(typeof example === 'object' && example !== null)) ||
      !isExampleOfType(example, target)
    )
      continue;
    const text = JSON.stringify(example);
    if (text !== '""' && text.length <= longestListed && isExactNumber(example)) listed.set(text, example);
  }
  return [...listed.values()].slice(0, mostListed);
}

/** Examples of members of objects are listed too: models fill these in without further words. */
export const convertToListedExamples: SchemaRewrite = (schema) => {
  if (typeof schema === 'boolean' || schema.example === undefined) return schema;
  const { example, examples = [], ...rest } = schema;
  const listed = selectShortExamples(rest, rest, [example as Json, ...examples]);
  return listed.length === 0 ? rest : { ...rest, examples: listed };
};

const explaining = ['enum', 'const', 'default', '$ref', 'anyOf', 'oneOf', 'allOf'];

/** Examples are unchecked: lists are often written as they are sent, `a,b`. */
function isExampleOfType(example: Json, { type }: JsonSchemaObject): boolean {
  if (type === undefined) return true;
  const exampleType = getJsonType(example);
  return [type]
    .flat()
    .some((typeName) => typeName === exampleType || (typeName === 'number' && exampleType === 'integer'));
}

/** Integers beyond 2^53 may have been rounded when they were read. */
function isExactNumber(example: Json | undefined): boolean {
  if (typeof example === 'number')
    return Number.isFinite(example) && (!Number.isInteger(example) || Number.isSafeInteger(example));
  return typeof example !== 'object' || example === null || Object.values(example).every(isExactNumber);
}
