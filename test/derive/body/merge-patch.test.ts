// Schema of a merge patch: by RFC 7396 null removes, and no member is required.
import { expect, test } from 'vitest';
import type { RequestBody } from '../../../src/model/source-model.ts';
import type { JsonSchema, JsonSchemaObject } from '../../../src/util/json-schema.ts';
import { deriveTool, media, operation, origin } from '../support.ts';

const text = { type: 'string' } as const;
const textOrNull: JsonSchemaObject = { type: ['string', 'null'] };

const patchOf = (schema: JsonSchema): RequestBody => ({
  origin,
  required: true,
  content: [media('application/merge-patch+json', schema)],
});

function listed(schema: JsonSchema, schemas: Record<string, JsonSchema> = {}) {
  return deriveTool(operation('PATCH /x', { body: patchOf(schema) }), { schemas });
}

test.each<[says: string, property: JsonSchema, want: JsonSchema]>([
  ['a type', { ...text, description: 'A name.' }, { ...textOrNull, description: 'A name.' }],
  ['null already', textOrNull, textOrNull],
  ['an enum', { type: 'string', enum: ['a'] }, { type: ['string', 'null'], enum: ['a', null] }],
  ['a const', { const: 'a', title: 'T' }, { title: 'T', anyOf: [{ const: 'a' }, { type: 'null' }] }],
  ['anything', {}, {}],
  ['a default', { ...text, default: 'x' }, textOrNull],
  [
    'members, at any depth',
    { type: 'object', properties: { a: { type: 'object', properties: { b: text }, required: ['b'] } } },
    {
      type: ['object', 'null'],
      properties: { a: { type: ['object', 'null'], properties: { b: textOrNull } } },
    },
  ],
  [
    'a map',
    { type: 'object', additionalProperties: text, minProperties: 1 },
    { type: ['object', 'null'], additionalProperties: textOrNull },
  ],
  [
    'a closed object',
    { type: 'object', additionalProperties: false },
    { type: ['object', 'null'], additionalProperties: false },
  ],
  [
    'items of a list',
    { type: 'array', items: { type: 'object', properties: { a: text }, required: ['a'] } },
    {
      type: ['array', 'null'],
      items: { type: 'object', properties: { a: text }, required: ['a'] },
    },
  ],
  [
    'one of several',
    {
      oneOf: [
        { properties: { a: text }, required: ['a'] },
        { properties: { b: text }, required: ['b'] },
      ],
    },
    { anyOf: [{ properties: { a: textOrNull } }, { properties: { b: textOrNull } }, { type: 'null' }] },
  ],
])('a member: %s', (_, property, want) => {
  const { properties, required } = listed({
    type: 'object',
    properties: { p: property },
    required: ['p'],
  }).inputSchema;
  expect(properties?.['p']).toEqual(want);
  expect(required).toBeUndefined();
});

test('the description says what null means', () => {
  const { description } = listed({ type: 'object', properties: { a: text } });
  expect(description).toContain(
    'The request body is a merge patch: what is left out stays as it is, null removes it.',
  );
});

test.each([1, 2])('of minProperties (%i), a patch that is not empty remains', (minProperties) => {
  const changes: JsonSchema = { type: 'object', properties: { a: text, b: text }, minProperties };
  const { description, binding } = listed({ $ref: '#/$defs/Changes' }, { Changes: changes });
  expect(description).toContain('The request body needs at least 1 of its properties.');
  expect(binding).toMatchObject({ body: { minProperties: 1 } });
});
