import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { DeriveOptions } from '../../src/derive/index.ts';
import type { Response } from '../../src/model/source-model.ts';
import type { JsonSchema } from '../../templates/runtime/schema/json-schema.ts';
import { derive, deriveTool, operation, response, source } from './support.ts';

const json = 'application/json';
const outputOf = (
  responses: Response[],
  options: DeriveOptions = {},
  schemas: Record<string, JsonSchema> = {},
) => deriveTool(operation('GET /x', { responses }), { schemas }, options).outputSchema;
const loose = (schema: JsonSchema, schemas: Record<string, JsonSchema> = {}) =>
  outputOf([response('200', json, schema)], {}, schemas);
const strict = (schema: JsonSchema, schemas: Record<string, JsonSchema> = {}) =>
  outputOf([response('200', json, schema)], { outputSchema: 'strict' }, schemas);

const named = (name: string): JsonSchema => ({ type: 'object', properties: { [name]: {} } });

test.each<[string, Response[], unknown]>([
  ['200 before 201', [response('201', json, named('b')), response('200', json, named('a'))], named('a')],
  ['201 before 202', [response('202', json, named('b')), response('201', json, named('a'))], named('a')],
  ['202 before 2XX', [response('2XX', json, named('b')), response('202', json, named('a'))], named('a')],
  ['2XX', [response('2XX', json, named('a')), response('default', json, named('b'))], named('a')],
  ['default alone', [response('default', json, named('a')), response('404', json, named('b'))], named('a')],
  ['an error is no success', [response('204'), response('default', json, named('a'))], undefined],
  ['no content', [response('204')], undefined],
  ['content of the next success', [response('200'), response('201', json, named('a'))], named('a')],
  ['a vendor’s JSON', [response('200', 'application/vnd.x+json; v=1', named('a'))], named('a')],
  ['XML', [response('200', 'application/xml', named('a'))], undefined],
  ['an event stream', [response('200', 'text/event-stream', named('a'))], undefined],
  ['JSON lines', [response('200', 'application/x-ndjson', named('a'))], undefined],
  ['no schema', [response('200', json)], undefined],
  ['anything', [response('200', json, {})], undefined],
])('success: %s', (_what, given, want) => {
  expect(outputOf(given)).toEqual(want);
});

test('JSON is taken among other media types, and all are accepted', () => {
  const content = [{ mediaType: 'text/event-stream' }, { mediaType: json, schema: named('a') }];
  const { outputSchema, binding } = deriveTool(
    operation('GET /x', { responses: [{ ...response('200'), content }, response('404', 'text/plain')] }),
  );
  expect(outputSchema).toEqual(named('a'));
  expect(binding).toMatchObject({ result: { accept: ['text/event-stream', json] } });
});

const wrapped = (result: JsonSchema) => ({ type: 'object', properties: { result } });

test.each<[string, JsonSchema, unknown]>([
  [
    'assertions go',
    {
      type: 'object',
      title: 'Pet',
      description: 'A pet.',
      required: ['id'],
      additionalProperties: false,
      unevaluatedProperties: false,
      minProperties: 1,
      dependentRequired: { id: ['name'] },
      propertyNames: { pattern: 'x' },
      if: { required: ['id'] },
      then: { required: ['name'] },
      properties: {
        id: { type: 'integer', minimum: 1, format: 'int64', description: 'Its number.' },
        name: { type: 'string', pattern: '^x', minLength: 1, enum: ['x'], default: 'x' },
        tags: { type: 'array', items: { const: 1 }, uniqueItems: true, minItems: 1, contains: {} },
      },
    },
    {
      type: 'object',
      description: 'A pet.',
      properties: {
        id: { type: 'integer', description: 'Its number.' },
        name: { type: 'string' },
        tags: { type: 'array', items: {} },
      },
    },
  ],
  [
    'oneOf becomes anyOf',
    { type: 'object', properties: { a: { oneOf: [{ type: 'string', maxLength: 1 }] } } },
    { type: 'object', properties: { a: { anyOf: [{ type: 'string' }] } } },
  ],
  [
    'not goes',
    { type: 'object', properties: { a: { not: { type: 'string' } } } },
    { type: 'object', properties: { a: {} } },
  ],
  ['false opens', { type: 'object', properties: { a: false } }, named('a')],
  ['true is an object', { type: 'object', properties: { a: true } }, named('a')],
  [
    'a map keeps its values',
    { type: 'object', additionalProperties: { type: 'string', enum: ['x'] } },
    { type: 'object', additionalProperties: { type: 'string' } },
  ],
  [
    'a map beside patterns',
    { type: 'object', additionalProperties: { type: 'string' }, patternProperties: { x: {} } },
    { type: 'object' },
  ],
  ['no type but properties', { properties: { a: {} } }, { type: 'object', properties: { a: {} } }],
  ['writeOnly goes', { type: 'object', properties: { a: {}, secret: { writeOnly: true } } }, named('a')],
  [
    'an array',
    { type: 'array', items: { type: 'string' } },
    wrapped({ type: 'array', items: { type: 'string' } }),
  ],
  ['a scalar', { type: 'string', format: 'date' }, wrapped({ type: 'string' })],
  ['a nullable object', { type: ['object', 'null'] }, wrapped({ type: ['object', 'null'] })],
  ['a union', { oneOf: [named('a'), named('b')] }, wrapped({ anyOf: [named('a'), named('b')] })],
  [
    'an allOf of objects',
    { allOf: [named('a'), named('b')] },
    { type: 'object', properties: { a: {}, b: {} } },
  ],
  ['an allOf of others', { allOf: [{ type: 'string' }] }, wrapped({ allOf: [{ type: 'string' }] })],
  ['an enum without a type', { enum: ['a'] }, undefined],
])('loose: %s', (_what, given, want) => {
  expect(loose(given)).toEqual(want);
});

const pool: Record<string, JsonSchema> = {
  Pet: {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      secret: { type: 'string', writeOnly: true },
      friend: { $ref: '#/$defs/Pet' },
    },
    required: ['id', 'secret'],
  },
};

test('a reference at the top is written out, and kept where it recurs', () => {
  const pet = { type: 'object', properties: { id: { type: 'integer' }, friend: { $ref: '#/$defs/Pet' } } };
  expect(loose({ $ref: '#/$defs/Pet' }, pool)).toEqual({ ...pet, $defs: { Pet: pet } });
});

test('a reference with words beside it is an object too', () => {
  expect(loose({ $ref: '#/$defs/Pet', description: 'The pet.' }, pool)).toMatchObject({
    type: 'object',
    description: 'The pet.',
    properties: { id: { type: 'integer' } },
  });
});

test('strict keeps the document’s assertions, less what is writeOnly', () => {
  expect(strict({ $ref: '#/$defs/Pet' }, pool)).toMatchObject({
    required: ['id'],
    $defs: { Pet: { required: ['id'] } },
  });
  expect(strict({ type: 'array', minItems: 1 })).toEqual({
    type: 'object',
    properties: { result: { type: 'array', minItems: 1 } },
    required: ['result'],
  });
});

test('strict keeps what accepts nothing, as an object', () => {
  expect(strict({ type: 'object', properties: { a: false, b: true } })).toEqual({
    type: 'object',
    properties: { a: { not: {} }, b: {} },
  });
});

test('off leaves output schemas out, and nothing is wrapped', () => {
  const tool = deriveTool(
    operation('GET /x', { responses: [response('200', json, { type: 'array' })] }),
    {},
    { outputSchema: 'off' },
  );
  expect(tool).not.toHaveProperty('outputSchema');
  expect(tool.binding).toMatchObject({ result: { accept: [json] } });
  expect(tool.binding).not.toHaveProperty('result.wrapped');
});

test('a wrapped answer is told in the binding', () => {
  const tool = deriveTool(operation('GET /x', { responses: [response('200', json, { type: 'array' })] }));
  expect(tool.binding).toMatchObject({ result: { wrapped: true } });
});

test('above the limit there is none, and it is said', () => {
  const large: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`property${index}`, { type: 'string' }]),
    ),
  };
  const given = source(
    [
      operation('GET /x', {
        operationId: 'x',
        responses: [response('200', json, { type: 'object', properties: { a: { $ref: '#/$defs/Large' } } })],
      }),
    ],
    { schemas: { Large: large } },
  );
  const size = JSON.stringify(derive(given).model.tools[0]?.outputSchema).length;
  expect(derive(given, { outputSchemaLimit: size }).problems).toEqual([]);
  const { model, problems } = derive(given, { outputSchemaLimit: size / 2 });
  expect(problems).toEqual(['output-schema-too-large']);
  expect(model.tools[0]).not.toHaveProperty('outputSchema');
});

test('a loose schema accepts what a real API answers instead', () => {
  const schema = loose({ $ref: '#/$defs/Pet' }, pool) ?? {};
  const validate = new Ajv2020().compile(schema);
  expect(validate({ unknown: true, friend: {} })).toBe(true);
});
