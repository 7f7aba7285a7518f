import { expect, test } from 'vitest';
import type { Schema } from '../../../templates/runtime/types.ts';
import { compileSchema } from './validator.ts';

const pet: Schema = {
  oneOf: [
    {
      type: 'object',
      properties: { kind: { const: 'cat' }, lives: { type: 'integer', maximum: 9 } },
      required: ['kind', 'lives'],
    },
    { type: 'object', properties: { kind: { const: 'dog' }, bark: { type: 'boolean' } }, required: ['kind'] },
  ],
};

function object(properties: Record<string, Schema> = {}, ...optional: string[]): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required };
}

const number: Schema = { type: 'number' };
const text: Schema = { type: 'string' };
const numbers: Schema = { type: 'array', items: number };
const receiver: Schema = {
  anyOf: [
    object({ email: text, name: text }, 'name'),
    object({ userId: number, notify: { type: 'boolean' } }, 'notify'),
  ],
};
const operators: Schema = { anyOf: [object({ $in: numbers }), object({ $gt: number })] };

/** Of two alternatives neither matches. */
const nearest = (faults: string): string[] => [
  `The value matches none of 2 alternatives; for the nearest, ${faults}`,
];

/** Text that a model reads. */
const messages: [Schema, unknown, string[]][] = [
  [{ properties: { limit: { maximum: 100 } } }, { limit: 500 }, ['`limit` must be ≤ 100 but is 500']],
  [{ type: 'object' }, 'text', ['The value must be an object but is "text"']],
  [{ items: { type: ['string', 'null'] } }, ['a', 3], ['`[1]` must be a string or null but is 3']],
  [
    { properties: { a: { items: { enum: ['x', 'y'] } } } },
    { a: ['z'] },
    ['`a[0]` must be one of "x" or "y" but is "z"'],
  ],
  [
    { enum: Array.from({ length: 300 }, (_, at) => `country-${at}`) },
    'contry-290',
    [expect.stringMatching(/\(300 in all\) but is "contry-290"$/)],
  ],
  [{ properties: { f: { required: ['id'] } } }, { f: {} }, ['`f.id` is required but missing']],
  [
    { properties: { limit: true, offset: true }, additionalProperties: false },
    { limt: 1 },
    ['`limt` is not a known property; did you mean `limit`?'],
  ],
  [
    { properties: { a: true, b: true }, additionalProperties: false },
    { zzz: 1 },
    ['`zzz` is not a known property; known are `a` and `b`'],
  ],
  [{ properties: { x: false } }, { x: 1 }, ['`x` is not allowed']],
  [
    { contains: { const: 7 }, minContains: 2 },
    [7],
    ['The value must have at least 2 items matching {"const":7} but has 1'],
  ],
  [
    { contains: { const: 7 }, maxContains: 1 },
    [7, 7],
    ['The value must have at most 1 item matching {"const":7} but has 2'],
  ],
  [{ minLength: 3 }, 'ab', ['The value must have at least 3 characters but has 2']],
  [{ uniqueItems: true }, [1, 2, 1], ['The value must not have the same item twice']],
  [{ pattern: '^a' }, 'b', ['The value must match the pattern ^a but is "b"']],
  [
    { properties: { x: { not: {} } } },
    { x: 1 },
    [expect.stringMatching(/^`x` must not (?:be given|match \{\})$/)],
  ],
  [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, ['`ab` has a name that is not allowed']],
  [{ dependentRequired: { a: ['b'] } }, { a: 1 }, ['`b` is required when "a" is given']],
  [pet, { kind: 'cat', lives: 12 }, ['`lives` must be ≤ 9 but is 12']],
  [pet, { kind: 'fish' }, ['`kind` must be one of "cat" or "dog" but is "fish"']],
  [
    { anyOf: [{ type: 'string', minLength: 2 }, { type: 'null' }] },
    'a',
    ['The value must have at least 2 characters but has 1'],
  ],
  [
    { oneOf: [{ minimum: 1 }, { maximum: 9 }, { const: 'x' }] },
    5,
    ['The value must match exactly one of 3 alternatives but matches 1 and 2'],
  ],
  [receiver, { userId: 'abc', notify: true }, nearest('`userId` must be a number but is "abc"')],
  [
    { anyOf: [number, { $ref: '#/$defs/op' }], $defs: { op: operators } },
    'x',
    ['The value must be of type number or object but is "x"'],
  ],
  [
    { anyOf: [{ type: 'string', enum: ['a', 'b'] }, object({ k: number })] },
    'c',
    ['The value must be one of "a" or "b", or of type object, but is "c"'],
  ],
  [
    { anyOf: [{ allOf: [object({ a: text })] }, object({ b: text, c: text })] },
    { b: 1 },
    nearest('`c` is required but missing; `b` must be a string but is 1'),
  ],
  [
    {
      anyOf: [
        object({ kind: { const: 'x' }, n: number }),
        object({ kind: { const: 'y' }, n: text }),
        object({ kind: { const: 'y' }, m: text }),
      ],
    },
    { kind: 'y', n: 1 },
    nearest('`n` must be a string but is 1'),
  ],
  [
    { anyOf: [object({ a: text, x: false }, 'x'), object({ b: text, x: text })] },
    { x: 1 },
    nearest('`b` is required but missing; `x` must be a string but is 1'),
  ],
  [
    { anyOf: [object({ a: text }), { type: 'object', additionalProperties: number }] },
    { x: 'y' },
    nearest('`x` must be a number but is "y"'),
  ],
];

test.each(messages)('%j refuses %j with %j', (schema, value, want) => {
  expect(compileSchema(schema)(value).map(({ message }) => message)).toEqual(want);
});

test('a misfit says where it is', () => {
  const schema = { properties: { 'a/b': { $ref: '#/$defs/n' } }, $defs: { n: { items: { maximum: 1 } } } };
  expect(compileSchema(schema)({ 'a/b': [0, 2] })).toEqual([
    { path: ['a/b', 1], message: '`["a/b"][1]` must be ≤ 1 but is 2', keyword: 'maximum' },
  ]);
});

test('all errors are collected, up to a limit', () => {
  const value = Array.from({ length: 1000 }, () => 'x');
  expect(compileSchema({ items: { type: 'integer' } })(value)).toHaveLength(20);
});

test('a long value is not repeated in full', () => {
  const [error] = compileSchema({ const: 1 })('x'.repeat(10_000));
  expect(error?.message.length).toBeLessThan(120);
});

test('to look for the alternative that was meant is bounded work', () => {
  const names = Array.from({ length: 50 }, (_, index) => `k${index}`);
  const schema = { anyOf: names.map((name) => object({ [name]: text })) };
  const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, 1]));
  expect(compileSchema(schema)(members(1_000))).toHaveLength(1);
  expect(compileSchema(schema)(members(90_000))).toHaveLength(1);
});
