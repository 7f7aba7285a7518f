import { expect, test } from 'vitest';
import { compileSchema } from './validator.ts';

/** Bounds, and what `differential.test.ts` does not draw: for each schema, values it accepts and values it refuses. */
const table: { schema: object | boolean; accepts: unknown[]; refuses: unknown[] }[] = [
  { schema: { type: 'integer' }, accepts: [0, -3, 1.0, 1e300], refuses: [1.5, '1', null, NaN, Infinity] },
  { schema: { type: 'number' }, accepts: [1.5, -0, 10n], refuses: ['1.5', NaN, Infinity, true] },
  { schema: { enum: ['a', 1, { k: [1] }] }, accepts: ['a', 1, { k: [1] }], refuses: ['b', '1', { k: [2] }] },
  { schema: { const: null }, accepts: [null], refuses: [0, undefined, 'null'] },
  { schema: { minimum: 2, maximum: 3 }, accepts: [2, 3, 'text'], refuses: [1.99, 3.01] },
  { schema: { exclusiveMinimum: 2, exclusiveMaximum: 3 }, accepts: [2.5], refuses: [2, 3] },
  { schema: { multipleOf: 0.1 }, accepts: [0.3, 0.7, 1, -4.2, 0], refuses: [0.35, 1e-9] },
  { schema: { multipleOf: 0.5 }, accepts: [1e308, 2.5], refuses: [0.25] },
  { schema: { multipleOf: 1e-8 }, accepts: [12.34567891, 3e-8], refuses: [1.5e-8] },
  { schema: { multipleOf: 3 }, accepts: [9, -9, 3e20], refuses: [10, 1e20] },

  {
    schema: { minLength: 2, maxLength: 3 },
    accepts: ['ab', 'äöü', '🐱🐱🐱', 5],
    refuses: ['a', '🐱', 'abcd'],
  },
  { schema: { pattern: '^\\p{Lu}' }, accepts: ['Éa', 7], refuses: ['éa', ''] },
  { schema: { pattern: '^[\\w\\-\\.]+$' }, accepts: ['a-b.c'], refuses: ['a b'] },
  { schema: { pattern: '^\\-x$' }, accepts: ['-x'], refuses: ['x'] },
  { schema: { pattern: '(' }, accepts: ['anything'], refuses: [] },
  { schema: { format: 'date' }, accepts: ['not a date'], refuses: [] },
  { schema: { minItems: 1, maxItems: 2 }, accepts: [[1], [1, 2], {}], refuses: [[], [1, 2, 3]] },
  { schema: { prefixItems: [{ const: 1 }], items: false }, accepts: [[], [1]], refuses: [[2], [1, 2]] },
  { schema: { contains: { const: 1 } }, accepts: [[0, 1]], refuses: [[], [0]] },
  {
    schema: { contains: { const: 1 }, minContains: 2, maxContains: 2 },
    accepts: [[1, 0, 1], 'text'],
    refuses: [[1], [1, 1, 1]],
  },
  { schema: { contains: { const: 1 }, minContains: 0 }, accepts: [[], [0]], refuses: [] },
  {
    schema: { uniqueItems: true },
    accepts: [
      [1, '1', true, 'true', null, 'null', [1], ['1'], {}, []],
      [{ a: 1 }, { a: 2 }],
    ],
    refuses: [
      [1, 1.0],
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      [[], []],
      ['x', 'y', 'x'],
      [0, -0],
    ],
  },

  { schema: { required: ['a'] }, accepts: [{ a: null }, []], refuses: [{}, { a: undefined }] },
  {
    schema: { minProperties: 1, maxProperties: 1 },
    accepts: [{ a: 1 }, { a: 1, b: undefined }],
    refuses: [{}, { a: 1, b: 2 }],
  },
  { schema: { propertyNames: { maxLength: 2 } }, accepts: [{ ab: 1 }], refuses: [{ abc: 1 }] },
  { schema: { oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, accepts: [2, 3], refuses: [1, 6] },
  { schema: { not: { type: 'null' } }, accepts: [0, ''], refuses: [null] },
  { schema: { then: false, else: false }, accepts: [1], refuses: [] },
  { schema: { $defs: { 'a/b~c d': { const: 1 } }, $ref: '#/$defs/a~1b~0c%20d' }, accepts: [1], refuses: [2] },
  { schema: { definitions: { old: { const: 1 } }, $ref: '#/definitions/old' }, accepts: [1], refuses: [2] },
];

const cases = table.flatMap(({ schema, accepts, refuses }) => [
  ...accepts.map((value) => ({ schema, value, valid: true })),
  ...refuses.map((value) => ({ schema, value, valid: false })),
]);

test.each(cases)('$schema: $value is valid: $valid', ({ schema, value, valid }) => {
  expect(compileSchema(schema)(value).length === 0).toBe(valid);
});
