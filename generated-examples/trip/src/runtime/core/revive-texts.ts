/** The variables of a URI and the arguments of a prompt are texts; what they stand for may be something else. */
import type { JsonSchema } from '../schema/json-schema.ts';
import { readNumber } from '../schema/json-text.ts';

/** A text that is no number or boolean where the schema wants one stays a text, for validation to refuse. */
export function reviveTexts(value: string | string[], schema: JsonSchema | undefined): unknown {
  const { type, items } = typeof schema === 'object' ? schema : {};
  if (type === 'array') return [value].flat().map((each) => reviveText(each, items));
  // A comma in a simple expression reads as a list; a single value keeps it as text.
  return reviveText(Array.isArray(value) ? value.join(',') : value, schema);
}

function reviveText(text: string, schema: JsonSchema | undefined): unknown {
  const type = typeof schema === 'object' ? schema.type : undefined;
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  const isNumeric = (type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text);
  return isNumeric ? readNumber(text) : text;
}
