// Against the client of the `ws` package, and against bytes by hand, over a real socket.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { DEFAULT_LIMITS } from '../../../templates/runtime/contract/feature.ts';
import type { HttpRefusal } from '../../../templates/runtime/transports/http/http-answer.ts';
import { WebSocketConnection } from '../../../templates/runtime/transports/websocket/connection.ts';
import {
  checkHandshake,
  refuseUpgrade,
  printHandshakeResponse,
} from '../../../templates/runtime/transports/websocket/websocket-transport.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

type Receive = (text: string, connection: WebSocketConnection) => void;

/** A server that answers each message with itself, unless told otherwise. */
async function serve({ receive = echo, limits = {} }: { receive?: Receive; limits?: object } = {}) {
  const connections: WebSocketConnection[] = [];
  const all = { ...DEFAULT_LIMITS, ...limits };
  const server = createServer();
  server.on('upgrade', (request, socket, head) => {
    const rules = { host: '127.0.0.1', allowedOrigins: [], path: '/ws' };
    try {
      socket.write(printHandshakeResponse(checkHandshake(request, rules)));
    } catch (thrown) {
      return refuseUpgrade(socket, thrown as HttpRefusal, all.closeTimeoutMs);
    }
    const connection: WebSocketConnection = new WebSocketConnection(socket, head, {
      limits: all,
      receive: (value) => receive(value, connection),
    });
    connections.push(connection);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  stops.push(async () => {
    for (const connection of connections) connection.close(1001);
    await Promise.all(connections.map(({ closed }) => closed));
    await new Promise((resolve) => server.close(resolve));
  });
  return { port, server, connections };
}

const echo: Receive = (value, connection) => void connection.send(value);

/** A client, with what it receives. */
function open(
  port: number,
  { subprotocols = 'mcp', ...options }: ClientOptions & { subprotocols?: string } = {},
) {
  const url = `ws://127.0.0.1:${port}/ws`;
  const client =
    subprotocols === '' ? new WebSocket(url, options) : new WebSocket(url, subprotocols, options);
  stops.push(() => client.terminate());
  const texts: string[] = [];
  client.on('message', (data, isBinary) => texts.push(isBinary ? 'binary' : String(data)));
  client.on('error', () => undefined);
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    client.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  return { client, texts, closed };
}

async function untilOpen({ client }: { client: WebSocket }): Promise<void> {
  await once(client, 'open');
}

const request = (more: string[] = []) =>
  [
    'GET /ws HTTP/1.1',
    'Host: 127.0.0.1',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    ...more,
    '\r\n',
  ].join('\r\n');

test('messages go both ways, in order, and both close', async () => {
  const { port, connections } = await serve();
  const it = open(port);
  await untilOpen(it);
  const messages = [
    '{}',
    '',
    '"äß€😀"',
    'x'.repeat(125),
    'x'.repeat(126),
    'é'.repeat(50_000),
    'x'.repeat(70_000),
  ];
  for (const message of messages) it.client.send(message);
  await expect.poll(() => it.texts.length).toBe(messages.length);
  expect(it.texts).toEqual(messages);
  expect([it.client.protocol, it.client.extensions]).toEqual(['mcp', '']);
  it.client.close(1000, 'bye');
  expect(await it.closed).toEqual({ code: 1000, reason: '' });
  expect(await connections[0]?.closed).toEqual({ code: 1000, reason: 'bye', isClean: true });
});

test.each<[string, ClientOptions & { subprotocols?: string }, string]>([
  ['no subprotocol', { subprotocols: '' }, ''],
  ['compression, which is not agreed', { perMessageDeflate: true }, 'mcp'],
  ['a local origin', { origin: 'http://localhost:5173' }, 'mcp'],
])('a client with %s', async (_, options, protocol) => {
  const { port } = await serve();
  const it = open(port, options);
  await untilOpen(it);
  it.client.send('{"a":1}');
  await once(it.client, 'message');
  expect([it.client.protocol, it.client.extensions, it.texts]).toEqual([protocol, '', ['{"a":1}']]);
});

test.each<[string, ClientOptions & { subprotocols?: string }, number, object]>([
  ['a foreign origin', { origin: 'https://evil.example' }, 403, {}],
  ['a foreign host', { headers: { Host: 'evil.example' } }, 403, {}],
  ['another subprotocol', { subprotocols: 'chat' }, 400, {}],
  ['an old version', { protocolVersion: 8 }, 426, { upgrade: 'websocket', 'sec-websocket-version': '13' }],
])('%s is refused', async (_, options, status, headers) => {
  const { port, connections } = await serve();
  const { client } = open(port, options);
  const [, response] = await once(client, 'unexpected-response');
  expect(response.statusCode).toBe(status);
  expect(response.headers).toMatchObject({
    connection: 'close',
    'content-type': 'application/json',
    ...headers,
  });
  const body: Buffer[] = await response.toArray();
  expect(JSON.parse(String(Buffer.concat(body)))).toEqual({
    jsonrpc: '2.0',
    error: { code: -32600, message: expect.any(String) },
  });
  expect(connections).toEqual([]);
});

test('a refused client that stays is cut off', async () => {
  const { port, server } = await serve({ limits: { closeTimeoutMs: 50 } });
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  stops.push(() => socket.destroy());
  socket.write(request(['Origin: https://evil.example']));
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
  const open = promisify(server.getConnections.bind(server));
  await expect.poll(() => open()).toBe(0);
  expect(socket.writable).toBe(true);
});

test('a large message comes and goes, and a slow reader makes the sender wait', async () => {
  const waits: Promise<void>[] = [];
  const { port } = await serve({
    receive: (value, connection) => {
      const room = connection.send(value);
      if (room === undefined) return;
      connection.pause();
      waits.push(room.then(() => connection.resume()));
    },
  });
  const it = open(port);
  await untilOpen(it);
  const large = 'é'.repeat(8 * 1024 * 1024 - 1);
  it.client.send(large);
  it.client.send('{}');
  await expect.poll(() => it.texts.length, { timeout: 20_000 }).toBe(2);
  expect(it.texts[0] === large).toBe(true);
  expect(it.texts[1]).toBe('{}');
  expect(waits).toHaveLength(1);
});
