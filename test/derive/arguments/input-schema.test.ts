import { expect, test } from 'vitest';
import type { JsonSchema, JsonSchemaObject } from '../../../src/util/json-schema.ts';
import { deriveTool, jsonBody, operation, parameter } from '../support.ts';

const inputOf = (schema: JsonSchema, schemas: Record<string, JsonSchema> = {}) =>
  deriveTool(operation('POST /x', { body: jsonBody(schema) }), { schemas }).inputSchema;

const flat = (properties: Record<string, JsonSchema>, rest: JsonSchemaObject = {}) => ({
  type: 'object',
  properties,
  ...rest,
  additionalProperties: false,
});
const whole = (schema: JsonSchema, rest: JsonSchemaObject = {}) =>
  flat({ body: schema }, { required: ['body'], ...rest });

const string = { type: 'string' } as const;
const integer = { type: 'integer' } as const;

test.each<[string, JsonSchema, unknown]>([
  [
    'a plain object',
    { type: 'object', properties: { a: string }, required: ['a'] },
    flat({ a: string }, { required: ['a'] }),
  ],
  ['properties without a type', { properties: { a: string } }, flat({ a: string })],
  [
    'a closed object',
    { type: 'object', properties: { a: string }, additionalProperties: false },
    flat({ a: string }),
  ],
  ['an empty closed object', { type: 'object', additionalProperties: false }, flat({})],
  [
    'an allOf of plain objects',
    {
      allOf: [
        { properties: { a: string }, required: ['a'] },
        { type: 'object', properties: { b: integer } },
        { required: ['b'] },
      ],
    },
    flat({ a: string, b: integer }, { required: ['a', 'b'] }),
  ],
  [
    'conflicting properties are both asked for',
    { allOf: [{ properties: { a: string } }, { properties: { a: { minLength: 2 } } }] },
    flat({ a: { allOf: [string, { minLength: 2 }] } }),
  ],
  [
    'the same property twice stands once',
    { allOf: [{ properties: { a: string } }, { properties: { a: { type: 'string' } } }] },
    flat({ a: string }),
  ],
  [
    'required but described nowhere',
    { properties: { a: string }, required: ['b'] },
    flat({ a: string, b: {} }, { required: ['b'] }),
  ],
  ['a free-form object', { type: 'object' }, whole({ type: 'object' })],
  [
    'a map',
    { type: 'object', additionalProperties: string },
    whole({ type: 'object', additionalProperties: string }),
  ],
  [
    'patterns',
    { properties: { a: string }, patternProperties: { x: string } },
    whole({ properties: { a: string }, patternProperties: { x: string } }),
  ],
  [
    'an object closed in full',
    { properties: { a: string }, unevaluatedProperties: false },
    flat({ a: string }),
  ],
  ['a union', { oneOf: [{ properties: { a: string } }] }, whole({ oneOf: [{ properties: { a: string } }] })],
  [
    'a union inside allOf',
    { allOf: [{ properties: { a: string } }, { anyOf: [{ required: ['a'] }] }] },
    whole({ allOf: [{ properties: { a: string } }, { anyOf: [{ required: ['a'] }] }] }),
  ],
  ['an array', { type: 'array', items: string }, whole({ type: 'array', items: string })],
  ['a scalar', string, whole(string)],
  ['anything', true, whole({})],
  ['nothing', false, whole({ not: {} })],
  [
    'booleans among properties are objects, at every depth',
    { type: 'array', items: { properties: { a: true, b: { properties: { c: false } } }, not: true } },
    whole({
      type: 'array',
      items: { properties: { a: {}, b: { properties: { c: { not: {} } } } }, not: true },
    }),
  ],
  ['booleans of a flat body', { properties: { a: true, b: false } }, flat({ a: {}, b: { not: {} } })],
  [
    'a boolean behind a reference stays in $defs',
    { $ref: '#/$defs/Any' },
    whole({ $ref: '#/$defs/Any' }, { $defs: { Any: true } }),
  ],
  [
    'properties named like keywords are data',
    { type: 'object', properties: { $ref: string, nullable: string, properties: string, example: string } },
    flat({ ref: string, nullable: string, properties: string, example: string }),
  ],
])('body: %s', (_what, given, want) => {
  expect(inputOf(given, { Any: true })).toEqual(want);
});

const pool: Record<string, JsonSchema> = {
  Pet: {
    type: 'object',
    properties: { id: { type: 'integer', readOnly: true }, name: string, owner: { $ref: '#/$defs/Owner' } },
    required: ['id', 'name'],
  },
  Owner: {
    type: 'object',
    properties: {
      key: { $ref: '#/$defs/Key' },
      mail: string,
      pets: { type: 'array', items: { $ref: '#/$defs/Pet' } },
    },
    required: ['key'],
  },
  Key: { type: 'string', readOnly: true },
  Unreached: { type: 'string' },
  Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } },
  Circle: { $ref: '#/$defs/Circle' },
  Base: { type: 'object', properties: { id: integer, kind: string }, required: ['id', 'kind'] },
  Derived: { allOf: [{ $ref: '#/$defs/Base' }, { properties: { id: { type: 'integer', readOnly: true } } }] },
};

test('readOnly goes from properties and required, at every depth, and $defs hold what is reached', () => {
  expect(inputOf({ $ref: '#/$defs/Pet' }, pool)).toEqual(
    flat(
      { name: string, owner: { $ref: '#/$defs/Owner' } },
      {
        required: ['name'],
        $defs: {
          Owner: {
            type: 'object',
            properties: { mail: string, pets: { type: 'array', items: { $ref: '#/$defs/Pet' } } },
          },
          Pet: {
            type: 'object',
            properties: { name: string, owner: { $ref: '#/$defs/Owner' } },
            required: ['name'],
          },
        },
      },
    ),
  );
});

test('recursion stays a reference', () => {
  expect(inputOf({ $ref: '#/$defs/Node' }, pool)).toEqual(
    flat({ next: { $ref: '#/$defs/Node' } }, { $defs: { Node: pool['Node'] ?? true } }),
  );
});

test('a key __proto__ stays a key', () => {
  const hostile = JSON.parse(
    '{"type":"array","items":{"type":"object","properties":{"__proto__":{"title":"Proto"},"x":{"readOnly":true}}}}',
  ) as JsonSchema;
  const text = JSON.stringify(inputOf(hostile));
  expect(text).toContain('"properties":{"__proto__":{}}');
});

test.each<[string, Parameters<typeof parameter>, unknown]>([
  [
    'description of the parameter',
    ['query', 'q', string, { description: 'Words.' }],
    { type: 'string', description: 'Words.' },
  ],
  [
    'the parameter’s words win',
    ['query', 'q', { type: 'string', description: 'Old.' }, { description: 'New.' }],
    { type: 'string', description: 'New.' },
  ],
  [
    'beside a reference',
    ['query', 'q', { $ref: '#/$defs/Unreached' }, { description: 'Words.' }],
    { $ref: '#/$defs/Unreached', description: 'Words.' },
  ],
  [
    'deprecated',
    ['query', 'q', string, { deprecated: true, description: 'Use r.' }],
    { type: 'string', description: 'Deprecated. Use r.' },
  ],
  ['default kept', ['query', 'q', { type: 'integer', default: 3 }], { type: 'integer', default: 3 }],
  ['an echoing title goes', ['query', 'petId', { type: 'string', title: 'Pet Id' }], string],
  [
    'HTML',
    ['query', 'q', string, { description: '<p>The <b>query</b>.</p>' }],
    { type: 'string', description: 'The **query**.' },
  ],
  ['anything', ['query', 'q', true], {}],
  ['nothing', ['query', 'q', false], { not: {} }],
  ['anything, with words', ['query', 'q', true, { description: 'Words.' }], { description: 'Words.' }],
  ['content', ['query', 'q', { type: 'object' }, { mediaType: 'application/json' }], { type: 'object' }],
])('parameter: %s', (_what, given, want) => {
  const { inputSchema } = deriveTool(operation('GET /x', { parameters: [parameter(...given)] }), {
    schemas: pool,
  });
  expect(Object.values(inputSchema.properties ?? {})).toEqual([want]);
});
