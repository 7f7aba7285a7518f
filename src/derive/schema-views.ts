import type { JsonSchema } from '../../templates/runtime/schema/json-schema.ts';
import { loosen } from './loosen.ts';
import type { OutputSchemaMode } from './options.ts';
import { pruneProperties } from './prune-properties.ts';
import { SchemaView } from './schema-view.ts';

/** The shared schemas as arguments see them, and as answers do. */
export interface SchemaViews {
  input: SchemaView;
  output: SchemaView;
}

export function schemaViews(pool: Record<string, JsonSchema>, mode: OutputSchemaMode): SchemaViews {
  const answers = pruneProperties(pool, 'writeOnly');
  return {
    input: new SchemaView(pool, pruneProperties(pool, 'readOnly')),
    output: new SchemaView(pool, mode === 'strict' ? answers : loosen(answers)),
  };
}
