// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Reads variables of a URI and arguments of a prompt, which are texts, as the types that their schemas want. */
import type { JsonSchema, JsonSchemaObject, JsonType } from '../contract/json-schema.ts';
import { readNumber } from '../contract/json-text.ts';

/**
 * A text that the schema allows stays one; else it becomes the number or boolean that the schema wants. Any other stays a text,
 * for validation to refuse. References of the schema are not followed.
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

/** Whether the text fits one alternative. Texts of a format never look like numbers. */
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
