/** The schema of one argument: the source's own, with the words a model needs beside it. */
import type { JsonSchema, JsonSchemaObject } from '../../templates/runtime/schema/json-schema.ts';
import { asSchemaObject } from '../model/schema-walk.ts';
import { saysName } from './argument-names.ts';
import { plainLine, plainText } from './plain-text.ts';
import { withoutEcho } from './title-echo.ts';
import { trimText } from './trim-text.ts';

const longestDescription = 1000;

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
