import type { JsonSchema, JsonSchemaObject, JsonType } from '../../util/json-schema.ts';
import type { OutputSchemaMode } from '../../config/options/sources.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { SourceModel } from '../../model/source-model.ts';
import { oneOfToAnyOf, omitKeywords } from '../../model/schema-walk.ts';
import { makeAlternativesJoiner } from './join-alternatives.ts';
import { convertToListedExamples } from './listed-examples.ts';
import { makePropertyPruner } from './prune-properties.ts';
import { MOST_COPIES, type SchemaRewrite, SchemaView, dropRedundantTitles } from './schema-view.ts';

export interface SchemaViews {
  input: SchemaView;
  output: SchemaView;
  /** The view of answers that may lack any member. */
  partial: SchemaView;
  /** The view of answers in the document's own words. */
  answer: SchemaView;
}

export function schemaViews(pool: Record<string, JsonSchema>, mode: OutputSchemaMode): SchemaViews {
  const input = makePropertyPruner(pool, 'readOnly');
  const output = makePropertyPruner(pool, 'writeOnly');
  const soften = mode === 'strict' ? openAlternatives : loosenOutputSchema;
  const listed = [output, soften, dropUnlistedKeywords];
  const joined = [input, makeAlternativesJoiner(pool), dropRedundantTitles];
  const view = (...rewrites: SchemaRewrite[]): SchemaView =>
    new SchemaView(pool, (schema) => rewrites.reduce((result, rewrite) => rewrite(result), schema));
  const whole = view(...listed);
  return {
    answer: view(output),
    partial: mode === 'strict' ? view(...listed, dropRequired) : whole,
    input: view(...joined, convertToListedExamples, dropUnlistedKeywords),
    output: whole,
  };
}

/** Drops requirements and turns `oneOf` into `anyOf`: alternatives may differ only by what they require. */
function dropRequired(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  const { required, minProperties, dependentRequired, ...partial } = schema;
  if ((required ?? minProperties ?? dependentRequired ?? partial.oneOf) === undefined) return schema;
  return oneOfToAnyOf(partial);
}

/** XML Objects do not concern clients, and examples are most of a large document. */
function dropUnlistedKeywords(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean' || (schema.xml ?? schema.example) === undefined) return schema;
  return omitKeywords(schema, 'xml', ...(schema.example === undefined ? [] : ['example', 'examples']));
}

/** Alternatives of real documents overlap. */
function openAlternatives(schema: JsonSchema): JsonSchema {
  const short = dropRedundantTitles(schema);
  return typeof short === 'boolean' ? short : oneOfToAnyOf(short);
}

export function reportTooManyCopies(
  { input, output }: SchemaViews,
  { origin: at }: SourceModel,
  diagnostics: DiagnosticCollector,
): void {
  if (!input.isTooLarge && !output.isTooLarge) return;
  const problem = `A schema would expand to more than ${MOST_COPIES} schemas, and stays a reference or accepts anything where it is used`;
  diagnostics.report('schema-too-large', { problem }, { at });
}

const kept = new Set('$ref type description properties items prefixItems allOf anyOf deprecated'.split(' '));

type Types = NonNullable<JsonSchemaObject['type']>;

/** Type lists of loosened types. These objects are shared, which tells an added type from one of the document. */
const drifting: Record<Exclude<JsonType, 'null'>, JsonType[]> = {
  object: ['object', 'null'],
  array: ['array', 'null'],
  string: ['string', 'null'],
  number: ['number', 'string', 'null'],
  integer: ['integer', 'string', 'null'],
  boolean: ['boolean', 'string', 'null'],
};

/** Whether the document accepts only objects, before null was added. */
export function isObjectType(type: Types): boolean {
  return type === drifting.object || [type].flat().every((typeName) => typeName === 'object');
}

/**
 * Makes output schemas loose: structure and descriptions stay, constraints that real responses may violate go, null is
 * accepted everywhere, and text in the place of a number or boolean. Only listed keywords are kept, so unknown ones cannot fail a call. `false` would
 * refuse every response, so it becomes `true`.
 */
export const loosenOutputSchema: SchemaRewrite = (schema) => {
  if (typeof schema === 'boolean') return true;
  const keywords = Object.keys(schema);
  if (schema.type === undefined && keywords.every((keyword) => kept.has(keyword))) return schema;
  const loose: JsonSchemaObject = {};
  for (const keyword of keywords) {
    if (kept.has(keyword)) loose[keyword] = schema[keyword];
  }
  if (schema.type !== undefined) loose.type = addDriftTypes(schema.type);
  if (schema.oneOf !== undefined && schema.anyOf === undefined) loose.anyOf = schema.oneOf;
  if (isMapToKeep(schema)) loose.additionalProperties = schema.additionalProperties;
  return loose;
};

/** Real answers contain null, and decimals as text, more often than any other violation. */
function addDriftTypes(type: Types): Types {
  const types = [type].flat();
  const [only, ...moreTypes] = types;
  if (only !== undefined && only !== 'null' && moreTypes.length === 0) return drifting[only];
  const wide = types.flatMap((type) => (type === 'null' ? type : drifting[type]));
  return wide.length === 0 || !Array.isArray(type) ? type : [...new Set(wide)];
}

/** A map keeps its value type. Beside `patternProperties`, which is removed, the keyword would have another meaning. */
function isMapToKeep(
  schema: JsonSchemaObject,
): schema is JsonSchemaObject & { additionalProperties: JsonSchemaObject } {
  return typeof schema.additionalProperties === 'object' && schema.patternProperties === undefined;
}
