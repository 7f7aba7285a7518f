/** Compositions of arguments, as documents mean them, and values that the tool takes or refuses. */
import { expect, test } from 'vitest';
import type { JsonSchema, JsonSchemaObject } from '../../../src/util/json-schema.ts';
import { compileSchema } from '../../../templates/runtime/validate.ts';
import { deriveTool, media, operation, origin } from '../support.ts';

const text = { type: 'string' } as const;
const closed = (name: string): JsonSchemaObject => ({
  type: 'object',
  additionalProperties: false,
  required: [name],
  properties: { [name]: text },
});
const open = (required: string[], ...names: string[]): JsonSchemaObject => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
  ...(required.length > 0 && { required }),
});
const both = { allOf: [closed('a'), closed('b')] };

/** In a list, so that the body is one argument. */
function accepts(schema: JsonSchema, value: unknown): boolean {
  const schemas = { Base: closed('a') };
  const body = {
    origin,
    required: true,
    content: [media('application/json', { type: 'array', items: schema })],
  };
  const { inputSchema } = deriveTool(operation('POST /x', { body }), { schemas });
  return compileSchema(inputSchema as never)({ body: [value] }).length === 0;
}

test.each<[says: string, schema: JsonSchema, taken: unknown[], refused: unknown[]]>([
  ['closed objects of an allOf', both, [{ a: 'x', b: 'y' }], [{ a: 'x' }, { a: 'x', b: 'y', c: 1 }]],
  [
    'a base by reference, and members beside it',
    { allOf: [{ $ref: '#/$defs/Base' }], type: 'object', properties: { b: text } },
    [{ a: 'x', b: 'y' }],
    [{ b: 'y' }, { a: 'x', c: 1 }],
  ],
  [
    'the fewest members of a closed object',
    {
      allOf: [
        { ...closed('a'), minProperties: 2 },
        { ...open([], 'b'), additionalProperties: false },
      ],
    },
    [{ a: 'x', b: 'y' }],
    [{ a: 'x' }],
  ],
  [
    'closed objects deeper down',
    { type: 'object', properties: { in: both } },
    [{ in: { a: 'x', b: 'y' } }],
    [{ in: { a: 'x' } }],
  ],
  [
    'an enum and a date',
    {
      oneOf: [
        { ...text, enum: ['now', 'next'] },
        { ...text, format: 'date-time' },
      ],
    },
    ['now', '2026-01-01T00:00:00Z'],
    [1],
  ],
  ['a number and an integer', { oneOf: [{ type: 'number' }, { type: 'integer' }] }, [1, 1.5], ['x']],
  [
    'optional members alone',
    { oneOf: [open([], 'limit'), open(['days'], 'days'), open([], 'rules')] },
    [{ limit: 'x' }, { days: 'x' }, { rules: 'x' }],
    ['x'],
  ],
  [
    'members that each need',
    { oneOf: [open(['a'], 'a'), open(['b'], 'b')] },
    [{ a: 'x' }, { b: 'x' }],
    [{}, { a: 'x', b: 'y' }],
  ],
  [
    'a constant of both',
    {
      oneOf: ['cat', 'dog'].map((kind) => ({
        type: 'object',
        required: ['kind'],
        properties: { kind: { const: kind }, [kind]: text },
      })),
    },
    [{ kind: 'cat' }, { kind: 'dog', dog: 'x' }],
    [{ kind: 'cow' }, {}],
  ],
  ['different types', { oneOf: [text, { type: 'array', items: text }] }, ['x', ['x']], [1]],
  [
    'a closed object that names no members beside its base',
    { required: ['b', 'typo'], additionalProperties: false, allOf: [open([], 'a', 'b')] },
    [{ b: 'y', typo: 1 }],
    [{ a: 'x' }, { b: 'y' }, { b: 'y', typo: 1, c: 1 }],
  ],
  [
    'a closed object of a base and of alternatives',
    {
      additionalProperties: false,
      allOf: [{ $ref: '#/$defs/Base' }],
      anyOf: [open(['b'], 'b'), closed('c')],
    },
    [
      { a: 'x', b: 'y' },
      { a: 'x', c: 'y' },
    ],
    [{ a: 'x' }, { a: 'x', b: 'y', d: 1 }],
  ],
  [
    'closed alternatives of a base',
    { allOf: [open([], 'a'), { oneOf: [closed('b'), { allOf: [closed('c'), closed('d')] }] }] },
    [{ a: 'x', b: 'y' }, { b: 'y' }, { a: 'x', c: 'y', d: 'z' }],
    [{ a: 'x' }, { a: 'x', b: 'y', e: 1 }, { c: 'y' }],
  ],
])('%s', (_, schema, taken, refused) => {
  for (const value of taken) expect([value, accepts(schema, value)]).toEqual([value, true]);
  for (const value of refused) expect([value, accepts(schema, value)]).toEqual([value, false]);
});

test('alternatives that can be told apart are listed as the document writes them', () => {
  const listed = (oneOf: JsonSchema[]): unknown => {
    const body = {
      origin,
      required: true,
      content: [media('application/json', { type: 'array', items: { oneOf } })],
    };
    const { inputSchema } = deriveTool(operation('POST /x', { body }));
    return (inputSchema.properties?.body as JsonSchemaObject).items;
  };
  expect(listed([text, { type: 'integer' }])).toEqual({ oneOf: [text, { type: 'integer' }] });
  expect(listed([text, { ...text, format: 'uuid' }])).toEqual({ anyOf: [text, { ...text, format: 'uuid' }] });
});
