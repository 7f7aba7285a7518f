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
    input: new SchemaView(pool, inTurn(inTurn(input, withoutEchoes), withoutXml)),
    output: new SchemaView(
      pool,
      inTurn(inTurn(output, mode === 'strict' ? withoutEchoes : loosen), withoutXml),
    ),
  };
}

/** How bodies of XML are written is no client's business. */
function withoutXml(schema: JsonSchema): JsonSchema {
  return typeof schema === 'boolean' || schema.xml === undefined ? schema : withoutKeyword(schema, 'xml');
}

function inTurn(first: SchemaRewrite, second: SchemaRewrite): SchemaRewrite {
  return (schema) => second(first(schema));
}
