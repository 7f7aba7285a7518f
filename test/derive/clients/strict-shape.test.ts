// OpenAI's strict shape: what is listed, and which schemas cannot be written so without loss.
import { expect, test } from 'vitest';
import { toStrictShape } from '../../../src/derive/clients/strict-shape.ts';
import type { JsonSchema, ObjectSchema } from '../../../templates/runtime/contract/json-schema.ts';
import { compileSchema, dropOptionalNulls } from '../../../templates/runtime/schema/compile-schema.ts';
import { openAiStrictFaults } from '../../../scripts/lib/corpus/client-subsets.mjs';

const input = (
  properties: Record<string, JsonSchema>,
  required: string[] = [],
  rest: object = {},
): ObjectSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
  ...rest,
});
const text: JsonSchema = { type: 'string' };

test.each<[string, ObjectSchema, ObjectSchema | undefined]>([
  ['required ones alone', input({ a: text }, ['a']), undefined],
  ['no arguments', input({}), undefined],
  ['an optional text', input({ a: text }), input({ a: { type: ['string', 'null'] } }, ['a'])],
  [
    'an optional enum',
    input({ a: { type: 'string', enum: ['x'] } }),
    input({ a: { type: ['string', 'null'], enum: ['x', null] } }, ['a']),
  ],
  [
    'a default',
    input({ a: { type: 'integer', default: 20, description: 'Items a page.' } }),
    input({ a: { type: ['integer', 'null'], description: 'Items a page. Default: 20.' } }, ['a']),
  ],
  [
    'a default of a required one',
    input({ a: { type: 'integer', default: 20 } }, ['a']),
    input({ a: { type: 'integer', description: 'Default: 20.' } }, ['a']),
  ],
  [
    'alternatives',
    input({ a: { anyOf: [text, { type: 'integer' }] } }),
    input({ a: { anyOf: [text, { type: 'integer' }, { type: 'null' }] } }, ['a']),
  ],
  [
    'a reference',
    input({ a: { $ref: '#/$defs/A' } }, [], { $defs: { A: text } }),
    input({ a: { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] } }, ['a'], { $defs: { A: text } }),
  ],
  [
    'an object without a word about others',
    input({ a: { type: 'object', properties: { b: text }, required: ['b'] } }, ['a']),
    input({ a: input({ b: text }, ['b']) }, ['a']),
  ],
  [
    'a list of objects',
    input({ a: { type: 'array', items: { type: 'object', properties: { b: text }, required: ['b'] } } }),
    input({ a: { type: ['array', 'null'], items: input({ b: text }, ['b']) } }, ['a']),
  ],
])('%s', (_what, given, want) => {
  const copy = structuredClone(given);
  const strict = toStrictShape(given);
  expect(strict).toEqual(want);
  expect(given).toEqual(copy);
  expect(openAiStrictFaults((strict ?? given) as ObjectSchema)).toEqual([]);
  if (typeof strict !== 'object') return;
  // Left out before is null now, and nothing else is lost.
  const [whole, listed] = [compileSchema(given), compileSchema(strict)];
  for (const a of [null, 'x', 'y', 1, [], [{ b: 'c' }], { b: 'c' }, { b: 1 }]) {
    const isOptional = given.required?.includes('a') !== true;
    const accepted = whole(dropOptionalNulls(given, { a })).length === 0;
    expect([a, listed({ a }).length === 0]).toEqual([a, a === null ? isOptional : accepted]);
  }
});

test.each<[string, ObjectSchema, string]>([
  [
    'optional and nullable',
    input({ a: { type: ['string', 'null'] } }),
    '`a` is optional, and null is one of its values',
  ],
  ['optional, of any type', input({ a: {} }), '`a` is optional, and null is one of its values'],
  ['any type', input({ a: {} }, ['a']), 'the schema at #/properties/a takes any value'],
  [
    'other arguments',
    { type: 'object', properties: {}, additionalProperties: true },
    'the object at # takes any members',
  ],
  [
    'a map',
    input({ a: { type: 'object', additionalProperties: text } }, ['a']),
    'the object at #/properties/a takes any members',
  ],
  [
    'a free object',
    input({ a: { type: 'object' } }, ['a']),
    'the object at #/properties/a takes any members',
  ],
  [
    'a list of anything',
    input({ a: { type: 'array' } }, ['a']),
    'the list at #/properties/a takes any items',
  ],
  ['oneOf', input({ a: { oneOf: [text, { type: 'integer' }] } }, ['a']), '`oneOf` at #/properties/a'],
  ['allOf', input({ a: { allOf: [text] } }, ['a']), '`allOf` at #/properties/a'],
  [
    'an optional member below',
    input({ a: { type: 'object', properties: { b: text } } }, ['a']),
    'the member `b` at #/properties/a is optional',
  ],
  [
    'in a definition',
    input({ a: { $ref: '#/$defs/A' } }, ['a'], { $defs: { A: { type: 'object' } } }),
    'the object at #/$defs/A takes any members',
  ],
])('not without loss: %s', (_what, given, want) => {
  expect(toStrictShape(given)).toBe(want);
});
