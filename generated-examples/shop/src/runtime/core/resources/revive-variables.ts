/** The variables of a URI are texts; the arguments they stand for may be numbers, booleans or lists. */
import type { ResourceBinding } from '../../bindings.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';

/** A text that is no number or boolean stays a text, for validation to refuse. */
export function reviveVariables(
  variables: Readonly<Record<string, string | string[]>>,
  { variables: renamed = {}, schemas = {} }: Pick<ResourceBinding, 'variables' | 'schemas'>,
): Record<string, unknown> {
  const entries = Object.entries(variables).map(([name, value]) => {
    const argument = (Object.hasOwn(renamed, name) ? renamed[name] : undefined) ?? name;
    return [argument, revive(value, Object.hasOwn(schemas, argument) ? schemas[argument] : undefined)];
  });
  return Object.fromEntries(entries);
}

function revive(value: string | string[], schema: JsonSchema | undefined): unknown {
  const { type, items } = typeof schema === 'object' ? schema : {};
  if (type === 'array') return [value].flat().map((each) => reviveText(each, items));
  // A comma in a simple expression reads as a list; a single value keeps it as text.
  return reviveText(Array.isArray(value) ? value.join(',') : value, schema);
}

function reviveText(text: string, schema: JsonSchema | undefined): unknown {
  const type = typeof schema === 'object' ? schema.type : undefined;
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  const isNumeric = (type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text);
  return isNumeric ? Number(text) : text;
}
