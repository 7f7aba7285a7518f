/** `nullable` beside other keywords: null is accepted, and what holds for every other value does not change. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { firstOperation, modelOf, withSchema } from './reading.ts';

const schemas = {
  Name: { type: 'string', nullable: true },
  Level: { enum: ['low', null] },
  Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
};

async function validator(schema: object, version: string): Promise<(value: unknown) => boolean> {
  const model = await modelOf(withSchema(schema, schemas, version));
  const converted = firstOperation(model).responses[0]?.content[0]?.schema;
  const validate = new Ajv2020({ strict: false }).compile({
    $defs: model.schemas,
    allOf: [converted ?? true],
  });
  return (value) => validate(value);
}

const integer = { type: 'integer' };
const number = { type: 'number' };
const pet = { $ref: '#/components/schemas/Pet' };
const values = ['low', 'a', 1, 1.5, true, {}, { name: 'Rex' }, [], [1]];

test.each<[what: string, schema: object]>([
  ['a list of types', { oneOf: [{ type: ['string', 'null'] }, integer] }],
  ['a nullable branch', { oneOf: [{ type: 'string', nullable: true }, integer] }],
  [
    'two nullable branches',
    {
      oneOf: [
        { type: 'string', nullable: true },
        { ...integer, nullable: true },
      ],
    },
  ],
  ['a branch of null alone', { oneOf: [pet, { type: 'null' }] }],
  ['null in an enum', { oneOf: [{ enum: ['a', null] }, integer] }],
  ['null as a const', { oneOf: [{ const: null }, integer] }],
  ['a reference to a nullable schema', { oneOf: [{ $ref: '#/components/schemas/Name' }, integer] }],
  ['a reference to an enum with null', { oneOf: [{ $ref: '#/components/schemas/Level' }, integer] }],
  ['a union inside', { oneOf: [{ oneOf: [{ type: 'string' }, { type: 'null' }] }, integer] }],
  ['a choice inside', { oneOf: [{ anyOf: [{ type: 'string', nullable: true }, pet] }, integer] }],
  ['no null anywhere', { oneOf: [{ type: 'string' }, pet] }],
  ['branches that overlap', { oneOf: [number, integer, { type: 'string' }] }],
  ['an anyOf', { anyOf: [{ type: ['string', 'null'] }, pet] }],
  ['a type beside a oneOf', { type: 'object', oneOf: [pet, { required: ['id'] }] }],
  ['an enum beside a oneOf', { enum: ['a', 1], oneOf: [{ type: 'string' }, integer] }],
  ['an enum beside an allOf', { enum: ['a', 'b'], allOf: [{ maxLength: 1 }, { type: 'string' }] }],
  ['a const', { const: 'a' }],
  ['a const with a type', { type: 'string', const: 'a' }],
  ['a not', { type: 'string', not: { enum: ['low', null] } }],
  ['an if', { type: 'string', if: { enum: ['a', null] }, then: { minLength: 1 }, else: false }],
])('nullable beside %s', async (_what, schema) => {
  const strict = await validator(schema, '3.1.0');
  const nullable = await validator({ ...schema, nullable: true }, '3.1.0');
  expect(nullable(null)).toBe(true);
  expect(values.filter(nullable)).toEqual(values.filter(strict));
  expect(values.some((value) => !nullable(value))).toBe(true);
});
