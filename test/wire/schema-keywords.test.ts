/** Keywords of JSON Schema that depend on other members, items or schemas: calls that they refuse are not sent. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serveDocument } from './serve-document.ts';

const schema = {
  type: 'object',
  properties: {
    order: {
      type: 'object',
      properties: { card: { type: 'string' } },
      dependentSchemas: { card: { required: ['cvc'], properties: { cvc: { type: 'string' } } } },
    },
    address: {
      type: 'object',
      allOf: [{ type: 'object', properties: { city: { type: 'string' } } }],
      unevaluatedProperties: false,
    },
    pair: { type: 'array', prefixItems: [{ type: 'string' }], unevaluatedItems: { type: 'integer' } },
    tags: { type: 'array', contains: { const: 'a' }, minContains: 2, maxContains: 3 },
  },
};

let served: Served;
beforeAll(async () => {
  const content = { 'application/json': { schema } };
  served = await serveDocument({
    openapi: '3.1.0',
    info: { title: 'Wire', version: '1' },
    servers: [{ url: 'https://api.test' }],
    paths: {
      '/pay': {
        post: {
          operationId: 'pay',
          summary: 'Pays an order',
          requestBody: { required: true, content },
          responses: { '204': { description: 'Paid.' } },
        },
      },
    },
  });
});
afterAll(() => served.close());

test('they are listed as the document has them', () => {
  const { order, tags } = served.tools[0]?.inputSchema.properties ?? {};
  expect([order, tags]).toMatchObject([
    { dependentSchemas: schema.properties.order.dependentSchemas },
    schema.properties.tags,
  ]);
});

test.each<[args: object, words: string]>([
  [{ order: { card: '4000' } }, '`order.cvc` is required but missing'],
  [{ order: { card: '4000', cvc: 1 } }, ''],
  [{ order: {} }, ''],
  [{ tags: ['a'] }, '`tags` must have at least 2 items matching {"const":"a"} but has 1'],
  [{ tags: ['a', 'a', 'a', 'a'] }, '`tags` must have at most 3 items matching {"const":"a"} but has 4'],
  [{ tags: ['a', 'b', 'a'] }, ''],
  [{ address: { city: 'Rom', zip: 1 } }, '`address.zip` is not allowed'],
  [{ address: { city: 'Rom' } }, ''],
  [{ pair: ['a', 'b'] }, '`pair[1]` must be an integer but is "b"'],
  [{ pair: ['a', 2] }, ''],
])('%j', async (args, words) => {
  const called = await served.call('pay', args);
  expect(called.sent).toHaveLength(words === '' ? 1 : 0);
  expect(called.words).toContain(words);
});
