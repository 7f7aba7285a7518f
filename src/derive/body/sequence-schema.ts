/** The list in which the runtime collects a sequential response (OpenAPI 3.2, "Sequential Media Types"). */
import type { JsonSchema, JsonSchemaObject } from '../../../templates/runtime/contract/json-schema.ts';
import type { ResponseContent } from '../../model/source-model.ts';
import { refName } from '../../model/schema-walk.ts';
import type { SchemaView } from '../schema/schema-view.ts';
import { isEventStream } from './success-response.ts';

/** A document describes the list (`itemSchema` of 3.2) or each of its items. */
export function sequenceSchema(
  { mediaType, schema = {} }: ResponseContent,
  view: SchemaView,
): JsonSchemaObject {
  const items = listItems(schema) ?? schema;
  return { type: 'array', items: isEventStream(mediaType) ? eventSchema(items, view) : items };
}

function listItems(schema: JsonSchema): JsonSchema | undefined {
  if (typeof schema === 'boolean' || schema.type !== 'array') return undefined;
  return schema.items ?? true;
}

/** An event as the runtime returns it: `event` and `id` if given, and `data` parsed as JSON, else as text. */
function eventSchema(item: JsonSchema, view: SchemaView): JsonSchemaObject {
  const data = dataSchema(item, view);
  return {
    type: 'object',
    properties: {
      event: { type: 'string' },
      id: { type: 'string' },
      // Streams often end with a marker such as `[DONE]`.
      data: data === undefined ? {} : { anyOf: [data, { type: 'string' }] },
    },
  };
}

/** Undefined if the type is unknown, or may differ between events. */
function dataSchema(item: JsonSchema, view: SchemaView): JsonSchema | undefined {
  const source = followReferences(item, view);
  if (source === undefined || !isPlainObject(source)) return undefined;
  const { data } = source.properties ?? {};
  // Until OpenAPI 3.1 documents describe the data; since 3.2 the event, with the data's schema in `contentSchema`.
  return data === undefined ? item : typeof data === 'object' ? data.contentSchema : undefined;
}

function isPlainObject(schema: JsonSchemaObject): boolean {
  return schema.type === 'object' && !['anyOf', 'oneOf', 'allOf'].some((keyword) => keyword in schema);
}

/** Views remove `contentSchema`, so the source's own schema is read. */
function followReferences(schema: JsonSchema, { pool }: SchemaView): JsonSchemaObject | undefined {
  const seen = new Set<JsonSchema>();
  let current: JsonSchema | undefined = schema;
  while (typeof current === 'object' && current.$ref !== undefined) {
    const name = refName(current.$ref);
    if (name === undefined || seen.has(current)) return undefined;
    seen.add(current);
    current = Object.hasOwn(pool, name) ? pool[name] : undefined;
  }
  return typeof current === 'object' ? current : undefined;
}
