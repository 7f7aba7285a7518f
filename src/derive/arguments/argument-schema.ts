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
 * Adds a description. `name` is the name on the wire, which is mentioned if the argument's name differs. `words` come
 * from the parameter or the body, and win over the schema's own.
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
 * Adds the parameter's first example if it is short and no other keyword explains the value. Other examples are not
 * listed, since they are most of a large document.
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

/** Integers beyond 2^53 may have been rounded when they were read. */
function isExact(number: number): boolean {
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
}

/** Empty lists and objects are sent as empty text. */
const emptyValues = ['', [], {}];

/**
 * Accepts the empty text for a query parameter with `allowEmptyValue`, unless the schema accepts an equivalent value.
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
