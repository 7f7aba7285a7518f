import type { JsonSchema, JsonSchemaObject } from '../../../templates/runtime/contract/json-schema.ts';

const sizes = new WeakMap<JsonSchemaObject, number>();

export function textSize(text: string): number {
  return /^[\w .-]*$/.test(text) ? text.length + 2 : Buffer.byteLength(JSON.stringify(text));
}

/** Tools share schemas, so their sizes are cached. */
export function byteSize(schema: JsonSchema): number {
  if (typeof schema === 'boolean') return String(schema).length;
  const known = sizes.get(schema);
  if (known !== undefined) return known;
  const size = Buffer.byteLength(JSON.stringify(schema));
  sizes.set(schema, size);
  return size;
}
