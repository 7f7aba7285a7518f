/** Schema Objects → JSON Schema 2020-12: given beside want. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../templates/runtime/schema/json-schema.ts';
import { firstOperation, modelOf, openapi, operationsOf, read, withSchema } from './reading.ts';

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
  ['nullable false', { type: 'string', nullable: false }, { type: 'string' }],
  [
    'nullable enum',
    { type: 'string', nullable: true, enum: ['a'] },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  ['nullable enum that knows null', { nullable: true, enum: ['a', null] }, { enum: ['a', null] }],
  ['nullable anyOf', { nullable: true, anyOf: [ref] }, { anyOf: [wanted, { type: 'null' }] }],
  [
    'nullable oneOf',
    { nullable: true, oneOf: [ref, { type: 'string' }] },
    { anyOf: [{ oneOf: [wanted, { type: 'string' }] }, { type: 'null' }] },
  ],
  [
    'nullable reference',
    { nullable: true, description: 'D', allOf: [ref] },
    { description: 'D', anyOf: [wanted, { type: 'null' }] },
  ],
  [
    'nullable object of parts',
    { type: 'object', nullable: true, allOf: [ref, { required: ['name'] }] },
    { anyOf: [{ type: 'object', allOf: [wanted, { required: ['name'] }] }, { type: 'null' }] },
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
    'exclusiveMaximum false',
    { type: 'number', maximum: 1, exclusiveMaximum: false },
    { type: 'number', maximum: 1 },
  ],
  [
    'OpenAPI-only keywords',
    {
      type: 'string',
      example: 'x',
      xml: { name: 'a' },
      externalDocs: { url: 'u' },
      'x-a': 1,
      deprecated: false,
    },
    { type: 'string' },
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
  ['unknown type', { type: 'datetime', description: 'D', format: 'x' }, { description: 'D' }],
  ['faulty bounds', { type: 'string', minLength: '1', maxLength: 2.5, pattern: 3 }, { type: 'string' }],
  ['unusable pattern', { type: 'string', pattern: '(' }, { type: 'string' }],
  ['text that is not clean', { description: ' a\u0000b\r\nc\ud800 ' }, { description: 'ab\nc\ufffd' }],
  [
    'title that repeats',
    { type: 'object', properties: { firstName: { title: 'First name' } } },
    { type: 'object', properties: { firstName: {} } },
  ],
  [
    'free-form',
    { type: 'object', additionalProperties: true },
    { type: 'object', additionalProperties: true },
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
  ['if, then, else', { if: ref, then: ref, else: false }, { if: wanted, then: wanted, else: false }],
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
    'base64 content',
    { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
    { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
  ],
  ['examples', { type: 'string', examples: ['x'] }, { type: 'string' }],
  ['a faulty branch of oneOf', { oneOf: [ref, { $ref: '#/nowhere' }] }, { anyOf: [wanted, true] }],
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
  expect(forward).toMatchObject({ Pet: { const: 0 }, Pet_Type: { const: 4 } });
  for (const name of Object.keys(forward)) expect(name).toMatch(/^[A-Za-z0-9_.-]+$/);
});

const Base = {
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string' }, id: { type: 'integer' } },
};
const heir = (properties: object): object => ({
  allOf: [{ $ref: '#/components/schemas/Base' }, { type: 'object', properties }],
});

/** Compiles the response's schema with the pool beside it. */
async function validator(
  schema: unknown,
  schemas: object,
  version = '3.0.3',
): Promise<(value: unknown) => boolean> {
  const model = await modelOf(withSchema(schema, schemas, version));
  const converted = operationsOf(model)[0]?.responses[0]?.content[0]?.schema;
  const validate = new Ajv2020({ strict: false }).compile({ $defs: model.schemas, allOf: [converted] });
  return (value) => validate(value);
}

test.each<[what: string, schema: object, schemas: object]>([
  [
    'a union with a mapping',
    {
      oneOf: ['Cat', 'Dog'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
      discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat', dog: 'Dog' } },
    },
    { Cat: { ...Base, additionalProperties: true }, Dog: Base },
  ],
  [
    'a parent with a mapping, extended by allOf',
    { $ref: '#/components/schemas/Base' },
    {
      Base: {
        ...Base,
        discriminator: {
          propertyName: 'kind',
          mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' },
        },
      },
      Cat: heir({ lives: { type: 'integer' } }),
      Dog: heir({ bark: { type: 'boolean' } }),
    },
  ],
  [
    'a parent that lists the children which extend it',
    { $ref: '#/components/schemas/Base' },
    {
      Base: {
        ...Base,
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
        discriminator: {
          propertyName: 'kind',
          mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' },
        },
      },
      Cat: heir({ lives: { type: 'integer' } }),
      Dog: heir({ bark: { type: 'boolean' } }),
    },
  ],
])('%s: exactly one branch matches', async (_what, schema, schemas) => {
  const isValid = await validator(schema, schemas);
  expect(isValid({ kind: 'cat', id: 1, lives: 9 })).toBe(true);
  expect(isValid({ kind: 'dog', id: 1 })).toBe(true);
  expect(isValid({ kind: 'cow', id: 1 })).toBe(false);
  expect(isValid({ kind: 'cat', id: 'x' })).toBe(false);
  expect(isValid({ id: 1 })).toBe(false);
});

test('without a mapping the names are the tags, and the parent may be meant itself', async () => {
  const schemas = {
    Base: { ...Base, discriminator: { propertyName: 'kind' } },
    Cat: heir({ lives: { type: 'integer' } }),
  };
  const model = await modelOf(withSchema({ $ref: '#/components/schemas/Base' }, schemas, '3.0.3'));
  expect(model.schemas.Base).toEqual({
    oneOf: [
      { $ref: '#/$defs/Cat', properties: { kind: { const: 'Cat' } } },
      { $ref: '#/$defs/Base_base', properties: { kind: { const: 'Base' } } },
    ],
  });
  expect(model.schemas.Cat).toEqual({
    allOf: [{ $ref: '#/$defs/Base_base' }, { type: 'object', properties: { lives: { type: 'integer' } } }],
  });
});

test('a property that wraps a parent in allOf means the union, a child means the parent', async () => {
  const schemas = {
    Base: { ...Base, discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } } },
    Cat: { allOf: [{ $ref: '#/components/schemas/Base' }] },
  };
  const owner = {
    type: 'object',
    properties: { pet: { allOf: [{ $ref: '#/components/schemas/Base' }], description: 'P' } },
  };
  const model = await modelOf(withSchema(owner, schemas, '3.0.3'));
  expect(firstOperation(model).responses[0]?.content[0]?.schema).toMatchObject({
    properties: { pet: { $ref: '#/$defs/Base' } },
  });
  expect(model.schemas.Cat).toEqual({ $ref: '#/$defs/Base_base' });
});

test('several mapping keys, tags the branch has already, and a default mapping', async () => {
  const tagged = (values: string[]): object => ({
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string', enum: values } },
  });
  const schemas = { Two: Base, Own: tagged(['own']), Odd: tagged(['other']) };
  const oneOf = ['Two', 'Own', 'Odd'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const mapping = { a: '#/components/schemas/Two', b: '#/components/schemas/Two', own: 'Own', odd: 'Odd' };
  expect(
    await convert({ oneOf, discriminator: { propertyName: 'kind', mapping } }, '3.1.0', schemas),
  ).toEqual({
    oneOf: [
      { $ref: '#/$defs/Two', properties: { kind: { enum: ['a', 'b'] } } },
      { $ref: '#/$defs/Own' },
      { $ref: '#/$defs/Odd' },
    ],
  });
  const open = { propertyName: 'kind', mapping: { own: 'Own' }, defaultMapping: 'Two' };
  expect(await convert({ oneOf: oneOf.slice(0, 2), discriminator: open }, '3.2.0', schemas)).toEqual({
    anyOf: [{ $ref: '#/$defs/Two' }, { $ref: '#/$defs/Own' }],
  });
});

test('a mapping to a schema that does not exist is a dangling-ref', async () => {
  const schema = {
    oneOf: [ref],
    discriminator: { propertyName: 'name', mapping: { x: '#/components/schemas/Gone' } },
  };
  const { told } = await read(withSchema(schema, { Pet }));
  expect(told).toEqual([
    'warning dangling-ref /paths/~1a/get/responses/200/content/application~1json/schema/discriminator/mapping/x',
  ]);
});

test('parents whose children are parents make one flat union, without a circle', async () => {
  const at = (name: string): string => `#/components/schemas/${name}`;
  const discriminator = (mapping: object): object => ({ propertyName: 'kind', mapping });
  const schemas = {
    Base: { ...Base, discriminator: discriminator({ mid: at('Mid'), base: at('Base') }) },
    Mid: { ...heir({}), discriminator: discriminator({ leaf: at('Leaf'), base: at('Base') }) },
    Leaf: { allOf: [{ $ref: at('Mid') }] },
  };
  const isValid = await validator({ $ref: at('Base') }, schemas);
  for (const kind of ['base', 'mid', 'leaf']) expect(isValid({ kind })).toBe(true);
  expect(isValid({ kind: 'other' })).toBe(false);
});
