// The form of the page: its first values, and what is wrong with one. Its fields: scripts/lib/page/more-checks.mjs.
import { describe, expect, test } from 'vitest';
import { firstValue, problemOf, resolve } from '../../preview/try/schema.ts';
import type { JsonSchemaObject } from '../../src/util/json-schema.ts';

const PET: JsonSchemaObject = {
  $defs: {
    Dog: { type: 'object', properties: { kind: { const: 'dog' } }, required: ['kind'] },
    Loop: { $ref: '#/$defs/Loop' },
    'a/b c': { type: 'string' },
  },
};

describe('references', () => {
  test.each<[string, JsonSchemaObject, JsonSchemaObject]>([
    ['words beside it win', { $ref: '#/$defs/a~1b%20c', title: 'T' }, { type: 'string', title: 'T' }],
    ['an unknown one is empty', { $ref: '#/$defs/None' }, {}],
    ['a circle ends', { $ref: '#/$defs/Loop' }, {}],
    [
      'allOf is one schema',
      {
        allOf: [
          { properties: { a: {} }, required: ['a'] },
          { properties: { b: {} }, required: ['b'] },
        ],
      },
      { properties: { a: {}, b: {} }, required: ['a', 'b'] },
    ],
  ])('%s', (_, schema, expected) => {
    expect(resolve(schema, PET)).toEqual(expected);
  });
});

describe('first values', () => {
  test.each<[string, JsonSchemaObject, unknown]>([
    ['the default', { type: 'integer', default: 3, minimum: 1 }, 3],
    ['an example', { type: 'string', examples: ['x'] }, 'x'],
    ['the least number', { type: 'integer', minimum: 5 }, 5],
    [
      'what is required',
      { type: 'object', properties: { a: { enum: ['x', 'y'] }, b: {} }, required: ['a'] },
      { a: 'x' },
    ],
    ['as many items as must be', { type: 'array', items: { type: 'boolean' }, minItems: 2 }, [false, false]],
    ['the first branch', { anyOf: [{ $ref: '#/$defs/Dog' }, { type: 'null' }] }, { kind: 'dog' }],
  ])('%s', (_, schema, value) => {
    expect(firstValue(schema, PET)).toEqual(value);
  });

  test('a member called __proto__ is a member', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"const":1}},"required":["__proto__"]}',
    ) as JsonSchemaObject;
    const value = firstValue(schema, schema);
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

test.each<[string, Parameters<typeof problemOf>, string | undefined]>([
  ['absent', [undefined, { type: 'string' }, true], 'required'],
  ['text for a number', ['many', { type: 'integer' }, true], 'must be a number'],
  ['a part of one', [1.5, { type: 'integer' }, true], 'must be a whole number'],
  ['too small', [0, { type: 'integer', minimum: 1 }, true], 'must be at least 1'],
  ['too long', ['abc', { type: 'string', maxLength: 2 }, true], 'must have at most 2 characters'],
  ['an emoji is one character', ['🐈', { type: 'string', maxLength: 1 }, true], undefined],
])('%s', (_, given, problem) => {
  expect(problemOf(...given)).toBe(problem);
});
