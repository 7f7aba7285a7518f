// Differences of two schemas, and for whom they break. Each row: given two schemas, wanted the changes.
import fc from 'fast-check';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { findEffect } from '../../src/diff/change-kinds.ts';
import { compareSchemas } from '../../src/diff/compare-schemas.ts';
import type { JsonSchema, JsonSchemaObject } from '../../src/util/json-schema.ts';

/** `place kind`, with the effects on arguments and on results: `B` breaking, `c` compatible. */
function found(before: JsonSchemaObject, after: JsonSchemaObject): string[] {
  return compareSchemas(before, after).map(({ kind, at }) => {
    const effects = [findEffect(kind, 'input'), findEffect(kind, 'output')];
    return `${at === '' ? '.' : at} ${kind} ${effects.map((effect) => (effect === 'breaking' ? 'B' : 'c')).join('')}`;
  });
}

/** The schema as that of a member `a`. */
const a = (schema: JsonSchema): JsonSchemaObject => ({ type: 'object', properties: { a: schema } });

const text = { type: 'string' } as const;
const number = { type: 'number' } as const;
const integer = { type: 'integer' } as const;
const nothing = { type: 'null' } as const;
const b = { type: 'object', properties: { b: text } } as const;

const rows: [what: string, before: JsonSchemaObject, after: JsonSchemaObject, wanted: string[]][] = [
  ['the same', a(text), a(text), []],
  [
    'the order of members and keywords',
    { type: 'object', properties: { a: { type: 'string', minLength: 1 }, b: text } },
    { properties: { b: text, a: { minLength: 1, type: 'string' } }, type: 'object' },
    [],
  ],

  ['a new member', a(text), { type: 'object', properties: { a: text, b: text } }, ['b member-added cc']],
  [
    'a new required member',
    a(text),
    { type: 'object', properties: { a: text, b: text }, required: ['b'] },
    ['b required-member-added Bc'],
  ],
  ['a member gone', { type: 'object', properties: { a: text, b: text } }, a(text), ['b member-removed BB']],
  ['required now', a(text), { ...a(text), required: ['a'] }, ['a became-required BB']],
  ['no longer required', { ...a(text), required: ['a'] }, a(text), ['a became-optional cB']],
  [
    'required, and not described',
    { type: 'object' },
    { type: 'object', required: ['a'] },
    ['a became-required BB'],
  ],
  ['other members refused', a(text), { ...a(text), additionalProperties: false }, ['* closed BB']],
  ['other members allowed', { ...a(text), additionalProperties: false }, a(text), ['* opened cc']],
  [
    'a member called __proto__',
    { type: 'object', properties: JSON.parse('{"__proto__":{"type":"string"}}') },
    { type: 'object', properties: {} },
    ['__proto__ member-removed BB'],
  ],

  ['another type', a(text), a(integer), ['a type-changed BB']],
  ['a wider number', a(integer), a(number), ['a type-widened cB']],
  ['a narrower number', a(number), a(integer), ['a type-narrowed BB']],
  ['null too', a(text), a({ type: ['string', 'null'] }), ['a type-widened cB']],
  ['null no more', a({ type: ['string', 'null'] }), a(text), ['a type-narrowed BB']],
  ['null said in another way', a({ type: ['string', 'null'] }), a({ anyOf: [text, nothing] }), []],
  ['any type now', a(text), a({}), ['a type-widened cB']],
  ['one type now', a(true), a(text), ['a type-narrowed BB']],
  ['nothing at all', a(text), a(false), ['a type-narrowed BB']],

  ['a value gone', a({ enum: ['x', 'y'] }), a({ enum: ['x'] }), ['a value-removed BB']],
  ['a value added', a({ enum: ['x'] }), a({ enum: ['x', 'y'] }), ['a value-added cc']],
  ['a value exchanged', a({ const: 'x' }), a({ const: 'y' }), ['a value-removed BB', 'a value-added cc']],
  ['one value of a list', a({ enum: ['x', 'y'] }), a({ const: 'x' }), ['a value-removed BB']],
  ['values set', a(text), a({ type: 'string', enum: ['x'] }), ['a value-removed BB']],
  ['values no more', a({ type: 'string', enum: ['x'] }), a(text), ['a value-added cc']],
  [
    'null among the values',
    a({ type: 'string', enum: ['x'] }),
    a({ type: ['string', 'null'], enum: ['x', null] }),
    ['a type-widened cB'],
  ],
  [
    'two objects that are one',
    { ...a({ allOf: [{ $ref: '#/$defs/X' }, { ...b, required: ['b'] }] }), $defs: { X: a(text) } },
    a({ type: 'object', properties: { a: text, b: text }, required: ['b'] }),
    [],
  ],
  [
    'two objects, and a member gone from one',
    a({ allOf: [a(text), b] }),
    a({ allOf: [a(text), { type: 'object' }] }),
    ['a.b member-removed BB'],
  ],

  ['uniqueItems: false says nothing', a({ type: 'array' }), a({ type: 'array', uniqueItems: false }), []],
  ['limits of `contains` alone say nothing', a({}), a({ minContains: 2, maxContains: 3 }), []],
  ['one of a kind, said', a({ contains: text }), a({ contains: text, minContains: 1 }), []],
  [
    'none of a kind needed',
    a({ contains: text }),
    a({ contains: text, minContains: 0 }),
    ['a constraint-loosened cc'],
  ],
  [
    'one of a kind needed again',
    a({ contains: text, minContains: 0 }),
    a({ contains: text }),
    ['a constraint-tightened BB'],
  ],
  ['a kind that none need be of', a({}), a({ contains: text, minContains: 0 }), []],
  ['one of a kind needed', a({}), a({ contains: text }), ['a constraint-tightened BB']],
  [
    'none of at most two needed',
    a({ contains: text, maxContains: 2 }),
    a({ contains: text, maxContains: 2, minContains: 0 }),
    ['a constraint-loosened cc'],
  ],
  [
    'elements',
    a({ type: 'array', items: text }),
    a({ type: 'array', items: integer }),
    ['a[] type-changed BB'],
  ],
  ['elements said now', a({ type: 'array' }), a({ type: 'array', items: text }), ['a[] type-narrowed BB']],
  [
    'the second element',
    a({ type: 'array', prefixItems: [text, text] }),
    a({ type: 'array', prefixItems: [text, integer] }),
    ['a[1] type-changed BB'],
  ],
  [
    'one more element said',
    a({ type: 'array', prefixItems: [text], items: text }),
    a({ type: 'array', prefixItems: [text, integer], items: text }),
    ['a[1] type-changed BB'],
  ],

  ['a definition written out', { ...a({ $ref: '#/$defs/T' }), $defs: { T: text } }, a(text), []],
  [
    'a definition changed',
    { ...a({ $ref: '#/$defs/T' }), $defs: { T: text } },
    { ...a({ $ref: '#/$defs/T' }), $defs: { T: integer } },
    ['a type-changed BB'],
  ],
  [
    'a definition changed that an equal one leads to, beside others',
    {
      ...a({ anyOf: [{ type: 'array', items: { $ref: '#/$defs/A' } }, { $ref: '#/$defs/B' }] }),
      $defs: { A: a({ $ref: '#/$defs/T' }), B: text, T: text },
    },
    {
      ...a({ anyOf: [{ type: 'array', items: { $ref: '#/$defs/A' } }, { $ref: '#/$defs/B' }] }),
      $defs: { T: integer, B: text, A: a({ $ref: '#/$defs/T' }) },
    },
    ['a[].a type-changed BB'],
  ],
  ['a definition that nothing names', a(text), { ...a(text), $defs: { T: text } }, []],
  ['a name with a slash', { ...a({ $ref: '#/$defs/a~1b%20c' }), $defs: { 'a/b c': text } }, a(text), []],
  [
    'a circle',
    {
      ...a({ $ref: '#/$defs/N' }),
      $defs: { N: { type: 'object', properties: { next: { $ref: '#/$defs/N' }, v: text } } },
    },
    {
      ...a({ $ref: '#/$defs/N' }),
      $defs: { N: { type: 'object', properties: { next: { $ref: '#/$defs/N' }, v: integer } } },
    },
    ['a.v type-changed BB'],
  ],

  [
    'an alternative added',
    {
      ...a({ anyOf: [{ $ref: '#/$defs/X' }, { $ref: '#/$defs/Y' }] }),
      $defs: { X: a(text), Y: { type: 'object' } },
    },
    {
      ...a({ anyOf: [{ $ref: '#/$defs/X' }, { $ref: '#/$defs/Y' }, { $ref: '#/$defs/Z' }] }),
      $defs: { X: a(text), Y: { type: 'object' }, Z: a(integer) },
    },
    ['a alternative-added cB'],
  ],
  [
    'an alternative gone',
    a({
      oneOf: [
        { title: 'X', ...a(text) },
        { title: 'Y', ...a(text) },
      ],
    }),
    a({ oneOf: [{ title: 'X', ...a(text) }] }),
    ['a alternative-removed BB'],
  ],
  [
    'an alternative of its type gone',
    a({ anyOf: [text, integer, { type: 'boolean' }] }),
    a({ anyOf: [text, integer] }),
    ['a alternative-removed BB'],
  ],
  [
    'one of two texts that the other does not take',
    a({
      anyOf: [
        { ...text, maxLength: 5 },
        { enum: ['longer'], type: 'string' },
      ],
    }),
    a({ ...text, maxLength: 5 }),
    ['a alternative-removed BB'],
  ],
  [
    'a choice beside members that is none any more',
    a({ type: 'object', properties: { b: text }, anyOf: [{ required: ['b'] }, { required: ['c'] }] }),
    a({ type: 'object', properties: { b: text } }),
    ['a alternative-removed BB', 'a alternative-removed BB', 'a alternative-added cB'],
  ],
  ['anyOf in place of oneOf', a({ oneOf: [text, integer] }), a({ anyOf: [integer, text] }), []],
  [
    'within an alternative',
    a({ anyOf: [text, integer] }),
    a({ anyOf: [text, { ...integer, minimum: 1 }] }),
    ['a constraint-tightened BB'],
  ],
  [
    'an alternative of `oneOf` beside `anyOf`',
    a({ anyOf: [{ minLength: 1 }, { minimum: 1 }], oneOf: [text, integer] }),
    a({ anyOf: [{ minLength: 1 }, { minimum: 1 }], oneOf: [text] }),
    ['a alternative-removed BB'],
  ],
  [
    'the order of what depends, and its words',
    a({ dependentRequired: { x: ['y', 'z'] }, dependentSchemas: { x: { description: 'One.' } } }),
    a({ dependentRequired: { x: ['z', 'y'] }, dependentSchemas: { x: { description: 'Two.' } } }),
    [],
  ],
  ['an alternative where there was none', a(text), a({ anyOf: [text, integer] }), ['a alternative-added cB']],
  [
    'a part more',
    a({ allOf: [a(text)] }),
    a({ allOf: [a(text), { type: 'object', required: ['a'] }] }),
    ['a.a became-required BB'],
  ],
  [
    'what is not, by a definition',
    { ...a({ not: { $ref: '#/$defs/T' } }), $defs: { T: text } },
    { ...a({ not: { $ref: '#/$defs/T' } }), $defs: { T: integer } },
    ['a constraint-changed BB'],
  ],

  ['description', a(text), a({ ...text, description: 'x' }), ['a description-changed cc']],
  ['title', a({ ...text, title: 'x' }), a({ ...text, title: 'y' }), ['a title-changed cc']],
  ['default added', a(text), a({ ...text, default: 'x' }), ['a default-added cc']],
  ['default changed', a({ ...text, default: 'x' }), a({ ...text, default: 'y' }), ['a default-changed Bc']],
  ['default gone', a({ ...text, default: 'x' }), a(text), ['a default-changed Bc']],
  ['deprecated', a(text), a({ ...text, deprecated: true }), ['a deprecated cc']],
  ['deprecated no more', a({ ...text, deprecated: true }), a(text), ['a no-longer-deprecated cc']],
  ['a keyword of somebody', a(text), a({ ...text, 'x-mcp-header': 'Region' }), ['a keyword-changed cc']],
];

test.each(rows)('%s', (_, before, after, wanted) => {
  expect(found(before, after)).toEqual(wanted);
});

const limited = (name: string, value: unknown) =>
  a({ ...(name.endsWith('Contains') && { contains: text }), [name]: value });

test.each(['imum', 'Length', 'Items', 'Properties', 'Contains'])('min%s, and max%s', (what) => {
  for (const [name, low, high] of [
    [`min${what}`, 1, 5],
    [`max${what}`, 5, 1],
  ] as const) {
    expect(found(limited(name, low), limited(name, high))).toEqual(['a constraint-tightened BB']);
    expect(found(limited(name, high), limited(name, low))).toEqual(['a constraint-loosened cc']);
  }
});

const named = ['multipleOf', 'pattern', 'format', 'contentEncoding', 'contentMediaType', 'dependentRequired'];

test.each(['minimum', 'maximum', 'uniqueItems', ...named])('%s', (name) => {
  expect(found(a({}), limited(name, 'x'))).toEqual(['a constraint-tightened BB']);
  expect(found(limited(name, 'x'), limited(name, 'y'))).toEqual(['a constraint-changed BB']);
  expect(found(limited(name, 'x'), a({}))).toEqual(['a constraint-loosened cc']);
});

test('a chain of 5,000 definitions', () => {
  const chain = (last: JsonSchema): JsonSchemaObject => ({
    ...a({ $ref: '#/$defs/n0' }),
    $defs: Object.fromEntries(
      Array.from({ length: 5000 }, (_, n) => [`n${n}`, n === 4999 ? last : a({ $ref: `#/$defs/n${n + 1}` })]),
    ),
  });
  expect(compareSchemas(chain(text), chain(integer)).map(({ kind }) => kind)).toEqual(['type-changed']);
});

describe('soundness', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const leaf: fc.Arbitrary<JsonSchema> = fc.oneof(
    fc.constantFrom<JsonSchema>(true, {}, text, integer, number, nothing, { type: ['string', 'null'] }),
    fc.record(
      { type: fc.constant('integer' as const), minimum: fc.integer({ min: 0, max: 3 }) },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constant('integer' as const),
        exclusiveMaximum: fc.integer({ min: 0, max: 3 }),
        maximum: fc.integer({ min: 0, max: 3 }),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({ type: fc.constant('integer' as const), multipleOf: fc.constantFrom(1, 2, 3, 4) }),
    fc.record(
      {
        type: fc.constant('string' as const),
        minLength: fc.integer({ min: 0, max: 2 }),
        maxLength: fc.integer({ min: 0, max: 2 }),
      },
      { requiredKeys: ['type'] },
    ),
    fc.subarray(['x', 'y', 1, null], { minLength: 1 }).map((values) => ({ enum: values })),
  );
  const schemas = fc.letrec<{ schema: JsonSchema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      leaf,
      fc.record(
        {
          type: fc.constant('object' as const),
          properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')),
          required: fc.subarray(['a', 'b']),
          dependentRequired: fc.constantFrom<Record<string, string[]>>(
            { a: ['b'] },
            { b: ['a', 'c'] },
            { b: ['c', 'a'] },
          ),
          // Of an open object a new member was anything before; that nobody sent it is why it breaks nothing.
          additionalProperties: fc.constant(false),
        },
        { requiredKeys: ['type', 'additionalProperties'] },
      ),
      fc.record({ type: fc.constant('object' as const), additionalProperties: tie('schema') }),
      fc.record(
        {
          type: fc.constant('array' as const),
          items: tie('schema'),
          maxItems: fc.integer({ min: 0, max: 2 }),
          uniqueItems: fc.boolean(),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record(
        {
          type: fc.constant('array' as const),
          contains: fc.constantFrom(text, integer),
          minContains: fc.integer({ min: 0, max: 2 }),
          maxContains: fc.integer({ min: 0, max: 2 }),
        },
        { requiredKeys: ['type'] },
      ),
      fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
      // Each value fits one alternative of `oneOf` at most, since it means the same as `anyOf` to a client.
      fc.record({
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        oneOf: fc.subarray<JsonSchema>([text, integer, { type: 'boolean' }, { type: 'object' }], {
          minLength: 1,
        }),
      }),
      fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((allOf) => ({ allOf })),
    ),
  })).schema;
  const values = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 2 },
      fc.constantFrom<unknown>('', 'x', 'y', 'xyz', -1, 0, 1, 2, 3, 1.5, null, true),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
  })).value;

  test('what breaks nothing takes all that was taken before', () => {
    fc.assert(
      fc.property(
        schemas,
        schemas,
        fc.array(values, { minLength: 30, maxLength: 30 }),
        (one, other, samples) => {
          const [before, after] = [a(one), a(other)];
          if (compareSchemas(before, after).some(({ kind }) => findEffect(kind, 'input') === 'breaking'))
            return;
          const [takes, takesNow] = [ajv.compile(before), ajv.compile(after)];
          for (const value of samples) {
            if (takes({ a: value }))
              expect([{ a: value }, takesNow({ a: value })]).toEqual([{ a: value }, true]);
          }
        },
      ),
      { numRuns: 3000 },
    );
  });
});
