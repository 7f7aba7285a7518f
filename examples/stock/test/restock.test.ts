import assert from 'node:assert/strict';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { cheapest } from '../src/restock.ts';

test('packs are bought whole, from who is cheapest then', () => {
  const offers = new Map([
    ['a', [{ price: 2 }]],
    ['b', [{ price: 1.5, pack: 10 }]],
  ]);
  assert.deepEqual(cheapest(3, offers), { supplier: 'a', count: 3, price: 6 });
  assert.deepEqual(cheapest(9, offers), { supplier: 'b', count: 10, price: 15 });
  assert.equal(cheapest(0, offers), undefined);
});

const answers: Record<string, object> = {
  '/items/42': { sku: '42', name: 'Lamp', count: 1, wanted: 10, suppliers: ['a', 'b'] },
  '/suppliers/a/offers?sku=42': [{ price: 2 }],
  '/suppliers/b/offers?sku=42': [{ price: 1.5, pack: 10 }],
};
let warehouse: Server;
const client = new Client({ name: 'stock-tests', version: '1.0.0' });

before(async () => {
  warehouse = createServer(({ url = '' }, response) => {
    response.writeHead(answers[url] ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers[url] ?? {}));
  });
  await new Promise<void>((resolve) => warehouse.listen(0, '127.0.0.1', resolve));
  const { port } = warehouse.address() as AddressInfo;
  const args = ['node_modules/mcpgen/dist/bin/mcpgen.js', 'serve', '.', '--quiet'];
  const env = { ...process.env, API_BASE_URL: `http://127.0.0.1:${port}` };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
});

after(async () => {
  await client.close();
  warehouse.close();
});

test('the tools of both sources', async () => {
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['warehouse_getItem', 'warehouse_listOffers', 'plan_restock'],
  );
});

test('a plan joins an item and the offers of its suppliers', async () => {
  const { structuredContent } = await client.callTool({ name: 'plan_restock', arguments: { sku: '42' } });
  assert.deepEqual(structuredContent, { name: 'Lamp', order: { supplier: 'b', count: 10, price: 15 } });
});

test('an item that is not there is said to be missing', async () => {
  const answer = await client.callTool({ name: 'plan_restock', arguments: { sku: '0' } });
  assert.deepEqual(answer, { content: [{ type: 'text', text: 'There is no item 0.' }], isError: true });
});
