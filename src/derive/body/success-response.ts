import { mediaTypeEssence } from '../../util/http-syntax.ts';
import type { JsonSchema, JsonSchemaObject } from '../../util/json-schema.ts';
import type { Operation, Response, ResponseContent } from '../../model/source-model.ts';
import type { SchemaView } from '../schema/schema-view.ts';
import { followRefs } from '../../model/schema-walk.ts';

/**
 * Lists the success responses, the preferred first: `200` › `201` › other 2xx › `2XX`; `default` only if no success
 * is described.
 */
export function successResponses({ responses }: Operation): Response[] {
  const successes = responses.filter(
    ({ status }) => status.startsWith('2') && /^2(?:\d\d|xx)$/i.test(status),
  );
  if (successes.length === 0) return responses.filter(({ status }) => status === 'default');
  if (successes.length === 1) return successes;
  return successes
    .map((response, index) => ({ response, index, rank: rankStatus(response) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ response }) => response);
}

function rankStatus({ status }: Response): number {
  if (status === '200') return 0;
  if (status === '201') return 1;
  return /^2\d\d$/.test(status) ? 2 : 3;
}

export function successContent(operation: Operation): ResponseContent[] {
  return successResponses(operation).find(({ content }) => content.length > 0)?.content ?? [];
}

export function listSuccessMediaTypes(operation: Operation): string[] {
  const successes = successResponses(operation);
  const ordered =
    successes.length < 2 ? successes : operation.responses.filter((response) => successes.includes(response));
  return [...new Set(ordered.flatMap(({ content }) => content.map(({ mediaType }) => mediaType)))];
}

/**
 * Returns the schema of the list in which the runtime collects a sequential response (OpenAPI 3.2, "Sequential Media
 * Types"). A document describes the list (`itemSchema` of 3.2) or each of its items.
 */
export function makeSequenceListSchema(
  { mediaType, schema = {} }: ResponseContent,
  view: SchemaView,
): JsonSchemaObject {
  const items = itemsOfListSchema(schema) ?? schema;
  return {
    type: 'array',
    items: mediaTypeEssence(mediaType) === 'text/event-stream' ? eventSchema(items, view) : items,
  };
}

function itemsOfListSchema(schema: JsonSchema): JsonSchema | undefined {
  if (typeof schema === 'boolean' || schema.type !== 'array') return undefined;
  return schema.items ?? true;
}

/** An event as the runtime returns it: `event` and `id` if given, and `data` parsed as JSON, else as text. */
function eventSchema(item: JsonSchema, view: SchemaView): JsonSchemaObject {
  const data = makeEventDataSchema(item, view);
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

/** Returns the schema of an event's data; undefined if the type is unknown, or may differ between events. */
function makeEventDataSchema(item: JsonSchema, view: SchemaView): JsonSchema | undefined {
  // Views remove `contentSchema`, so the source's own schema is read.
  const source = followRefs(item, view.pool);
  if (
    source === undefined ||
    !(source.type === 'object' && !['anyOf', 'oneOf', 'allOf'].some((keyword) => keyword in source))
  )
    return undefined;
  const { data } = source.properties ?? {};
  // Until OpenAPI 3.1 documents describe the data; since 3.2 the event, with the data's schema in `contentSchema`.
  return data === undefined ? item : typeof data === 'object' ? data.contentSchema : undefined;
}
