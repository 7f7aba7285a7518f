/** The variables of a URI and the arguments of a prompt are texts; what they stand for may be something else. */
import type { JsonSchema, JsonSchemaObject, JsonType } from '../contract/json-schema.ts';
import { readNumber } from '../contract/json-text.ts';

/**
 * A text stays one where that will do; else it becomes the number or boolean that the schema wants. What is neither stays a
 * text, for validation to refuse. The schema is written out: its references are not followed.
 */
export function reviveTexts(value: string | string[], schema: JsonSchema | undefined): unknown {
  const target = typeof schema === 'object' ? schema : {};
  if (target.type === 'array') return [value].flat().map((each) => reviveText(each, itemsOf(target)));
  // A comma in a simple expression reads as a list; a single value keeps it as text.
  return reviveText(Array.isArray(value) ? value.join(',') : value, target);
}

function itemsOf({ items }: JsonSchemaObject): JsonSchemaObject {
  return typeof items === 'object' ? items : {};
}

function reviveText(text: string, schema: JsonSchemaObject): unknown {
  const alternatives = listAlternatives(schema);
  if (alternatives.some((each) => takesText(text, each))) return text;
  const types = alternatives.flatMap(listTypes);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  const isNumeric = types.includes('integer') || types.includes('number');
  return isNumeric && isNumber(text) ? readNumber(text) : text;
}

function listAlternatives(schema: JsonSchemaObject): JsonSchemaObject[] {
  if (schema.anyOf === undefined) return [schema];
  return schema.anyOf.flatMap((each) => (typeof each === 'object' ? listAlternatives(each) : [{}]));
}

function listTypes({ type = [] }: JsonSchemaObject): JsonType[] {
  return [type].flat();
}

/** No format that a number could be beside is written like one. */
function takesText(text: string, schema: JsonSchemaObject): boolean {
  const types = listTypes(schema);
  if (types.length > 0 && !types.includes('string')) return false;
  if (schema.enum !== undefined) return schema.enum.includes(text);
  if (schema.const !== undefined) return schema.const === text;
  return schema.format === undefined || !isNumber(text);
}

function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text);
}
