/** A value said to fit is valid; one that the validator would have to judge is not said to. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSurelyValid } from '../../src/emit/wire/surely-fits.ts';
import { compileSchema } from '../../templates/runtime/schema/compile-schema.ts';
import type { Json, JsonSchema, JsonSchemaObject } from '../../templates/runtime/contract/json-schema.ts';

const $defs: Record<string, JsonSchema> = {
  Name: { type: 'string', minLength: 1, maxLength: 3 },
  Tree: { type: 'object', properties: { next: { $ref: '#/$defs/Tree' } }, additionalProperties: false },
};
// No validator takes it.
const circle = { Circle: { anyOf: [{ $ref: '#/$defs/Circle' }, { $ref: '#/$defs/Circle' }] } };
const tuple: JsonSchemaObject = { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'null' } };

test.each<[JsonSchema, Json, boolean]>([
  [true, 1, true],
  [false, 1, false],
  [{}, { a: 1 }, true],
  [{ type: 'integer' }, 1, true],
  [{ type: 'integer' }, 1.5, false],
  [{ type: 'number' }, 1, true],
  [{ type: ['string', 'null'] }, null, true],
  [{ type: 'string' }, null, false],
  [{ enum: ['a', { b: 1 }] }, { b: 1 }, true],
  [{ enum: ['a'] }, 'b', false],
  [{ const: [1] }, [1], true],
  [{ minLength: 2 }, '😀', false],
  [{ minimum: 1, maximum: 2 }, 2, true],
  [{ exclusiveMaximum: 2 }, 2, false],
  [{ items: { type: 'string' }, minItems: 1 }, [], false],
  [{ items: { type: 'string' } }, ['a', 1], false],
  [tuple, ['a', null], false],
  [{ type: 'object', required: ['a'] }, {}, false],
  [{ properties: { a: { type: 'string' } } }, { a: 1 }, false],
  [{ properties: { a: {} }, additionalProperties: false }, { a: 1, b: 2 }, false],
  [{ additionalProperties: { type: 'string' } }, { a: 'x' }, true],
  [{ patternProperties: { a: false }, additionalProperties: true }, { a: 1 }, false],
  [{ $ref: '#/$defs/Name' }, 'abc', true],
  [{ $ref: '#/$defs/Name' }, 'abcd', false],
  [{ $ref: '#/$defs/None' }, 1, false],
  [{ $ref: '#/$defs/Tree' }, { next: { next: {} } }, true],
  [{ $ref: '#/$defs/Tree' }, { next: { other: {} } }, false],
  [{ $ref: '#/$defs/Circle' }, 1, false],
  [{ allOf: [{ type: 'string' }, { minLength: 2 }] }, 'a', false],
  [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 1, true],
  [{ oneOf: [{ type: 'string' }] }, 'a', false],
  [{ pattern: '^a' }, 'a', false],
  [{ not: {} }, 1, false],
  [
    { properties: { toString: { type: 'string' } }, additionalProperties: false } as JsonSchema,
    { constructor: 1 },
    false,
  ],
  [{ type: 'object', required: ['toString'] }, {}, false],
])('%j and %j: %s', (schema, value, want) => {
  expect(isSurelyValid(schema, value, { ...$defs, ...circle })).toBe(want);
});

const keywords = {
  type: fc.constantFrom<JsonSchemaObject>(
    { type: 'string' },
    { type: 'integer' },
    { type: 'array', items: { type: 'integer' } },
    { type: 'object', properties: { a: { $ref: '#/$defs/Name' } }, required: ['a'] },
    { type: 'object', additionalProperties: { type: ['string', 'null'] } },
  ),
  more: fc.constantFrom<JsonSchemaObject>(
    {},
    { minLength: 2 },
    { maximum: 3 },
    { minItems: 1, uniqueItems: true },
    { maxProperties: 1 },
    { enum: ['a', 1, { a: 'b' }] },
    { anyOf: [{ type: 'string' }, { minimum: 2 }] },
    tuple,
  ),
};
const value = fc.oneof(
  fc.constantFrom<Json>('', 'a', 'ab', 1, 2, 7, null, [], [1], [1, 1], ['a'], {}, { a: 'b' }, { a: 'abcd' }),
  fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom<Json>('x', null, 1)),
);

test('whatever is said to fit, the validator takes', () => {
  fc.assert(
    fc.property(keywords.type, keywords.more, value, (type, more, given) => {
      const schema = { ...type, ...more };
      fc.pre(isSurelyValid(schema, given, $defs));
      expect(compileSchema({ ...schema, $defs })(given)).toEqual([]);
    }),
  );
});
