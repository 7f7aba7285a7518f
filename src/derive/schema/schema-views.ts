import type { OutputSchemaMode } from '../../config/options/sources.ts';
import type { JsonSchema } from '../../../templates/runtime/contract/json-schema.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { SourceModel } from '../../model/source-model.ts';
import { loosen } from './loosen.ts';
import { pruneProperties } from './prune-properties.ts';
import { MOST_COPIES, type SchemaRewrite, SchemaView } from './schema-view.ts';
import { withoutEchoes, withoutKeyword } from '../text/title-echo.ts';

export interface SchemaViews {
  input: SchemaView;
  output: SchemaView;
}

export function schemaViews(pool: Record<string, JsonSchema>, mode: OutputSchemaMode): SchemaViews {
  const input = pruneProperties(pool, 'readOnly');
  const output = pruneProperties(pool, 'writeOnly');
  return {
    input: new SchemaView(pool, chainRewrites(chainRewrites(input, withoutEchoes), withoutUnlisted)),
    output: new SchemaView(
      pool,
      chainRewrites(chainRewrites(output, mode === 'strict' ? withoutEchoes : loosen), withoutUnlisted),
    ),
  };
}

/** XML Objects do not concern clients, and examples are most of a large document. */
function withoutUnlisted(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean' || (schema.xml === undefined && schema.example === undefined))
    return schema;
  return withoutKeyword(withoutKeyword(schema, 'xml'), 'example');
}

function chainRewrites(first: SchemaRewrite, second: SchemaRewrite): SchemaRewrite {
  return (schema) => second(first(schema));
}

/** Reports shared schemas that were too large to inline; once if they have no name. */
export function reportCopies(
  { input, output }: SchemaViews,
  { schemas, schemaOrigins, origin }: SourceModel,
  diagnostics: DiagnosticCollector,
): void {
  const limit = MOST_COPIES;
  const open = new Set([...input.tooLarge, ...output.tooLarge]);
  if (open.size === 0) return;
  const names = Object.keys(schemas).filter((name) =>
    [input, output].some((view) => open.has(view.member(name) ?? true)),
  );
  if (names.length === 0) diagnostics.report('schema-copies', { limit }, { at: origin });
  for (const name of names) diagnostics.report('schema-copies', { limit }, { at: schemaOrigins[name] });
}
