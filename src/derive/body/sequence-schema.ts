/** The list that an answer in a sequential media type is collected to (OpenAPI 3.2, "Sequential Media Types"). */
import type { JsonSchema, JsonSchemaObject } from '../../../templates/runtime/contract/json-schema.ts';
import type { ResponseContent } from '../../model/source-model.ts';
import { refName } from '../../model/schema-walk.ts';
import type { SchemaView } from '../schema/schema-view.ts';
import { isEventStream } from './success-response.ts';

/** The schema of the list. What a document says of it is the list's (`itemSchema` of 3.2), or else each item's. */
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

/** An event as the runtime shows it: `event` and `id` where they are given, `data` as the JSON it holds, or as text. */
function eventSchema(item: JsonSchema, view: SchemaView): JsonSchemaObject {
  const data = dataSchema(item, view);
  return {
    type: 'object',
    properties: {
      event: { type: 'string' },
      id: { type: 'string' },
      // Streams end with `[DONE]` and the like.
      data: data === undefined ? {} : { anyOf: [data, { type: 'string' }] },
    },
  };
}

/** Undefined when nothing is known, or when it may differ from event to event. */
function dataSchema(item: JsonSchema, view: SchemaView): JsonSchema | undefined {
  const source = followReferences(item, view);
  if (source === undefined || !isPlainObject(source)) return undefined;
  const { data } = source.properties ?? {};
  // Until 3.1 documents describe what the data holds; since 3.2 the event, with the data's schema in `contentSchema`.
  return data === undefined ? item : typeof data === 'object' ? data.contentSchema : undefined;
}

function isPlainObject(schema: JsonSchemaObject): boolean {
  return schema.type === 'object' && !['anyOf', 'oneOf', 'allOf'].some((keyword) => keyword in schema);
}

/** As the source has it, since views take out `contentSchema`; undefined for what can't be found. */
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
