/** What stands in for schemas that found no room in `mock.json`. */
import { expect, test } from 'vitest';
import type { JsonSchema, JsonSchemaObject } from '../../../templates/runtime/contract/json-schema.ts';
import { defaultUpstreamLimits } from '../../../templates/runtime/contract/feature.ts';
import { mockAnswer } from '../../../templates/runtime/upstream/mock-client.ts';

const lost = { $ref: '#/$defs/Lost' };
const kept: JsonSchema = { type: 'object', properties: { own: { const: 1 } }, required: ['own'] };
const listing: JsonSchemaObject = {
  type: 'object',
  properties: { listed: { const: 2 } },
  required: ['listed'],
};

test.each<[string, JsonSchema | undefined, JsonSchemaObject | undefined, unknown]>([
  ['all is kept', { $ref: '#/$defs/Kept' }, listing, { own: 1 }],
  ['the schema is left out, and none is listed', lost, undefined, {}],
  ['that of its items is left out, and none is listed', { type: 'array', items: lost }, undefined, [{}]],
  ['the schema is left out', lost, listing, { listed: 2 }],
  ['one that it refers to is left out', { $ref: '#/$defs/Half' }, listing, { listed: 2 }],
  ['no schema was kept', undefined, listing, { listed: 2 }],
])('an answer where %s', (_what, schema, listed, want) => {
  const half: JsonSchema = { type: 'object', properties: { lost } };
  const answer = { status: 200, mediaType: 'application/json', ...(schema === undefined ? {} : { schema }) };
  const mock = { answers: { 'GET /': answer }, examples: [], schemas: { Kept: kept, Half: half } };
  const seen = listed && { schema: listed, isValid: () => true };
  const { body } = mockAnswer(mock, 'GET /', {}, seen, defaultUpstreamLimits);
  expect(JSON.parse(body.toString())).toEqual(want);
});
