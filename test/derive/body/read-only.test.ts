import { dropReadOnly } from '../../../templates/runtime/features/read-only-members.ts';
import { expect, test } from 'vitest';
import type { ReadOnlyMembers } from '../../../src/model/bindings.ts';
import type { JsonSchema } from '../../../src/util/json-schema.ts';
import type { Operation } from '../../../src/model/source-model.ts';
import { deriveTool, jsonBody, operation } from '../support.ts';

const id: JsonSchema = { type: 'integer', readOnly: true };
const text: JsonSchema = { type: 'string' };
const Node: JsonSchema = {
  type: 'object',
  properties: { id, children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
};
const Owner: JsonSchema = { allOf: [{ type: 'object', properties: { id, mail: text } }] };

const Ring: JsonSchema = { type: 'object', properties: { ring: { $ref: '#/$defs/Ring' } } };

function readOnlyOf(
  schema: JsonSchema,
  key = 'POST /',
  more: Partial<Operation> = {},
): ReadOnlyMembers | undefined {
  const { binding } = deriveTool(operation(key, { body: jsonBody(schema), ...more }), {
    schemas: { Node, Owner, Ring, Kind: { type: 'string', enum: ['d'] } },
  });
  return binding.kind === 'http' ? binding.body?.readOnly : undefined;
}

test.each<[string, JsonSchema, ReadOnlyMembers | undefined]>([
  ['none', { type: 'object', properties: { a: text } }, undefined],
  ['a property', { type: 'object', properties: { id, a: text } }, { names: ['id'] }],
  [
    'a member beside references that lead in a circle, which has none',
    { type: 'object', properties: { ring: { $ref: '#/$defs/Ring' }, owner: { $ref: '#/$defs/Owner' } } },
    { properties: { owner: { names: ['id'] } } },
  ],
  [
    'a member of a property, under its argument',
    { type: 'object', properties: { 'the owner': { $ref: '#/$defs/Owner' } } },
    { properties: { the_owner: { names: ['id'] } } },
  ],
  [
    'members of the items of a whole body',
    { type: 'array', items: { $ref: '#/$defs/Owner' } },
    { properties: { body: { items: { names: ['id'] } } } },
  ],
  [
    'members of the values of a map',
    { type: 'object', properties: { byName: { additionalProperties: { $ref: '#/$defs/Owner' } } } },
    { properties: { byName: { values: { names: ['id'] } } } },
  ],
  [
    'values beside named members',
    {
      type: 'object',
      properties: { a: { properties: { b: text }, additionalProperties: { properties: { id } } } },
    },
    { properties: { a: { properties: { b: {} }, values: { names: ['id'] } } } },
  ],
  [
    'no values beside patterns',
    {
      type: 'object',
      properties: { a: { patternProperties: { '^b': text }, additionalProperties: { properties: { id } } } },
    },
    undefined,
  ],
  [
    'the only alternative that has members',
    { type: 'object', properties: { owner: { anyOf: [{ $ref: '#/$defs/Owner' }, { type: 'null' }, text] } } },
    { properties: { owner: { names: ['id'] } } },
  ],
  [
    'all alternatives',
    {
      oneOf: [
        { type: 'object', properties: { id } },
        { type: 'object', properties: { id, a: text } },
      ],
    },
    { properties: { body: { names: ['id'] } } },
  ],
  [
    'one of some alternatives only, where another one may have it',
    { oneOf: [{ type: 'object', properties: { id } }, { type: 'object' }] },
    undefined,
  ],
  [
    'one of some alternatives only, where no other has it',
    {
      oneOf: [
        { type: 'object', properties: { id } },
        { type: 'object', properties: { a: text } },
      ],
    },
    { properties: { body: { names: ['id'] } } },
  ],
  [
    'inside a member of some alternatives',
    {
      anyOf: [
        {
          type: 'object',
          properties: { owner: { $ref: '#/$defs/Owner' }, tags: { items: { properties: { id } } } },
        },
        { type: 'object', properties: { owner: { $ref: '#/$defs/Owner' } } },
        { type: 'object', properties: { owner: text, a: text } },
      ],
    },
    {
      properties: { body: { properties: { owner: { names: ['id'] }, tags: { items: { names: ['id'] } } } } },
    },
  ],
  [
    'alternatives that differ, by their tags',
    {
      oneOf: [
        { type: 'object', properties: { kind: { const: 'a' }, id } },
        { type: 'object', properties: { kind: { enum: ['b', 'c'] }, id: text } },
        { type: 'object', properties: { kind: { $ref: '#/$defs/Kind' }, id: { properties: { id } } } },
      ],
    },
    { properties: { body: { properties: { id: { names: ['id'] } } } } },
  ],
  [
    'alternatives that nothing tells apart',
    {
      oneOf: [
        { type: 'object', properties: { id } },
        { type: 'object', properties: { id: text } },
      ],
    },
    undefined,
  ],
])('read-only members are known: %s', (_, schema, want) => {
  expect(readOnlyOf(schema)).toEqual(want);
});

test('a recursive schema ends', () => {
  expect(JSON.stringify(readOnlyOf({ $ref: '#/$defs/Node' })).match(/"names"/g)).toHaveLength(3);
});

test('a path variable of the same name is an argument', () => {
  expect(readOnlyOf({ type: 'object', properties: { id, a: text } }, 'PUT /pets/{id}')).toBeUndefined();
});

test.each<[unknown, ReadOnlyMembers, unknown]>([
  [{ id: 1, a: 2 }, { names: ['id'] }, { a: 2 }],
  [{ a: [{ id: 1, b: 2 }, 3] }, { properties: { a: { items: { names: ['id'] } } } }, { a: [{ b: 2 }, 3] }],
  [
    { a: { k: { id: 1, b: 2 } } },
    { properties: { a: { values: { names: ['id'] } } } },
    { a: { k: { b: 2 } } },
  ],
  [
    { b: { id: 1 }, c: { id: 1 } },
    { properties: { b: {} }, values: { names: ['id'] } },
    { b: { id: 1 }, c: {} },
  ],
])('%j without %j', (given, members, want) => {
  const before = structuredClone(given);
  expect(dropReadOnly(given, members)).toEqual(want);
  expect(given).toEqual(before);
});

test('a body that names read-only members alone has no argument', () => {
  const { inputSchema, binding } = deriveTool(
    operation('POST /', { body: jsonBody({ type: 'object', properties: { id }, required: ['id'] }) }),
  );
  expect(inputSchema.properties).toEqual({});
  expect(binding).toMatchObject({ body: { kind: 'json', properties: [] } });
});
