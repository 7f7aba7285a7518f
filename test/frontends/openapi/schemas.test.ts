/** Schema Objects → JSON Schema 2020-12: given beside want. */
import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../src/util/json-schema.ts';
import { firstOperation, modelOf, openapi, read, withSchema } from './reading.ts';

async function convert(
  schema: unknown,
  version: string,
  schemas: object = {},
): Promise<JsonSchema | undefined> {
  const model = await modelOf(withSchema(schema, schemas, version));
  return firstOperation(model).responses[0]?.content[0]?.schema;
}

const Pet = { type: 'object', properties: { name: { type: 'string' } } };
const ref = { $ref: '#/components/schemas/Pet' };
const wanted = { $ref: '#/$defs/Pet' };

test.each<[what: string, given: object, want: object]>([
  ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
  [
    'nullable enum',
    { type: 'string', nullable: true, enum: ['a'] },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  ['nullable enum that knows null', { nullable: true, enum: ['a', null] }, { enum: ['a', null] }],
  [
    'nullable reference',
    { nullable: true, description: 'D', allOf: [ref] },
    { description: 'D', anyOf: [wanted, { type: 'null' }] },
  ],
  ['nothing but nullable', { nullable: true }, {}],
  [
    'siblings of $ref',
    { ...ref, nullable: true, maxLength: 1, description: 'D' },
    { ...wanted, description: 'D' },
  ],
  [
    'allOf around one reference',
    { allOf: [ref], description: 'D', readOnly: true },
    { ...wanted, description: 'D', readOnly: true },
  ],
  [
    'exclusiveMinimum',
    { type: 'integer', minimum: 1, exclusiveMinimum: true },
    { type: 'integer', exclusiveMinimum: 1 },
  ],
  [
    'OpenAPI-only keywords',
    {
      type: 'string',
      externalDocs: { url: 'u' },
      'x-a': 1,
      deprecated: false,
    },
    { type: 'string' },
  ],
  [
    'the XML Object, for bodies',
    {
      type: 'string',
      xml: { name: 'a', prefix: 'p', namespace: 'urn:n', attribute: true, wrapped: false, 'x-a': 1 },
    },
    { type: 'string', xml: { name: 'a', prefix: 'p', namespace: 'urn:n', attribute: true, wrapped: false } },
  ],
  ['an XML Object that says nothing', { type: 'string', xml: { 'x-a': 1 } }, { type: 'string' }],
  [
    'an XML Object around an allOf of one',
    { allOf: [{ type: 'string', xml: { name: 'a' } }], xml: { name: 'b' } },
    { type: 'string', xml: { name: 'b' } },
  ],
  ['byte', { type: 'string', format: 'byte' }, { type: 'string', contentEncoding: 'base64' }],
  ['binary', { format: 'binary' }, { type: 'string', format: 'binary' }],
  ['file', { type: 'file' }, { type: 'string', format: 'binary' }],
  ['no type with properties', { properties: { a: {} } }, { properties: { a: {} }, type: 'object' }],
  ['no type with items', { items: {} }, { items: {}, type: 'array' }],
  ['idle keywords', { type: 'string', minLength: 0, uniqueItems: true, title: '' }, { type: 'string' }],
  ['required twice', { type: 'object', required: ['a', 'a'] }, { type: 'object', required: ['a'] }],
  ['enum twice', { enum: [1, 1, '1'] }, { enum: [1, '1'] }],
  [
    'enum of numbers as text',
    { type: 'string', enum: [1, true, '1'] },
    { type: 'string', enum: ['1', 'true'] },
  ],
  ['enum of text as numbers', { type: 'integer', enum: ['1', 2] }, { type: 'integer', enum: [1, 2] }],
  ['unknown type', { type: 'datetime', description: 'D', format: 'x' }, { description: 'D', format: 'x' }],
  ['faulty bounds', { type: 'string', minLength: '1', maxLength: 2.5, pattern: 3 }, { type: 'string' }],
  ['unusable pattern', { type: 'string', pattern: '(' }, { type: 'string' }],
  ['text that is not clean', { description: ' a\u0000b\r\nc\ud800 ' }, { description: 'ab\nc\ufffd' }],
  [
    'title that repeats',
    { type: 'object', properties: { firstName: { title: 'First name' } } },
    { type: 'object', properties: { firstName: {} } },
  ],
  [
    'boolean required',
    { properties: { a: { required: true } } },
    { properties: { a: {} }, required: ['a'], type: 'object' },
  ],
  ['empty combinations', { type: 'string', allOf: [], enum: [] }, { type: 'string' }],
])('3.0: %s', async (_what, given, want) => {
  expect(await convert(given, '3.0.3', { Pet })).toEqual(want);
});

test.each<[what: string, given: unknown, want: unknown]>([
  ['true', true, true],
  ['siblings of $ref', { ...ref, maxProperties: 3 }, { ...wanted, maxProperties: 3 }],
  ['type list', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
  ['type list of one', { type: ['string'] }, { type: 'string' }],
  ['numeric exclusiveMinimum', { exclusiveMinimum: 0 }, { exclusiveMinimum: 0 }],
  ['boolean exclusiveMinimum', { minimum: 0, exclusiveMinimum: true }, { exclusiveMinimum: 0 }],
  [
    'const and prefixItems',
    { prefixItems: [{ const: 1 }], items: false },
    { prefixItems: [{ const: 1 }], items: false, type: 'array' },
  ],
  [
    'tuple of draft 4',
    { items: [{ type: 'string' }], additionalItems: false },
    { prefixItems: [{ type: 'string' }], items: false, type: 'array' },
  ],
  [
    'dependencies',
    { dependencies: { a: ['b'], c: ref } },
    { dependentRequired: { a: ['b'] }, dependentSchemas: { c: wanted } },
  ],
  [
    'patternProperties',
    { patternProperties: { '^x-': true, '(': true } },
    { patternProperties: { '^x-': true } },
  ],
  [
    'two of examples',
    { type: 'string', examples: ['x', 'y', 'z'] },
    { type: 'string', example: 'x', examples: ['x', 'y'] },
  ],
  [
    'example before examples',
    { type: 'string', examples: ['x'], example: 'y' },
    { type: 'string', example: 'y' },
  ],
  ['examples that are none', { type: 'string', examples: { a: { value: 'x' } } }, { type: 'string' }],
  ['null as an example', { type: 'string', example: null }, { type: 'string' }],
  ['a reference as an example', { type: 'string', example: { $ref: '#/x' } }, { type: 'string' }],
  ['an example beside a reference', { ...ref, example: { a: 1 } }, { ...wanted, example: { a: 1 } }],
  [
    'an example around the one reference of its allOf',
    { allOf: [ref], example: { a: 1 } },
    { ...wanted, example: { a: 1 } },
  ],
  [
    'an example of what only asks',
    { type: 'string', not: { const: 'a', example: 'x' } },
    { type: 'string', not: { const: 'a' } },
  ],
  ['a faulty branch of oneOf', { oneOf: [ref, { $ref: '#/nowhere' }] }, { oneOf: [wanted, true] }],
  [
    'schema keywords of no effect',
    { $schema: 'https://json-schema.org/draft/2020-12/schema', $comment: 'c', $defs: {}, type: 'string' },
    { type: 'string' },
  ],
])('3.1: %s', async (_what, given, want) => {
  expect(await convert(given, '3.1.0', { Pet })).toEqual(want);
});

test('only what operations reach is converted, once, with recursion kept', async () => {
  const schemas = {
    Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' }, pet: ref } },
    Pet,
    Unreached: { $ref: '#/components/schemas/Missing' },
    Alias: ref,
  };
  const both = { anyOf: [{ $ref: '#/components/schemas/Node' }, { $ref: '#/components/schemas/Alias' }] };
  const { told, model } = await read(withSchema(both, schemas));
  expect(told).toEqual([]);
  expect(model?.schemas).toEqual({
    Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' }, pet: wanted } },
    Pet,
  });
});

test('pool names are safe, unique, and the same in any order', async () => {
  const names = ['Pet', 'Pet Type', 'Pet/Type', 'ピー', 'Pet_Type'];
  const schemas = Object.fromEntries(names.map((name, index) => [name, { const: index }]));
  const pointers = names.map(
    (name) => `#/components/schemas/${encodeURIComponent(name.replaceAll('/', '~1'))}`,
  );
  const namesOf = async (order: string[]): Promise<Record<string, unknown>> => {
    const paths = Object.fromEntries(
      order.map((pointer, index) => [
        `/${index}`,
        { get: { responses: { 200: { content: { 'application/json': { schema: { $ref: pointer } } } } } } },
      ]),
    );
    return (await modelOf(openapi({ paths, components: { schemas } }))).schemas;
  };
  const forward = await namesOf(pointers);
  const backward = await namesOf(pointers.toReversed());
  expect(backward).toEqual(forward);
  expect(Object.keys(forward)).toHaveLength(names.length);
  expect(forward).toMatchObject({ Pet: { const: 0 }, Pet_Type: { const: 4 }, pi: { const: 3 } });
  for (const name of Object.keys(forward)) expect(name).toMatch(/^[A-Za-z0-9_.-]+$/);
});
