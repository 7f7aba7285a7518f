// The balancer of `npm run nodes`, and what its clients see when a node breaks off: a fault here would hide one of the server.
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Balancer } from '../../scripts/lib/nodes/balancer.mjs';
import { exchange } from '../../scripts/lib/nodes/exchange.mjs';

const endings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

interface Node {
  url: URL;
  stop: () => Promise<void>;
}

/** Ready, unless `ready.is` is false. */
async function node(serve: RequestListener, ready = { is: true }): Promise<Node> {
  const server = createServer((request, response) => {
    if (request.url === '/readyz') response.writeHead(ready.is ? 200 : 503).end();
    else serve(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  endings.push(stop);
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`), stop };
}

async function balance(...nodes: Node[]): Promise<Balancer> {
  const balancer = await Balancer.open();
  endings.unshift(() => balancer.close());
  for (const [index, { url }] of nodes.entries()) await balancer.add(`n${index}`, url);
  return balancer;
}

const json: RequestListener = (request, response) => {
  request.resume().on('end', () => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"jsonrpc":"2.0","id":1,"result":{}}');
  });
};

const message = { jsonrpc: '2.0', id: 1, method: 'ping' };

test('nodes take turns', async () => {
  const balancer = await balance(await node(json), await node(json));
  const asked = [];
  for (let index = 0; index < 4; index++) asked.push(await exchange(balancer.url, { message }));
  expect(asked.map(({ node: name, status }) => [name, status])).toEqual([
    ['n0', 200],
    ['n1', 200],
    ['n0', 200],
    ['n1', 200],
  ]);
  expect([balancer.served, balancer.counts.refused]).toEqual([[2, 2], 0]);
});

test('a refused connection is counted, and another node answers', async () => {
  const gone = await node(json);
  const balancer = await balance(gone, await node(json));
  await gone.stop();
  const { node: name, messages } = await exchange(balancer.url, { message });
  expect([name, messages.length, balancer.counts.refused]).toEqual(['n1', 1, 1]);
});

test('a node that breaks off before its answer gets no second try', async () => {
  let requests = 0;
  const broken = await node((request) => {
    requests++;
    request.socket.destroy();
  });
  const balancer = await balance(broken);
  const { status, node: name } = await exchange(balancer.url, { message });
  expect([status, name, requests, balancer.counts.broken]).toEqual([502, 'n0', 1, 1]);
});

test('events pass as they come, and a stream that breaks off breaks off for the client', async () => {
  let breakOff: (() => void) | undefined;
  const streaming = await node((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('id: 1-0\nretry: 5\ndata:\n\nid: 1-1\ndata: {"method":"first"}\n\n');
    breakOff = () => response.destroy();
  });
  const balancer = await balance(streaming);
  // The second event never comes: a proxy that buffers would wait for ever.
  const state = await exchange(balancer.url, { message, take: () => breakOff?.() });
  expect(state).toMatchObject({ status: 200, last: '1-1', isWhole: false, messages: [{ method: 'first' }] });
  expect(balancer.counts.broken).toBe(1);
});

test('a node that is not ready gets nothing', async () => {
  const ready = { is: true };
  const balancer = await balance(await node(json, ready), await node(json));
  ready.is = false;
  await expect
    .poll(async () => {
      const asked = [await exchange(balancer.url, { message }), await exchange(balancer.url, { message })];
      return asked.map(({ node: name }) => name);
    })
    .toEqual(['n1', 'n1']);
});

test('without a ready node the answer is 503', async () => {
  const balancer = await balance();
  const { status, headers } = await exchange(balancer.url, { message });
  expect([status, headers['retry-after'], balancer.counts.unserved]).toEqual([503, '1', 1]);
});
