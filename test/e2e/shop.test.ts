import { rm } from 'node:fs/promises';

import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';

import type { RecordedRequest, Upstream } from '../../fixtures/upstreams/loopback.mjs';
import { startShop } from '../../fixtures/upstreams/shop.mjs';
import type { JsonObject } from '../../templates/runtime/contract/json-schema.ts';
import { type AnyClient, call, connectStdio, generations, toolsOf } from './support/clients.ts';
import { compileFixture, temporaryFolder } from './support/project.ts';

const customerId = '5d3a4b8e-0a6c-4c8e-9f0e-2b8f8a1d7c10';
const words = ['p', 'q'];
const point = { x: 1, y: 2 };
const bytes = Buffer.from([0, 255, 128, 13, 10, 45, 45]);

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
  expect(tools).toHaveLength(52);
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

test.each<{ name: string; args: JsonObject; want: string }>([
  { name: 'lookup_query', args: { deep: point }, want: '/lookup/query?deep[x]=1&deep[y]=2' },
  { name: 'lookup_query', args: { json: point }, want: '/lookup/query?json={"x":1,"y":2}' },
  { name: 'search_products', args: { q: 'a', ids: [1, 2] }, want: '/search?q=a&ids[]=1&ids[]=2' },
  { name: 'search_products', args: { q: 'a', within: '/a/b' }, want: '/search?q=a&within=/a/b' },
  {
    name: 'search_products',
    args: { q: 'a', filter: { color: 'red', inStock: true } },
    want: '/search?q=a&filter[color]=red&filter[inStock]=true',
  },
  {
    name: 'search_products',
    args: { q: 'a', where: { all: [{ field: 'f', op: 'eq', value: null }] } },
    want: '/search?q=a&where={"all":[{"field":"f","op":"eq","value":null}]}',
  },
])('$name sends $want, percent-encoded', async ({ name, args, want }) => {
  await call(await connect(), name, args);
  expect(decodeURIComponent(last().url)).toBe(want);
});

test('the same name in five places arrives in five places', async () => {
  const args = { id_path: [1, 2], id_query: 7, id_header: 'H', id_cookie: 'C', id_body: null };
  await call(await connect(), 'lookup_everywhere', args);
  expect(last()).toMatchObject({ url: '/lookup/.1.2/everywhere?id=7', headers: { id: 'H', cookie: 'id=C' } });
  expect(JSON.parse(last().body.toString())).toEqual({ id: null });
});

test('headers and cookies travel in their styles', async () => {
  const client = await connect();
  await call(client, 'lookup_header', { 'X-List': words, 'X-Map': point, 'X-Open': point, 'X-Json': point });
  const { headers } = last();
  expect([headers['x-list'], headers['x-map'], headers['x-open']]).toEqual(['p,q', 'x,1,y,2', 'x=1,y=2']);
  expect(JSON.parse(String(headers['x-json']))).toEqual(point);
  await call(client, 'cart_show', { session: 'S' });
  expect(last().headers.cookie).toBe('session=S');
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

test('a form is sent in the styles of its encoding', async () => {
  const args = { orderId: '2026-7', amount: 500, lines: [1, 2], meta: { a: 'b c' } };
  await call(await connect(), 'orders_refund', args);
  expect(last().headers['content-type']).toBe('application/x-www-form-urlencoded');
  const body = decodeURIComponent(last().body.toString().replaceAll('+', ' '));
  expect(body).toBe('amount=500&lines=1 2&meta[a]=b c');
});

test('files go up as multipart and as they are', async () => {
  const client = await connect();
  const data = bytes.toString('base64');
  await call(client, 'attachments_add', { orderId: '2026-7', files: [data, data], comment: 'two' });
  expect(last().headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  const text = last().body.toString('latin1');
  expect(text.split(bytes.toString('latin1'))).toHaveLength(3);
  expect(text.match(/name="files"; filename=/g)).toHaveLength(2);

  await call(client, 'products_setImage', { id: 1, body: data });
  expect(last().headers['content-type']).toBe('application/octet-stream');
  expect(last().body.equals(bytes)).toBe(true);
});

test('files and tables come down', async () => {
  const client = await connect();
  const csv = await call(client, 'products_export');
  expect(csv.content[0]).toMatchObject({
    type: 'resource',
    resource: { mimeType: 'text/csv', text: expect.stringContaining('2,"Spade, large",2999') },
  });
  const file = await call(client, 'attachments_get', { orderId: '2026-7', attachmentId: 'a1' });
  const blob = file.content.find(({ type }) => type === 'resource')?.resource?.blob;
  expect([...Buffer.from(blob ?? '', 'base64')]).toEqual([0, 1, 2, 253, 254, 255]);
  const image = await call(client, 'products_image', { id: 1 });
  expect(image.content.map(({ type }) => type)).toContain('image');
});

test('answers without a body, accepted ones and bare values are told', async () => {
  const client = await connect();
  expect(await call(client, 'notes_leave', { body: 'Hello.' })).toMatchObject({ isError: false });
  expect(last().body.toString()).toBe('Hello.');
  const stock = await call(client, 'stock_get', { sku: 'can-1' });
  expect(stock.text).toContain('12');
  const missing = await call(client, 'products_get', { id: 404 });
  expect(missing).toMatchObject({ isError: true });
  expect(missing.text).toContain('There is no product 404.');
});

test('an optional body is whole or absent', async () => {
  const client = await connect();
  const half = await call(client, 'preferences_set', { customerId, language: 'en' });
  expect(half).toMatchObject({ isError: true });
  expect(half.text).toContain('currency');
  expect(upstream.requests).toHaveLength(0);
  await call(client, 'preferences_set', { customerId });
  expect(last().body).toHaveLength(0);
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

test('a path segment cannot leave its place', async () => {
  const client = await connect();
  for (const slug of ['..', '../orders', 'a/../../orders']) {
    await call(client, 'cart_remove', { session: 's', sku: slug });
  }
  expect(upstream.requests.map(({ url }) => url).filter((url) => !url.startsWith('/cart/items/'))).toEqual(
    [],
  );
  expect(upstream.requests.map(({ url }) => url)).not.toContain('/cart/items/..');
});
