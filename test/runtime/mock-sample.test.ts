import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SampleOptions, makeSample } from '../../templates/runtime/features/mock/sample.ts';
import type { Schema, SchemaObject } from '../../templates/runtime/types.ts';
import { anySchema } from '../support/any-schema.ts';
import { compileSchema } from './schema/validator.ts';

interface Row {
  what: string;
  given: Schema;
  want: unknown;
  options?: SampleOptions;
}

const person: SchemaObject & { properties: Record<string, Schema> } = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
};

const rows: Row[] = [
  { what: 'a text', given: { type: 'string' }, want: 'sample' },
  { what: 'a type before null', given: { type: ['null', 'integer'] }, want: 1 },
  { what: 'false', given: false, want: undefined },
  {
    what: 'the type that keywords mean',
    given: { properties: { a: {} }, required: ['a'] },
    want: { a: 'sample' },
  },

  { what: 'an example first', given: { type: 'integer', examples: [7], default: 3 }, want: 7 },
  { what: 'the first valid example', given: { type: 'integer', examples: ['x', 7] }, want: 7 },
  { what: 'no empty default', given: { type: 'string', default: '' }, want: 'sample' },
  { what: 'no default that is not valid', given: { type: 'integer', default: 'all' }, want: 1 },
  { what: 'a const', given: { const: { a: [1] } }, want: { a: [1] } },
  { what: 'a member of an enum, null last', given: { enum: [null, 'a', 'b'] }, want: 'a' },
  { what: 'what two enums share', given: { allOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] }, want: 'b' },
  { what: 'a member of the enum of the type', given: { type: 'integer', enum: ['a', 2] }, want: 2 },
  {
    what: 'no invalid object as example',
    given: { ...person, examples: [{ age: 36 }] },
    want: { name: 'sample' },
  },

  { what: 'a minimum', given: { type: 'integer', minimum: 5 }, want: 5 },
  {
    what: 'nothing between',
    given: { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    want: undefined,
  },
  { what: 'a multiple', given: { type: 'integer', multipleOf: 5, minimum: 11 }, want: 15 },
  { what: 'a length', given: { type: 'string', minLength: 9, maxLength: 9 }, want: 'samplexxx' },
  {
    what: 'a format called like a member of objects',
    given: { type: 'string', format: '__proto__' },
    want: 'sample',
  },
  { what: 'a pattern', given: { type: 'string', pattern: '^[A-Z]{2}-[0-9]{3}$' }, want: 'AA-000' },
  { what: 'a format that contradicts', given: { type: 'string', format: 'uuid', maxLength: 3 }, want: 'aaa' },
  { what: 'no item where none is allowed', given: { type: 'array', maxItems: 0 }, want: [] },
  {
    what: 'too few different items',
    given: { type: 'array', items: { enum: ['a'] }, minItems: 2, uniqueItems: true },
    want: undefined,
  },
  {
    what: 'as many of a kind as are needed',
    given: { type: 'array', items: { type: 'integer' }, contains: { const: 7 }, minContains: 2 },
    want: [7, 7],
  },
  {
    what: 'no more of a kind than are allowed',
    given: {
      type: 'array',
      items: { enum: ['a', 'b'] },
      contains: { const: 'b' },
      maxContains: 1,
      minItems: 2,
    },
    want: ['b', 'a'],
  },
  {
    what: 'none of a kind',
    given: {
      type: 'array',
      items: { enum: ['a', 'b'] },
      contains: { const: 'a' },
      minContains: 0,
      maxContains: 0,
    },
    want: ['b'],
  },
  {
    what: 'two kinds that no item can be of',
    given: { type: 'array', allOf: [{ contains: { const: 1 } }, { contains: { const: 2 } }] },
    want: [1, 2],
  },
  {
    what: 'one of a kind behind the items that are described',
    given: { type: 'array', prefixItems: [{ type: 'string' }], contains: { const: 7 } },
    want: ['sample', 7],
  },
  { what: 'more items than anybody wants', given: { type: 'array', minItems: 1e9 }, want: undefined },

  { what: 'the required members', given: person, want: { name: 'sample' } },
  { what: 'all members', given: person, options: { full: true }, want: { name: 'sample', age: 1 } },
  {
    what: 'no example that is not valid',
    given: person,
    options: { examples: { name: [1, 'Ada'] } },
    want: { name: 'Ada' },
  },
  {
    what: 'a required member that is forbidden',
    given: { ...person, required: ['b'], additionalProperties: false },
    want: undefined,
  },
  {
    what: 'members named as what objects inherit',
    given: { type: 'object', required: ['__proto__', 'constructor'], properties: {} },
    want: JSON.parse('{"__proto__":"sample","constructor":"sample"}'),
  },
  {
    what: 'least members, declared first',
    given: { ...person, minProperties: 2 },
    want: { name: 'sample', age: 1 },
  },
  {
    what: 'least members of a map',
    given: { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 2 },
    want: { key: 1, key2: 1 },
  },
  {
    what: 'names by patternProperties',
    given: {
      type: 'object',
      patternProperties: { '^x-': { type: 'integer' } },
      additionalProperties: false,
      minProperties: 1,
    },
    want: { 'x-': 1 },
  },
  {
    what: 'at most so many members',
    given: { ...person, maxProperties: 1 },
    options: { full: true },
    want: { name: 'sample' },
  },
  {
    what: 'what a member depends on',
    given: {
      ...person,
      properties: { ...person.properties, mail: {} },
      dependentRequired: { name: ['mail'] },
    },
    want: { name: 'sample', mail: 'sample' },
  },

  {
    what: 'allOf as one',
    given: { allOf: [person, { required: ['age'], properties: { age: { minimum: 18 } } }] },
    want: { name: 'sample', age: 18 },
  },
  {
    what: 'allOf that contradicts',
    given: { allOf: [{ type: 'string' }, { type: 'integer' }] },
    want: undefined,
  },
  {
    what: 'a branch that is the only one',
    given: { oneOf: [{ type: 'integer' }, { minimum: 5 }, { type: 'string' }], type: ['integer', 'string'] },
    want: 1,
  },
  {
    what: 'a tagged branch',
    given: {
      type: 'object',
      required: ['kind'],
      oneOf: [{ $ref: '#/$defs/cat' }, { $ref: '#/$defs/dog' }],
      $defs: {
        cat: { properties: { kind: { const: 'cat' }, lives: { type: 'integer' } }, required: ['lives'] },
        dog: { properties: { kind: { const: 'dog' } } },
      },
    },
    want: { kind: 'cat', lives: 1 },
  },
  {
    what: 'a condition',
    given: { type: 'integer', if: { minimum: 10 }, then: { multipleOf: 7 }, else: false },
    want: 14,
  },
  { what: 'not a value', given: { type: 'integer', not: { enum: [1, 0] } }, want: 2 },
  {
    what: 'not with a member',
    given: { ...person, not: { required: ['age'] } },
    options: { full: true },
    want: { name: 'sample' },
  },
  {
    what: 'nothing unevaluated',
    given: { type: 'object', allOf: [person], unevaluatedProperties: false },
    options: { full: true },
    want: { name: 'sample', age: 1 },
  },
  {
    what: 'a list that holds its like',
    given: {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          required: ['children'],
          properties: { children: { type: 'array', items: { $ref: '#/$defs/node' } } },
        },
      },
    },
    want: { children: [] },
  },
  {
    what: 'a way out of recursion',
    given: {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          required: ['next'],
          properties: { next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
        },
      },
    },
    want: { next: { next: { next: null } } },
  },
  {
    what: 'no way out of recursion',
    given: {
      $ref: '#/$defs/node',
      $defs: { node: { type: 'object', required: ['next'], properties: { next: { $ref: '#/$defs/node' } } } },
    },
    want: undefined,
  },
];

test.each(rows)('$what', ({ given, want, options }) => {
  const value = makeSample(given, options);
  expect(value).toEqual(want);
  if (value !== undefined) expect(compileSchema(given)(value)).toEqual([]);
});

test('the same schema gives the same sample', () => {
  const given = { type: 'string', pattern: '^(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9]{8,}$' } as const;
  const first = makeSample(given);
  expect(first).toMatch(new RegExp(given.pattern));
  expect(makeSample(given)).toBe(first);
});

test('schemas that a value was made of before give other values for further items, and give way to examples', () => {
  const mail = { type: 'string', format: 'email' } as const;
  const user: Schema = { type: 'object', required: ['mail'], properties: { mail } };
  const mails: Schema = { type: 'array', minItems: 2, uniqueItems: true, items: mail };
  expect(makeSample(user)).toEqual({ mail: 'sample@example.com' });
  expect(makeSample(mails)).toEqual(['sample@example.com', 'sample2@example.com']);
  const ids = { ...mails, items: { type: 'string', pattern: '^(0|[1-9][0-9]*)$' } } as const;
  expect(compileSchema(ids)(makeSample(ids))).toEqual([]);
  expect(makeSample(user, { examples: { mail: ['me@here.org'] } })).toEqual({ mail: 'me@here.org' });
  expect(makeSample(user)).toEqual({ mail: 'sample@example.com' });
});

const list: Schema = { type: 'array', items: { $ref: '#/$defs/d2' } };
const DEFS = { d1: { type: 'integer' }, d2: list };

test('a sample is valid, whatever the schema', () => {
  fc.assert(
    fc.property(anySchema, anySchema, fc.boolean(), (schema, d0, full) => {
      const root = { allOf: [schema], $defs: { ...DEFS, d0 } } as Schema;
      const value = makeSample(root, { full });
      const misfits = value === undefined ? [] : compileSchema(root)(value);
      // A reference may lead only to itself.
      fc.pre(misfits[0]?.message.includes('nested too deeply') !== true);
      expect(misfits).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
