import type { JsonSchema } from '../../templates/runtime/schema/json-schema.ts';
import { loosen } from './loosen.ts';
import type { OutputSchemaMode } from './options.ts';
import { pruneProperties } from './prune-properties.ts';
import { type SchemaRewrite, SchemaView } from './schema-view.ts';
import { withoutEchoes, withoutKeyword } from './title-echo.ts';

/** The shared schemas as arguments see them, and as answers do. */
export interface SchemaViews {
  input: SchemaView;
  output: SchemaView;
}

export function schemaViews(pool: Record<string, JsonSchema>, mode: OutputSchemaMode): SchemaViews {
  const input = pruneProperties(pool, 'readOnly');
  const output = pruneProperties(pool, 'writeOnly');
  return {
    input: new SchemaView(pool, inTurn(inTurn(input, withoutEchoes), withoutUnlisted)),
    output: new SchemaView(
      pool,
      inTurn(inTurn(output, mode === 'strict' ? withoutEchoes : loosen), withoutUnlisted),
    ),
  };
}

/** How bodies of XML are written is no client's business, and examples are most of a large document. */
function withoutUnlisted(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean' || (schema.xml === undefined && schema.example === undefined))
    return schema;
  return withoutKeyword(withoutKeyword(schema, 'xml'), 'example');
}

function inTurn(first: SchemaRewrite, second: SchemaRewrite): SchemaRewrite {
  return (schema) => second(first(schema));
}
