import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DeriveOptions } from '../../../src/derive/index.ts';
import type { Response } from '../../../src/model/source-model.ts';
import type { JsonSchema, JsonSchemaObject } from '../../../src/util/json-schema.ts';
import { derive, deriveTool, operation, response, source } from '../support.ts';

const json = 'application/json';
const outputOf = (
  responses: Response[],
  options: DeriveOptions = {},
  schemas: Record<string, JsonSchema> = {},
) => withoutResponse(deriveTool(operation('GET /x', { responses }), { schemas }, options).outputSchema);

/** What the document describes. */
function withoutResponse(schema: JsonSchemaObject | undefined): JsonSchemaObject | undefined {
  if (schema?.properties === undefined) return schema;
  const { properties, ...rest } = schema;
  const described = Object.fromEntries(Object.entries(properties).filter(([name]) => name !== '_response'));
  return Object.keys(described).length === 0 ? rest : { ...rest, properties: described };
}

const loose = (schema: JsonSchema, schemas: Record<string, JsonSchema> = {}) =>
  outputOf([response('200', json, schema)], {}, schemas);
const strict = (schema: JsonSchema, schemas: Record<string, JsonSchema> = {}) =>
  outputOf([response('200', json, schema)], { outputSchema: 'strict' }, schemas);

const named = (name: string): JsonSchemaObject => ({ type: 'object', properties: { [name]: {} } });

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
  ['no schema', [response('200', json)], undefined],
  ['anything', [response('200', json, {})], undefined],
])('success: %s', (_what, given, want) => {
  expect(outputOf(given)).toEqual(want);
});

const ndjson = 'application/x-ndjson';
const events = 'text/event-stream';
const listOf = (items: unknown) => ({ type: 'object', properties: { result: { type: 'array', items } } });
const eventOf = (data: unknown) => ({
  type: 'object',
  properties: { event: { type: 'string' }, id: { type: 'string' }, data },
});
const orText = (data: unknown) => ({ anyOf: [data, { type: 'string' }] });
/** As OpenAPI 3.2 describes an event. */
const described = (data: JsonSchemaObject): JsonSchemaObject => ({
  type: 'object',
  properties: { event: { const: 'x' }, data },
});

test.each<[string, Response, unknown]>([
  ['lines', response('200', ndjson, named('a')), listOf(named('a'))],
  ['lines, as a list', response('200', ndjson, { type: 'array', items: named('a') }), listOf(named('a'))],
  ['lines of which nothing is said', response('200', ndjson), listOf({})],
  ['a sequence of RFC 7464', response('200', 'application/geo+json-seq', named('a')), listOf(named('a'))],
  ['events, their data described', response('200', events, named('a')), listOf(eventOf(orText(named('a'))))],
  ['events of which nothing is said', response('200', events), listOf(eventOf({}))],
  [
    'events, described themselves',
    response('200', events, {
      type: 'array',
      items: described({
        type: 'string',
        contentMediaType: 'application/json',
        contentSchema: { $ref: '#/$defs/A' },
      }),
    }),
    { ...listOf(eventOf(orText({ $ref: '#/$defs/A' }))), $defs: { A: named('a') } },
  ],
])('a sequence: %s', (_what, given, want) => {
  const output = deriveTool(operation('GET /x', { responses: [given] }), { schemas: { A: named('a') } });
  expect(
    JSON.parse(
      JSON.stringify(withoutResponse(output.outputSchema)).replaceAll(
        /\["(object|array|string)","null"\]/g,
        '"$1"',
      ),
    ),
  ).toEqual(want);
  expect(output.binding).toMatchObject({ result: { wrapped: true } });
});

const string = { type: 'string' } as const;
/** Output schema of a document's `type`. */
const orNull = (type: string) => ({
  type: ['number', 'integer', 'boolean'].includes(type) ? [type, 'string', 'null'] : [type, 'null'],
});
const wrapped = (result: unknown) => ({ type: 'object', properties: { result } });

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
        id: { ...orNull('integer'), description: 'Its number.' },
        name: orNull('string'),
        tags: { type: ['array', 'null'], items: {} },
      },
    },
  ],
  [
    'oneOf becomes anyOf',
    { type: 'object', properties: { a: { oneOf: [{ type: 'string', maxLength: 1 }] } } },
    { type: 'object', properties: { a: { anyOf: [orNull('string')] } } },
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
    { type: 'object', additionalProperties: orNull('string') },
  ],
  ['no type but properties', { properties: { a: {} } }, { type: 'object', properties: { a: {} } }],
  ['writeOnly goes', { type: 'object', properties: { a: {}, secret: { writeOnly: true } } }, named('a')],
  [
    'an array',
    { type: 'array', items: { type: 'string' } },
    wrapped({ type: ['array', 'null'], items: orNull('string') }),
  ],
  ['a scalar', { type: 'string', format: 'date' }, wrapped(orNull('string'))],
  ['a nullable object', { type: ['object', 'null'] }, wrapped({ type: ['object', 'null'] })],
  [
    'a union of objects',
    { description: 'Either.', oneOf: [named('a'), named('b')] },
    { type: 'object', description: 'Either.', properties: { a: {}, b: {} } },
  ],
  [
    'a union with a scalar',
    { oneOf: [named('a'), string] },
    wrapped({ anyOf: [{ ...named('a'), ...orNull('object') }, orNull('string')] }),
  ],
  [
    'what a branch leaves open is open',
    { anyOf: [{ properties: { a: { type: 'string', description: 'An a.' }, b: string } }, named('c')] },
    { type: 'object', properties: { a: { description: 'An a.' }, b: {}, c: {} } },
  ],
  [
    'what the branches agree on, and what they don’t',
    {
      anyOf: [
        { properties: { a: string, b: string } },
        { allOf: [{ properties: { a: string } }, { properties: { b: { type: 'integer' } } }] },
      ],
    },
    {
      type: 'object',
      properties: { a: orNull('string'), b: { anyOf: [orNull('string'), orNull('integer')] } },
    },
  ],
  ['an allOf of others', { allOf: [{ type: 'string' }] }, wrapped({ allOf: [orNull('string')] })],
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

test.each<['loose' | 'strict', string[], string]>([
  ['loose', ['a'], '_response'],
  ['strict', ['a'], '_response'],
  ['loose', ['_response'], '_response_2'],
  ['loose', ['_response_2'], '_response'],
  ['strict', ['_response', '_response_2'], '_response_3'],
])('%s: beside %j the API says more in %s', (outputSchema, names, want) => {
  const properties = Object.fromEntries(names.map((each) => [each, {}]));
  const responses = [response('200', json, { type: 'object', additionalProperties: false, properties })];
  const listed = deriveTool(operation('GET /x', { responses }), {}, { outputSchema }).outputSchema;
  expect(Object.keys(listed?.properties ?? {})).toEqual([...names, want]);
  expect(listed?.properties?.[want]).toMatchObject({
    type: 'object',
    properties: { headers: {}, next: {}, notes: {}, drifted: {} },
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

test.each<[string, string, JsonSchema, number]>([
  ['204', 'an object', { type: 'object', required: ['a'], minProperties: 1 }, 0],
  ['205', 'a list', { type: 'array' }, 0],
  ['201', 'a reference', { $ref: '#/$defs/Pet' }, 0],
  ['202', 'an object', { type: 'object', required: ['a'] }, 0],
  ['304', 'an object', { type: 'object', required: ['a'] }, 1],
])('strict: beside an empty %s, %s requires nothing if that is no error', (status, _, schema, required) => {
  const responses = [response('200', json, schema), response(status)];
  const listed = outputOf(responses, { outputSchema: 'strict' }, pool);
  expect(listed).toMatchObject({ type: 'object' });
  expect(listed?.required ?? []).toHaveLength(required);
  expect(listed).not.toHaveProperty('minProperties');
});

test('a union of references is drawn together, also where it comes back to itself', () => {
  const schemas: Record<string, JsonSchema> = {
    Cat: { type: 'object', properties: { kind: { const: 'cat' }, kitten: { $ref: '#/$defs/Animal' } } },
    Dog: { type: 'object', properties: { kind: { const: 'dog' } }, required: ['kind'] },
    Animal: { oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }] },
    Loop: { anyOf: [{ $ref: '#/$defs/Loop' }, { type: 'object' }] },
  };
  expect(strict({ $ref: '#/$defs/Animal' }, schemas)).toEqual({
    type: 'object',
    properties: { kind: { anyOf: [{ const: 'cat' }, { const: 'dog' }] }, kitten: {} },
  });
  expect(strict({ $ref: '#/$defs/Loop' }, schemas)).toMatchObject({ properties: { result: {} } });
});

const property = fc.constantFrom<JsonSchema>(string, { type: 'integer' }, {}, { enum: ['x', 1] });
const plain = fc
  .record({
    properties: fc.dictionary(fc.constantFrom('a', 'b'), property),
    required: fc.subarray(['a', 'b']),
    closed: fc.boolean(),
    typed: fc.boolean(),
  })
  .map(({ closed, typed, ...rest }): JsonSchema => ({
    ...rest,
    ...(closed ? { additionalProperties: false } : {}),
    ...(typed ? { type: 'object' } : {}),
  }));
const composed = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    plain,
    fc.constantFrom<JsonSchema>({ required: ['a'] }, string, {}),
    fc
      .tuple(
        fc.constantFrom('allOf', 'anyOf', 'oneOf'),
        fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        fc.option(plain),
      )
      .map(([keyword, list, own]) => ({ ...(typeof own === 'object' ? own : {}), [keyword]: list })),
  ),
})).schema;
const answer = fc.oneof(
  fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y', 1, null, true)),
  fc.constantFrom('x', 1, null),
);

test.each(['loose', 'strict'] as const)('%s: what the document accepts conforms', (outputSchema) => {
  const ajv = new Ajv2020({ strict: false });
  fc.assert(
    fc.property(composed, fc.array(answer, { minLength: 5, maxLength: 10 }), (schema, answers) => {
      const { outputSchema: output, binding } = deriveTool(
        operation('GET /x', { responses: [response('200', json, schema)] }),
        {},
        { outputSchema },
      );
      if (output === undefined) return;
      const isWrapped = binding.kind === 'http' && binding.result?.wrapped === true;
      const [accepts, conforms] = [ajv.compile(schema), ajv.compile(output)];
      // Properties without a type are those of an object: another answer is drift, and told at run time.
      for (const value of answers.filter((each) => accepts(each) && (isWrapped || isObject(each)))) {
        expect(conforms(isWrapped ? { result: value } : value)).toBe(true);
      }
    }),
    { numRuns: 400 },
  );
});

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

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

test('declared headers are told in the binding by status, unless they are always shown or never', () => {
  const headers = ['x-cost', 'etag', 'location', 'x-ratelimit-limit', 'set-cookie'].map((name) => ({
    name,
    schema: {},
  }));
  const responses = [
    { ...response('200'), headers },
    { ...response('4XX'), headers: headers.slice(1) },
  ];
  expect(deriveTool(operation('GET /x', { responses })).binding).toMatchObject({
    result: { headers: { 200: ['x-cost', 'etag'], '4XX': ['etag'] } },
  });
  expect(deriveTool(operation('HEAD /x', { responses })).binding).not.toHaveProperty('result');
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
        responses: [
          response('200', json, {
            type: 'object',
            properties: { a: { $ref: '#/$defs/Large' }, b: { $ref: '#/$defs/Small' } },
          }),
        ],
      }),
    ],
    { schemas: { Large: large, Small: { type: 'string' } } },
  );
  const size = JSON.stringify(withoutResponse(derive(given).model.tools[0]?.outputSchema)).length;
  expect(derive(given, { outputSchemaLimit: size }).problems).toEqual([]);
  const { model, problems } = derive(given, { outputSchemaLimit: size - 1 });
  expect(problems).toEqual(['output-schema-left-out']);
  expect(model.tools[0]).not.toHaveProperty('outputSchema');
});

test('a loose schema accepts null wherever a value was promised', () => {
  const promised: JsonSchema = {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      both: { type: ['string', 'number'] },
      tags: { type: 'array', items: { type: 'string' } },
      pet: { $ref: '#/$defs/Pet' },
      pair: { type: 'array', prefixItems: [{ type: 'boolean' }] },
      map: { type: 'object', additionalProperties: { type: 'number' } },
      either: { allOf: [{ $ref: '#/$defs/Pet' }, { oneOf: [{ type: ['object'] }, { type: 'object' }] }] },
    },
  };
  const validate = new Ajv2020({ strict: false }).compile(loose(promised, pool) ?? {});
  for (const given of [
    { id: null, both: null, tags: null, pet: null, pair: null, map: null, either: null },
    { tags: [null], pet: { id: null, friend: null }, pair: [null], map: { a: null } },
  ]) {
    expect(validate(given)).toBe(true);
  }
  expect(validate(null)).toBe(false);
});

test('only a null that the document allows makes an answer something else than an object', () => {
  expect(loose({ type: ['object'], properties: {} })).toEqual({ type: 'object' });
  expect(loose({ type: ['null', 'object'] })).toEqual(wrapped({ type: ['null', 'object'] }));
});
