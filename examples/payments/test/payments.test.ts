import assert from 'node:assert/strict';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** Stands for Stripe: it answers these requests, and remembers what it was asked. */
const answers: Record<string, [status: number, body: object]> = {
  'GET /v1/customers': [
    200,
    {
      object: 'list',
      data: [{ id: 'cus_1', email: 'ada@example.com', name: 'Ada', created: 1, balance: 5 }],
    },
  ],
  'POST /v1/refunds': [
    200,
    { id: 're_1', amount: 500, currency: 'eur', status: 'succeeded', charge: 'ch_1' },
  ],
};
const asked: string[] = [];
let stripe: Server;
const client = new Client({ name: 'payments-tests', version: '1.0.0' });

before(async () => {
  stripe = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '', 'http://stripe');
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      asked.push(`${request.method} ${pathname}${search} ${body}`.trim());
      const [status, answer] = answers[`${request.method} ${pathname}`] ?? [404, {}];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => stripe.listen(0, '127.0.0.1', resolve));
  const { port } = stripe.address() as AddressInfo;
  const args = ['node_modules/mcpgen/dist/bin/mcpgen.js', 'serve', '.', '--quiet'];
  const env = { ...process.env, STRIPE_KEY: 'sk_test_of_the_tests', STRIPE_HOST: `127.0.0.1:${port}` };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
});

after(async () => {
  await client.close();
  stripe.close();
});

test('a customer is what this server says of one', async () => {
  const { structuredContent } = await client.callTool({
    name: 'find_customers',
    arguments: { email: 'ada@example.com' },
  });
  assert.deepEqual(structuredContent, {
    result: [{ id: 'cus_1', email: 'ada@example.com', name: 'Ada', created: 1 }],
  });
  assert.equal(asked.at(-1), 'GET /v1/customers?email=ada%40example.com&limit=10');
});

test('a part is refunded', async () => {
  const refund = { name: 'refund_payment', arguments: { payment: 'pi_1', amount: 500 } };
  const { structuredContent } = await client.callTool(refund);
  assert.deepEqual(structuredContent, { id: 're_1', amount: 500, currency: 'eur', status: 'succeeded' });
  assert.equal(asked.at(-1), 'POST /v1/refunds payment_intent=pi_1&reason=requested_by_customer&amount=500');
});

test('what does not fit never reaches Stripe', async () => {
  const count = asked.length;
  const wrong = { payment: 'ch_1', amount: 0.5, reason: 'because' };
  const { isError, content } = await client.callTool({ name: 'refund_payment', arguments: wrong });
  assert.equal(isError, true);
  assert.match(JSON.stringify(content), /payment.*amount.*reason/s);
  assert.equal(asked.length, count);
});

test('why Stripe refuses is told, and the key is not', async () => {
  const message = 'Charge ch_1 has already been refunded.';
  answers['POST /v1/refunds'] = [400, { error: { type: 'invalid_request_error', message } }];
  const refused = await client.callTool({ name: 'refund_payment', arguments: { payment: 'pi_1' } });
  assert.deepEqual(refused, { content: [{ type: 'text', text: message }], isError: true });
});
