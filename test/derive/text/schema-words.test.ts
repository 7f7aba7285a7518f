// Words of an operation's schemas and tags, for the index of the search surface.
import { expect, test } from 'vitest';
import { compile } from '../../../src/index.ts';

const lease = {
  type: 'object',
  description: 'A lock for the election of a leader.',
  properties: { holder: { type: 'string' }, since: { type: 'string' } },
};
const ref = { $ref: '#/components/schemas/Lease' };
const answer = (schema: object): object => ({
  responses: { 200: { description: 'Fine', content: { 'application/json': { schema } } } },
});

const words = 'A lock for the election of a leader. holder since';

test.each<[string, object, string]>([
  ['of the answer', answer(ref), words],
  ['of the items of a list', answer({ type: 'array', items: ref }), words],
  [
    'of the items in an envelope',
    answer({
      description: 'A page',
      properties: { data: { type: 'array', items: ref }, next: { type: 'string' }, links: { type: 'array' } },
    }),
    words,
  ],
  [
    'of members that allOf adds',
    answer({ allOf: [{ properties: { id: { type: 'integer' } } }], properties: { name: {} } }),
    'name id',
  ],
  [
    'of the body too',
    {
      requestBody: {
        content: { 'application/json': { schema: { type: 'object', description: 'An order' } } },
      },
      responses: { 204: { description: 'Done' } },
    },
    'An order',
  ],
  [
    'of its tags',
    { tags: ['lock', 'unknown', 'odd'], responses: { 204: { description: 'Done' } } },
    'Leases that **expire**',
  ],
  ['of nothing', { responses: { 204: { description: 'Done' } } }, ''],
])('%s', async (_, operation, want) => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Locks', version: '1' },
    servers: [{ url: 'https://locks.example' }],
    tags: [{ name: 'lock', description: 'Leases that **expire**' }, { name: 'odd', description: 7 }, 'lock'],
    paths: { '/locks': { post: { operationId: 'lock', ...operation } } },
    components: { schemas: { Lease: lease } },
  };
  const stdin = (): Promise<Buffer> => Promise.resolve(Buffer.from(JSON.stringify(document)));
  const { model } = await compile({ source: '-', stdin });
  expect(model?.tools[0]?.about).toBe(want);
});
