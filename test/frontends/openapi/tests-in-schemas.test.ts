/** `if` and `not` ask a question: a type that nobody wrote would change the answer. */
import { expect, test } from 'vitest';
import { firstOperation, modelOf, withSchema } from './reading.ts';

const properties = { kind: { const: 'a' } };

test.each<[what: string, given: object, want: object]>([
  ['not', { not: { properties } }, { not: { properties } }],
  ['not, items', { not: { items: { const: 1 } } }, { not: { items: { const: 1 } } }],
  [
    'if, then, else',
    { if: { properties, required: ['kind'] }, then: { properties }, else: { properties } },
    {
      if: { properties, required: ['kind'] },
      then: { type: 'object', properties },
      else: { type: 'object', properties },
    },
  ],
  [
    'deep inside of a not',
    { not: { anyOf: [{ properties: { a: { properties } } }] }, properties },
    { not: { anyOf: [{ properties: { a: { properties } } }] }, type: 'object', properties },
  ],
  [
    'a type that was written',
    { not: { type: 'object', properties } },
    { not: { type: 'object', properties } },
  ],
  ['a not that refuses all', { not: {} }, { not: {} }],
  ['a not with a fault, which must not refuse all', { not: { $ref: '#/components/schemas/Gone' } }, {}],
  ['a not of an unknown type', { not: { type: 'date' } }, {}],
])('%s', async (_what, given, want) => {
  const model = await modelOf(withSchema(given));
  expect(firstOperation(model).responses[0]?.content[0]?.schema).toEqual(want);
});
