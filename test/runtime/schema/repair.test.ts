import { expect, test } from 'vitest';
import { repair } from '../../../templates/runtime/coerce.ts';
import type { Schema, SchemaObject } from '../../../templates/runtime/types.ts';

const object: Schema = { type: 'object' };
const array: Schema = { type: 'array' };
const integer: Schema = { type: 'integer' };

/** Schema of one argument, what a model sends, what it means. */
const repaired: [Schema, unknown, unknown][] = [
  [object, '{"a":1}', { a: 1 }],
  [array, ' [1, 2] ', [1, 2]],
  [integer, '5', 5],
  [integer, '-7', -7],
  [{ type: 'number' }, '1.5', 1.5],
  [{ type: 'number' }, '1e3', 1000],
  [{ type: 'boolean' }, 'true', true],
  [{ type: ['object', 'null'] }, 'null', null],
  [{ enum: [1, 2] }, '2', 2],
  [{ const: true }, 'true', true],
  [{ anyOf: [integer, { const: '' }] }, '5', 5],
  [{ $ref: '#/$defs/o' }, '{"n":"5"}', { n: 5 }],
  [{ anyOf: [object, array] }, '[]', []],
  [{ type: 'array', items: integer }, ['1', 2], [1, 2]],
  [{ type: 'array', items: integer }, '["1"]', [1]],
  [{ prefixItems: [integer], items: { type: 'boolean' } }, ['1', 'false'], [1, false]],
  [{ type: 'string' }, 5, '5'],
  [{ type: 'string' }, 1.5, '1.5'],
  [{ enum: ['1', '2'] }, 2, '2'],
  [{ type: 'array', items: { type: 'string' } }, [1, { a: 1 }], ['1', { a: 1 }]],
  [{ properties: { a: { properties: { b: array } } } }, { a: { b: '[]' } }, { a: { b: [] } }],
  [{ properties: { a: integer } }, { a: null }, {}],
];

/** What stays as it is, and why. */
const untouched: [string, Schema, unknown][] = [
  ['a string is allowed', { type: 'string' }, '{"a":1}'],
  ['a string is one of several types', { type: ['string', 'object'] }, '{"a":1}'],
  ['a string is one of the alternatives', { anyOf: [{ type: 'string' }, object] }, '{}'],
  ['nothing is said', {}, '5'],
  ['a string is in the enum', { enum: ['1', 1] }, '1'],
  ['a number is one of several types', { type: ['string', 'number'] }, 5],
  ['a list for a text', { type: 'string' }, [1]],
  ['a boolean for a text', { type: 'string' }, true],
  ['an object for a text', { type: 'string' }, { a: 1 }],
  ['a null that is allowed', { type: ['string', 'null'] }, null],
  ['not JSON', object, '{a:1}'],
  ['empty', object, ''],
  ['the empty text, which is allowed', { anyOf: [integer, { const: '' }] }, ''],
  ['JSON of another type', object, '[1]'],
  ['a string in a string is not parsed twice', object, '"{\\"a\\":1}"'],
  ['not an integer', integer, '5.5'],
  ['no integer that anybody writes', integer, '1e3'],
  ['not how JSON writes it', { type: 'boolean' }, 'True'],
  ['no number', { type: 'number' }, '1e999'],
];

const wrap = (schema: Schema): SchemaObject => ({
  type: 'object',
  properties: { it: schema },
  $defs: { o: { type: 'object', properties: { n: integer } } },
});

test.each(repaired)('%j: %j means %j', (schema, sent, meant) => {
  expect(repair(wrap(schema), { it: sent })).toEqual({ it: meant });
});

test.each(untouched)('%s', (_why, schema, sent) => {
  const value = { it: sent };
  expect(repair(wrap(schema), value)).toBe(value);
});

test('a large integer for a text keeps its digits', () => {
  const sent = { it: 12345678901234567890n };
  expect(repair(wrap({ type: 'string' }), sent)).toEqual({ it: '12345678901234567890' });
});

test('a null is dropped where the argument is optional', () => {
  const schema: Schema = { type: 'object', properties: { a: integer, b: integer }, required: ['b'] };
  expect(repair(schema, { a: null, b: null })).toEqual({ b: null });
});

test('all arguments as one string', () => {
  expect(repair(wrap(object), '{"it":"{}"}')).toEqual({ it: {} });
});

test('the input is not changed', () => {
  const value = Object.freeze({ it: '[1]', other: Object.freeze({}) });
  const result = repair(wrap(array), value) as typeof value;
  expect(value.it).toBe('[1]');
  expect(result).toEqual({ it: [1], other: {} });
  expect(result.other).toBe(value.other);
});
