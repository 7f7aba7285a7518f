/** Discriminators: which values choose which schema, and that one branch matches. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { firstOperation, folderOf, modelOf, operationsOf, readSource, withSchema } from './reading.ts';

const at = (name: string): string => `#/components/schemas/${name}`;
const ref = (name: string): { $ref: string } => ({ $ref: at(name) });

const Base = {
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string' }, id: { type: 'integer' } },
};
const heir = (properties: object): object => ({
  allOf: [{ $ref: '#/components/schemas/Base' }, { type: 'object', properties }],
});

async function convert(schema: unknown, schemas: object, version?: string): Promise<unknown> {
  const model = await modelOf(withSchema(schema, schemas, version));
  return firstOperation(model).responses[0]?.content[0]?.schema;
}

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
    anyOf: [
      { $ref: '#/$defs/Cat', properties: { kind: { const: 'Cat' } } },
      { $ref: '#/$defs/Base_base', properties: { kind: { const: 'Base' } } },
    ],
  });
  expect(model.schemas.Cat).toEqual({
    allOf: [{ $ref: '#/$defs/Base_base' }, { type: 'object', properties: { lives: { type: 'integer' } } }],
  });
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
  const union = { oneOf, discriminator: { propertyName: 'kind', mapping } };
  expect(await convert(union, schemas)).toEqual({
    oneOf: [
      { $ref: '#/$defs/Two', properties: { kind: { enum: ['a', 'b'] } } },
      { $ref: '#/$defs/Own' },
      { $ref: '#/$defs/Odd' },
    ],
  });
  const open = { propertyName: 'kind', mapping: { own: 'Own' }, defaultMapping: 'Two' };
  expect(await convert({ oneOf: oneOf.slice(0, 2), discriminator: open }, schemas, '3.2.0')).toEqual({
    oneOf: [{ $ref: '#/$defs/Two' }, { $ref: '#/$defs/Own' }],
  });
});

test('parents whose children are parents make one flat union, without a circle', async () => {
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

test.each(['oneOf', 'anyOf'])('a partial mapping beside %s', async (keyword) => {
  const schemas = { Cat: Base, Dog: { ...Base, required: ['kind', 'id'] } };
  const discriminator = { propertyName: 'kind', mapping: { dog: at('Dog') } };
  const isValid = await validator({ [keyword]: [ref('Cat'), ref('Dog')], discriminator }, schemas);
  for (const kind of ['dog', 'Cat']) expect(isValid({ kind, id: 1 }), kind).toBe(true);
  expect(isValid({ kind: 'dog' })).toBe(false);
  for (const kind of ['cat', 'Dog']) expect(isValid({ kind, id: 1 }), kind).toBe(false);
});

test('a child that is a parent by another property is chosen by both', async () => {
  const breed = { type: 'object', required: ['breed'], properties: { breed: { type: 'string' } } };
  const schemas = {
    Base: { ...Base, discriminator: { propertyName: 'kind', mapping: { dog: 'Dog' } } },
    Dog: {
      allOf: [ref('Base'), breed],
      discriminator: { propertyName: 'breed', mapping: { poodle: 'Poodle' } },
    },
    Poodle: { allOf: [ref('Dog'), { type: 'object', properties: { curls: { type: 'integer' } } }] },
  };
  const isValid = await validator(ref('Base'), schemas);
  expect(isValid({ kind: 'dog', breed: 'poodle', curls: 3 })).toBe(true);
  expect(isValid({ kind: 'dog', breed: 'poodle', curls: 'x' })).toBe(false);
  expect(isValid({ kind: 'poodle', breed: 'poodle' })).toBe(false);
});

test('a mapping by the address of a file, which has no name among the components', async () => {
  const discriminator = { propertyName: 'kind', mapping: { dog: './dog.json', cat: 'more.json#/Cat' } };
  const extend = (properties: object): object => ({
    allOf: [{ $ref: `openapi.json${at('Base')}` }, { type: 'object', properties }],
  });
  const cwd = folderOf({
    'openapi.json': withSchema(ref('Base'), {
      Base: { ...Base, discriminator },
      Bird: heir({ wings: { type: 'integer' } }),
    }),
    'dog.json': extend({ bark: { type: 'boolean' } }),
    'more.json': { Cat: extend({ lives: { type: 'integer' } }) },
  });
  const { model, told } = await readSource('openapi.json', { cwd });
  expect(told).toEqual([]);
  expect(model?.schemas.Base).toEqual({
    anyOf: [
      { $ref: '#/$defs/dog', properties: { kind: { const: 'dog' } } },
      { $ref: '#/$defs/Cat', properties: { kind: { const: 'cat' } } },
      { $ref: '#/$defs/Bird', properties: { kind: { const: 'Bird' } } },
    ],
  });
});
