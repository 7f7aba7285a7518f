/** The schema of one argument: the source's own, with the words a model needs beside it. */
import { compileSchema } from '../../../templates/runtime/schema/index.ts';
import type { Json, JsonSchema, JsonSchemaObject } from '../../../templates/runtime/contract/json-schema.ts';
import { asSchemaObject, isSchemaObject } from '../../model/schema-walk.ts';
import type { Parameter } from '../../model/source-model.ts';
import { saysName } from './argument-names.ts';
import { plainLine, plainText } from '../plain-text.ts';
import type { SchemaView } from '../schema/schema-view.ts';
import { withoutEcho } from '../text/title-echo.ts';
import { trimText } from '../text/trim-text.ts';

const longestDescription = 1000;
const annotations = new Set(['title', 'description', 'default', 'deprecated', 'examples']);

/**
 * `name` is the one on the wire, which is told where the argument's does not say it. `words` come from the parameter or
 * the body; they win over the schema's own.
 */
export function describedSchema(
  name: string,
  schema: JsonSchema,
  words: { description?: string; deprecated?: boolean },
): JsonSchemaObject {
  const own = typeof schema === 'boolean' ? undefined : schema.description;
  const text = plainText(words.description ?? '') || (typeof own === 'string' ? plainText(own) : '');
  const deprecated = words.deprecated === true || (typeof schema === 'object' && schema.deprecated === true);
  const marked = deprecated && !/^\W*deprecated/i.test(text) ? `Deprecated. ${text}` : text;
  const sent = saysName(name) ? '' : `Sent as "${plainLine(name)}". `;
  const description = trimText(`${sent}${marked}`.trim(), longestDescription);
  const lean = asSchemaObject(withoutEcho(name, schema));
  return description === '' || description === own ? lean : { ...lean, description };
}

const longestExample = 60;

/**
 * The schema with the parameter's first example, where that is short text or a number that nothing else explains: worth
 * its bytes to a model. Others are not listed; they are most of a large document.
 */
export function withExample(schema: JsonSchema, parameter: Parameter): JsonSchema {
  const { schema: source } = parameter;
  const example = parameter.example ?? (isSchemaObject(source) ? source.example : undefined);
  if (!isShort(example) || !isSchemaObject(schema)) return schema;
  return explaining.some((keyword) => keyword in schema)
    ? schema
    : { ...schema, examples: [example as Json] };
}

const explaining = ['enum', 'const', 'default', '$ref', 'anyOf', 'oneOf', 'allOf'];

function isShort(example: unknown): boolean {
  if (typeof example === 'number') return isExact(example);
  return typeof example === 'string' && example !== '' && example.length <= longestExample;
}

/** Neither infinite nor, perhaps, an integer that was rounded when it was read. */
function isExact(number: number): boolean {
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
}

/** A list without items and an object without members are sent as the empty text is, so either will do. */
const emptyValues = ['', [], {}];

/**
 * The schema of a query parameter with `allowEmptyValue`, which may be sent as `name=`: whatever the schema says, the
 * empty text is taken too, unless it takes a value that is written so.
 */
export function emptyAllowed(schema: JsonSchema, view: SchemaView): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  const $defs = Object.fromEntries(view.reach([schema]));
  const errorsIn = compileSchema({ allOf: [schema], $defs });
  if (emptyValues.some((value) => errorsIn(value).length === 0)) return schema;
  const { words, rest } = apart(schema);
  return { ...words, anyOf: [rest, { const: '' }] };
}

/** Words about the argument as a whole stay at the top, where clients look for them. */
function apart(schema: JsonSchemaObject): { words: JsonSchemaObject; rest: JsonSchemaObject } {
  const entries = Object.entries(schema);
  const isWord = ([keyword]: [string, unknown]): boolean => annotations.has(keyword);
  return {
    words: Object.fromEntries(entries.filter(isWord)),
    rest: Object.fromEntries(entries.filter((entry) => !isWord(entry))),
  };
}
