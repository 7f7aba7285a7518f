import { rm } from 'node:fs/promises';

import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';

import type { RecordedRequest, Upstream } from '../../fixtures/upstreams/loopback.mjs';
import { startShop } from '../../fixtures/upstreams/shop.mjs';
import type { JsonObject } from '../../src/util/json-schema.ts';
import { type AnyClient, call, connectStdio, generations, toolsOf } from './support/clients.ts';
import { compileFixture, temporaryFolder } from './support/project.ts';

const words = ['p', 'q'];
const point = { x: 1, y: 2 };

let folder: string;
let project: string;
let upstream: Upstream;

beforeAll(async () => {
  folder = await temporaryFolder();
  project = await compileFixture('shop.yaml', folder, 'corner-shop-mcp');
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  upstream = await startShop();
  onTestFinished(() => upstream.close());
});

function connect(
  env: Record<string, string> = { BEARER_TOKEN_BEARER: 't-1', BEARER_TOKEN_OAUTH: 't-2' },
): Promise<AnyClient> {
  return connectStdio('client 2.x', project, { env: { API_BASE_URL: upstream.url, ...env } });
}

function last(): RecordedRequest {
  const request = upstream.requests.at(-1);
  if (request === undefined) throw new Error('Nothing was sent.');
  return request;
}

test.each(generations)('lists all operations with %s', async (generation) => {
  const client = await connectStdio(generation, project);
  const tools = await toolsOf(client);
  // 52 operations, and the two tools of steps.
  expect(tools).toHaveLength(54);
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['search_products', 'products_get', 'lookup_everywhere', 'payments_store']),
  );
});

test.each<{ name: string; args: JsonObject; want: string }>([
  {
    name: 'lookup_simple',
    args: { one: 'a/b', list: words, spread: words, map: point, open: point },
    want: 'GET /lookup/simple/a%2Fb/p,q/p,q/x,1,y,2/x=1,y=2',
  },
  {
    name: 'lookup_matrix',
    args: { one: 'a', list: words, spread: words, map: point, open: point },
    want: 'GET /lookup/matrix/;one=a/;list=p,q/;spread=p;spread=q/;map=x,1,y,2/;x=1;y=2',
  },
  { name: 'lookup_query', args: { one: 'ä&' }, want: 'GET /lookup/query?one=%C3%A4%26' },
  {
    name: 'lookup_query',
    args: { list: words, spread: words },
    want: 'GET /lookup/query?list=p,q&spread=p&spread=q',
  },
  { name: 'lookup_query', args: { map: point }, want: 'GET /lookup/query?map=x,1,y,2' },
  {
    name: 'lookup_query',
    args: { open: { city: 'Ulm', zip: '89' } },
    want: 'GET /lookup/query?city=Ulm&zip=89',
  },
  { name: 'lookup_query', args: { spaced: words }, want: 'GET /lookup/query?spaced=p%20q' },
  { name: 'lookup_query', args: { piped: words }, want: 'GET /lookup/query?piped=p%7Cq' },
  { name: 'lookup_query', args: { flag: false }, want: 'GET /lookup/query?flag=false' },
  { name: 'products_image', args: { id: 7, size: 'large' }, want: 'GET /products/7/image?size=large' },
  { name: 'reviews_list', args: { id: 7, stars: [4, 5] }, want: 'GET /products/7/reviews?stars=4,5' },
])('$name sends $want', async ({ name, args, want }) => {
  await call(await connect(), name, args);
  expect(`${last().method} ${last().url}`).toBe(want);
});

test.each<{ name: string; args: JsonObject; type: string; body: unknown }>([
  {
    name: 'products_update',
    args: { id: 1, description: null, brand: { name: 'B' } },
    type: 'application/merge-patch+json',
    body: { description: null, brand: { name: 'B' } },
  },
  {
    name: 'payments_store',
    args: { body: { kind: 'bank', iban: 'DE00' } },
    type: 'application/json',
    body: { kind: 'bank', iban: 'DE00' },
  },
  {
    name: 'payments_store',
    args: { body: '{"kind":"voucher","code":"X"}' },
    type: 'application/json',
    body: { kind: 'voucher', code: 'X' },
  },
  { name: 'stock_set', args: { body: { 'can-1': 3 } }, type: 'application/json', body: { 'can-1': 3 } },
])('$name sends a $type body', async ({ name, args, type, body }) => {
  const called = await call(await connect(), name, args);
  expect(called).toMatchObject({ isError: false });
  expect(last().headers['content-type']).toBe(type);
  expect(JSON.parse(last().body.toString())).toEqual(body);
});

test('credentials follow the operation', async () => {
  const client = await connect({ API_KEY_SHOPKEY: 'k', BEARER_TOKEN_OAUTH: 'o' });
  await call(client, 'products_list');
  expect(last().headers).toMatchObject({ 'x-shop-key': 'k' });
  expect(last().headers.authorization).toBeUndefined();
  await call(client, 'customers_list');
  expect(last().headers.authorization).toBe('Bearer o');
  expect(last().headers['x-shop-key']).toBeUndefined();
  await call(client, 'categories_tree');
  expect(last().headers.authorization ?? last().headers['x-shop-key']).toBeUndefined();
});
