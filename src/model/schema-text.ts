import type { JsonSchema } from '../../templates/runtime/schema/json-schema.ts';

const texts = new WeakMap<object, string>();

/** A schema as compact JSON. Remembered by identity: one schema object serves many tools, and is measured and printed. */
export function schemaText(schema: JsonSchema): string {
  if (typeof schema === 'boolean') return String(schema);
  let text = texts.get(schema);
  if (text === undefined) {
    text = JSON.stringify(schema);
    texts.set(schema, text);
  }
  return text;
}
