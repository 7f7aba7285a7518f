/**
 * Prints the type of a tool's arguments for handlers. Lean on purpose: scalars, enums and lists of them are spelled
 * out, what lies deeper is an object of unknown members. Values have been validated against the whole schema anyway.
 */
import type { JsonSchema, JsonSchemaObject, JsonType } from '../../templates/runtime/schema/json-schema.ts';
import { identifierOrString, quote } from './quote.ts';

/** Columns left for a type on its line. Longer unions fall back to their members' type. */
const room = 110;

export function printArguments(schema: JsonSchemaObject): string {
  const { properties = {}, required = [], $defs = {} } = schema;
  const mandatory = new Set(required);
  const lines = Object.entries(properties).map(([name, property]) => {
    const key = `    ${identifierOrString(name)}${mandatory.has(name) ? '' : '?'}: `;
    const type = printType(property, $defs);
    return `${key}${key.length + type.length + 1 > room ? printWide(property, $defs) : type};\n`;
  });
  return lines.length === 0 ? emptyArguments(schema) : `{\n${lines.join('')}  }`;
}

function emptyArguments({ additionalProperties }: JsonSchemaObject): string {
  return additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>';
}

function printType(schema: JsonSchema, definitions: Record<string, JsonSchema>, depth = 0): string {
  const target = resolve(schema, definitions);
  if (typeof target === 'boolean') return 'unknown';
  const literals = printLiterals(target);
  if (literals !== undefined) return literals;
  const types = typeof target.type === 'string' ? [target.type] : (target.type ?? []);
  if (types.length === 0) return 'unknown';
  const parts = types.map((type) =>
    type === 'array' ? printList(target, definitions, depth) : namesOfTypes[type],
  );
  return [...new Set(parts)].join(' | ');
}

const namesOfTypes: Record<Exclude<JsonType, 'array'>, string> = {
  null: 'null',
  boolean: 'boolean',
  integer: 'number',
  number: 'number',
  string: 'string',
  object: 'Record<string, unknown>',
};

/** The type of a union that does not fit: what its members have in common. */
function printWide(schema: JsonSchema, definitions: Record<string, JsonSchema>): string {
  const target = resolve(schema, definitions);
  const isText =
    typeof target === 'object' && target.enum?.every((value) => typeof value === 'string') === true;
  return isText ? 'string' : 'unknown';
}

function printList(
  { items = true, prefixItems }: JsonSchemaObject,
  definitions: Record<string, JsonSchema>,
  depth: number,
): string {
  if (prefixItems !== undefined || depth > 0) return 'unknown[]';
  const item = printType(items, definitions, depth + 1);
  return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
}

function printLiterals({ enum: values, const: constant }: JsonSchemaObject): string | undefined {
  const literals = values ?? (constant === undefined ? undefined : [constant]);
  if (literals === undefined || literals.length === 0) return undefined;
  if (literals.some((value) => typeof value === 'object' && value !== null)) return undefined;
  return literals.map((value) => (typeof value === 'string' ? quote(value) : String(value))).join(' | ');
}

/** Follows one reference; a chain or a cycle of them is not worth spelling out. */
function resolve(schema: JsonSchema, definitions: Record<string, JsonSchema>): JsonSchema {
  if (typeof schema === 'boolean' || schema.$ref === undefined) return schema;
  const name = schema.$ref
    .replace(/^#\/\$defs\//, '')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
  const target = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  return target === undefined || (typeof target === 'object' && target.$ref !== undefined) ? true : target;
}
