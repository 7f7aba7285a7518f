import { expect, test } from 'vitest';
import type { ReadOnlyMembers } from '../../../templates/runtime/contract/bindings.ts';
import { withoutReadOnly } from '../../../templates/runtime/schema/repair.ts';
import type { JsonSchema } from '../../../templates/runtime/contract/json-schema.ts';
import type { Operation } from '../../../src/model/source-model.ts';
import { deriveTool, jsonBody, operation } from '../support.ts';

const id: JsonSchema = { type: 'integer', readOnly: true };
const text: JsonSchema = { type: 'string' };
const Node: JsonSchema = {
  type: 'object',
  properties: { id, children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
};
const Owner: JsonSchema = { allOf: [{ type: 'object', properties: { id, mail: text } }] };

function readOnlyOf(
  schema: JsonSchema,
  key = 'POST /',
  more: Partial<Operation> = {},
): ReadOnlyMembers | undefined {
  const { binding } = deriveTool(operation(key, { body: jsonBody(schema), ...more }), {
    schemas: { Node, Owner },
  });
  return binding.kind === 'http' ? binding.body?.readOnly : undefined;
}

test.each<[string, JsonSchema, ReadOnlyMembers | undefined]>([
  ['none', { type: 'object', properties: { a: text } }, undefined],
  ['a property', { type: 'object', properties: { id, a: text } }, { names: ['id'] }],
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
    'values of one part, beside a member of another',
    {
      type: 'object',
      properties: {
        a: { allOf: [{ properties: { b: text } }, { additionalProperties: { properties: { id } } }] },
      },
    },
    { properties: { a: { properties: { b: { names: ['id'] } }, values: { names: ['id'] } } } },
  ],
  [
    'values beside patterns',
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
    'one of some alternatives only',
    { oneOf: [{ type: 'object', properties: { id } }, { type: 'object' }] },
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
  [{ a: null }, { properties: { a: { names: ['id'] } } }, { a: null }],
])('%j without %j', (given, members, want) => {
  const before = structuredClone(given);
  expect(withoutReadOnly(given, members)).toEqual(want);
  expect(given).toEqual(before);
});

test('what has none stays the same object', () => {
  const given = { a: [{ b: 1 }] };
  expect(withoutReadOnly(given, { names: ['id'], properties: { a: { items: { names: ['id'] } } } })).toBe(
    given,
  );
});

test('a body that names read-only members alone has no argument', () => {
  const { inputSchema, binding } = deriveTool(
    operation('POST /', { body: jsonBody({ type: 'object', properties: { id }, required: ['id'] }) }),
  );
  expect(inputSchema.properties).toEqual({});
  expect(binding).toMatchObject({ body: { kind: 'json', properties: [] } });
});
