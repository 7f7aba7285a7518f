// OpenAI's strict shape: what is listed, and which schemas cannot be written so without loss.
import { expect, test } from 'vitest';
import { toStrictShape } from '../../../src/derive/clients/strict-shape.ts';
import type { Json, JsonSchema, ObjectSchema } from '../../../templates/runtime/contract/json-schema.ts';
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

const optionalB: JsonSchema = { type: 'object', properties: { b: text } };
const nullableB = input({ b: { type: ['string', 'null'] } }, ['b']);
const tagged = (kind: string, properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties: { kind: { const: kind }, ...properties },
  required: ['kind'],
});

test.each<{
  name: string;
  a: JsonSchema;
  $defs?: Record<string, JsonSchema>;
  want: JsonSchema;
  sent: [Json, Json][];
}>([
  {
    name: 'a member',
    a: optionalB,
    want: nullableB,
    sent: [
      [{ b: null }, {}],
      [{ b: 'c' }, { b: 'c' }],
    ],
  },
  {
    name: 'a member of items, beside a required one',
    a: { type: 'array', items: input({ b: text, c: text }, ['c']) },
    want: { type: 'array', items: input({ b: { type: ['string', 'null'] }, c: text }, ['b', 'c']) },
    sent: [[[{ b: null, c: 'd' }], [{ c: 'd' }]]],
  },
  {
    name: 'a definition that contains itself',
    a: { $ref: '#/$defs/A' },
    $defs: { A: input({ b: { $ref: '#/$defs/A' } }) },
    want: { $ref: '#/$defs/A' },
    sent: [
      [{ b: null }, {}],
      [{ b: { b: { b: null } } }, { b: { b: {} } }],
    ],
  },
  {
    name: 'alternatives that a tag tells apart, open in the document',
    a: { anyOf: [tagged('x', { b: { enum: [1] } }), tagged('y', { c: text })] },
    want: {
      anyOf: [
        input({ kind: { const: 'x' }, b: { enum: [1, null] } }, ['kind', 'b']),
        input({ kind: { const: 'y' }, c: { type: ['string', 'null'] } }, ['kind', 'c']),
      ],
    },
    sent: [
      [{ kind: 'x', b: null }, { kind: 'x' }],
      [
        { kind: 'x', b: 1 },
        { kind: 'x', b: 1 },
      ],
      [{ kind: 'y', c: null }, { kind: 'y' }],
    ],
  },
  {
    name: 'alternatives that list all members',
    a: { anyOf: [input({ b: { enum: ['c'] }, d: optionalB }), input({ e: text }, ['e'])] },
    want: {
      anyOf: [
        input({ b: { enum: ['c', null] }, d: { ...nullableB, type: ['object', 'null'] } }, ['b', 'd']),
        input({ e: text }, ['e']),
      ],
    },
    sent: [
      [{ b: null, d: null }, {}],
      [
        { b: 'c', d: { b: null } },
        { b: 'c', d: {} },
      ],
      [{ e: 'f' }, { e: 'f' }],
    ],
  },
])('an optional member inside may be null, which is left out: $name', ({ a, $defs, want, sent }) => {
  const given = input({ a }, ['a'], $defs && { $defs });
  const strict = toStrictShape(given);
  if (typeof strict !== 'object') throw new Error(strict);
  expect(strict.properties?.['a']).toEqual(want);
  expect(openAiStrictFaults(strict)).toEqual([]);
  for (const [value, meant] of sent) {
    expect(compileSchema(strict)({ a: value })).toEqual([]);
    expect(dropOptionalNulls(given, { a: value })).toEqual({ a: meant });
    expect(compileSchema(given)({ a: meant })).toEqual([]);
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
    'an optional member below that may be null',
    input({ a: { type: 'object', properties: { b: { type: ['string', 'null'] } } } }, ['a']),
    'the member `b` at #/properties/a is optional, and null is one of its values',
  ],
  [
    'in a definition, through a reference',
    input({ a: { $ref: '#/$defs/A' } }, ['a'], {
      $defs: { A: input({ b: { $ref: '#/$defs/B' } }), B: { anyOf: [text, { type: 'null' }] } },
    }),
    'the member `b` at #/$defs/A is optional, and null is one of its values',
  ],
  [
    'null in another alternative',
    input(
      { a: { anyOf: [{ $ref: '#/$defs/A' }, input({ b: { type: ['string', 'null'] } }, ['b'])] } },
      ['a'],
      {
        $defs: { A: input({ b: text }) },
      },
    ),
    'an optional member at #/properties/a/anyOf may be a null of another alternative, since no required member tells them apart',
  ],
  [
    'an open alternative, which may have such a member too',
    input({ a: { anyOf: [optionalB, { type: 'object', properties: { c: text }, required: ['c'] }] } }, ['a']),
    'an optional member at #/properties/a/anyOf may be a null of another alternative, since no required member tells them apart',
  ],
  [
    'in a definition',
    input({ a: { $ref: '#/$defs/A' } }, ['a'], { $defs: { A: { type: 'object' } } }),
    'the object at #/$defs/A takes any members',
  ],
])('not without loss: %s', (_what, given, want) => {
  expect(toStrictShape(given)).toBe(want);
});
