import type { JsonSchema } from '../../templates/runtime/schema/json-schema.ts';
import { schemaText } from '../model/schema-text.ts';

/** Bytes of a schema as JSON. */
export function byteSize(schema: JsonSchema): number {
  return Buffer.byteLength(schemaText(schema));
}
