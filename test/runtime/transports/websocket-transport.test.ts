// The transport over a real listener, against the client of the `ws` package and the official one.
import { allFeatures } from '../../../templates/runtime/all-features.ts';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { createServer, stopServer } from '../../../templates/runtime/core/server-instance.ts';
import { Session } from '../../../templates/runtime/core/session.ts';
import { RateLimiter } from '../../../templates/runtime/core/shared-state.ts';
import type { Context } from '../../../templates/runtime/definition.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../templates/runtime/contract/feature.ts';
import { serveHttp } from '../../../templates/runtime/transports/http/serve-http.ts';
import { WebSocketConnection } from '../../../templates/runtime/transports/websocket/connection.ts';
import { WebSocketTransport } from '../../../templates/runtime/transports/websocket/websocket-transport.ts';
import { createCheckedCore } from '../../support/checked-core.ts';
import { Conversation, judged } from '../../support/conversation.ts';
import { hello, newCatalog } from '../core/harness.ts';

vi.stubGlobal('WebSocket', WebSocket);
afterAll(() => void vi.unstubAllGlobals());

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

type Work = (context: Context) => unknown;

interface Options {
  limits?: Partial<Limits>;
  callsPerMinute?: number;
}

async function serve(work: Work = () => 'done', { limits: changed, callsPerMinute }: Options = {}) {
  const calls: Context[] = [];
  const reported: unknown[] = [];
  const sessions: Session[] = [];
  const limits = { ...DEFAULT_LIMITS, ...changed };
  const handler = (_: object, context: Context) => {
    calls.push(context);
    return work(context);
  };
  const server = createServer({
    definition: {
      info: { name: 'test', version: '1' },
      features: allFeatures,
      handlers: { extraTools: [{ name: 'x', inputSchema: { type: 'object' }, handler }] },
    },
    catalog: newCatalog({}),
    readBindings: () => '{}',
    env: {},
    limits,
    report: (thrown) => reported.push(thrown),
  });
  const transport = new WebSocketTransport({
    core: createCheckedCore(server),
    limits,
    rules: { host: '127.0.0.1', allowedOrigins: [], path: '/ws' },
    openSession: () => {
      const limiter = callsPerMinute === undefined ? undefined : new RateLimiter(callsPerMinute);
      const session = new Session('info', limiter);
      sessions.push(session);
      return session;
    },
    report: (thrown) => reported.push(thrown),
  });
  const listener = await serveHttp(
    async (request, response) => {
      const body = (await request.toArray()).join('');
      response.end(`plain ${request.method} ${body} ${request.headers.upgrade}`);
    },
    { host: '127.0.0.1', port: 0, limits, upgrade: transport.upgrade },
  );
  stops.push(async () => Promise.all([transport.stop(), listener.close()]));
  const url = `${listener.url.replace('http', 'ws')}/ws`;
  return { server, calls, reported, sessions, transport, listener, url };
}

interface Message {
  id?: unknown;
  method?: string;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

/** A client that sends what it is told, with all it receives. */
async function open(url: string, options: ClientOptions = {}) {
  const client = new WebSocket(url, 'mcp', options);
  stops.push(() => client.terminate());
  const received: (Message | Message[])[] = [];
  const conversation = new Conversation();
  client.on('message', (data) => {
    received.push(JSON.parse(String(data)));
    conversation.fromServer(received.at(-1));
  });
  const closed = new Promise<[code: number, reason: string]>((resolve) => {
    client.on('close', (code, reason) => resolve([code, String(reason)]));
  });
  await once(client, 'open');
  const send = (message: unknown) => {
    conversation.fromClient(message);
    client.send(JSON.stringify(message));
  };
  const receive = async (count: number) => {
    await expect.poll(() => received.length).toBe(count);
    return received;
  };
  return { client, send, received, receive, closed };
}

/** One whose session is open; its first message has been received. */
async function enter(url: string, revision = '2025-11-25') {
  const it = await open(url);
  it.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: hello(revision) });
  await it.receive(1);
  it.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return it;
}

const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'x' } });
const modern = (id: number, method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});
const tagged = { 'io.modelcontextprotocol/subscriptionId': 1 };
const done = { content: [{ type: 'text', text: 'done' }] };
const refused = (id: number | undefined, code: number, message: string) => ({
  jsonrpc: '2.0',
  ...(id === undefined ? {} : { id }),
  error: { code, message },
});
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** The status that an upgrade is refused with. */
async function refusal(url: string, options: ClientOptions = {}): Promise<number | undefined> {
  const client = new WebSocket(url, 'mcp', options);
  client.on('error', () => undefined);
  const [, response] = (await once(client, 'unexpected-response')) as [
    unknown,
    { statusCode: number; destroy(): void },
  ];
  response.destroy();
  return response.statusCode;
}

test('2026-07-28 is spoken, with subscriptions that end when it stops', async () => {
  const { url, server, transport } = await serve();
  const { send, receive, received, closed } = await open(url);
  send(modern(1, 'subscriptions/listen', { notifications: {} }));
  await receive(1);
  send(modern(2, 'tools/call', { name: 'x' }));
  await receive(2);
  send(modern(3, 'ping'));
  await receive(3);
  stopServer(server);
  await transport.stop();
  expect(await closed).toEqual([1001, 'The server is stopping.']);
  expect(received).toMatchObject([
    { method: 'notifications/subscriptions/acknowledged', params: { _meta: tagged } },
    { id: 2, result: { ...done, resultType: 'complete' } },
    { id: 3, error: { code: -32601 } },
    { method: 'notifications/cancelled', params: { requestId: 1 } },
    { id: 1, result: { resultType: 'complete', _meta: tagged } },
  ]);
});

test('the official client calls, and answers what a handler asks', async () => {
  const { url, reported } = await serve(async ({ progress, roots }) => {
    await progress(1);
    return JSON.stringify(await roots());
  });
  const client = new Client({ name: 'client', version: '0' }, { capabilities: { roots: {} } });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///home' }] }));
  await client.connect(judged(new WebSocketClientTransport(new URL(url))));
  const steps: number[] = [];
  const onprogress = ({ progress }: { progress: number }) => steps.push(progress);
  const { content } = await client.callTool({ name: 'x' }, undefined, { onprogress });
  expect(content).toEqual([{ type: 'text', text: '[{"uri":"file:///home"}]' }]);
  expect(steps).toEqual([1]);
  await client.close();
  expect(reported).toEqual([]);
});

test.each<[string, (client: WebSocket) => void]>([
  ['closes', (client) => client.close()],
  ['vanishes', (client) => client.terminate()],
])('when the client %s its work is aborted', async (_, leave) => {
  const { url, calls } = await serve(() => new Promise(() => undefined));
  const { client, send } = await enter(url);
  send(call(1));
  await expect.poll(() => calls.length).toBe(1);
  const aborted = once(calls[0]?.signal ?? new EventTarget(), 'abort');
  leave(client);
  await aborted;
});

test('a client that reads nothing is not read from, and loses nothing', async () => {
  const pause = vi.spyOn(WebSocketConnection.prototype, 'pause');
  stops.push(() => pause.mockRestore());
  const { url } = await serve(() => 'x'.repeat(100_000));
  const { client, send, receive } = await enter(url);
  client.pause();
  const ids = Array.from({ length: 100 }, (_, index) => index + 1);
  for (const id of ids) send(call(id));
  await expect.poll(() => pause.mock.calls.length).toBeGreaterThan(0);
  client.resume();
  const [, ...answers] = await receive(ids.length + 1);
  expect(new Set(answers.flat().map(({ id }) => id))).toEqual(new Set(ids));
});

test('calls are limited by session', async () => {
  const { url, calls } = await serve(undefined, { callsPerMinute: 1 });
  const it = await enter(url);
  it.send(call(1));
  it.send(call(2));
  const answers = await it.receive(3);
  expect(answers).toContainEqual(refused(2, -32603, 'Too many calls. Try again in 60 seconds.'));
  expect(calls.length).toBe(1);
  const other = await enter(url);
  other.send(call(1));
  await other.receive(2);
  expect(calls.length).toBe(2);
});

test.each(['sessions', 'sessionsPerClient'])(
  '`%s`: only so many sockets are open, and room comes back',
  async (limit) => {
    const { url } = await serve(undefined, { limits: { [limit]: 1 } });
    const { client, closed } = await enter(url);
    expect(await refusal(url)).toBe(503);
    client.close();
    await closed;
    await enter(url);
  },
);

test.each<[string, string, ClientOptions, number]>([
  ['a foreign origin', '/ws', { origin: 'https://evil.example' }, 403],
  ['a foreign host', '/ws', { headers: { host: 'evil.example' } }, 403],
  ['no origin, from another site', '/ws', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
  ['another path', '/mcp', {}, 404],
  ['a foreign origin at another path', '/mcp', { origin: 'https://evil.example' }, 403],
])('%s is refused', async (_, path, options, status) => {
  const { listener, sessions } = await serve();
  expect(await refusal(`${listener.url.replace('http', 'ws')}${path}`, options)).toBe(status);
  expect(sessions).toEqual([]);
});

test.each(['h2c', 'TLS/1.0'])('an upgrade to %s is ignored, as HTTP allows', async (upgrade) => {
  const { listener } = await serve();
  const texts: string[] = [];
  for (const body of ['one', 'x'.repeat(100_000)]) {
    const request = httpRequest(listener.url, {
      method: 'POST',
      headers: { connection: 'Upgrade', upgrade },
    });
    request.end(body);
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    texts.push(text);
  }
  expect(texts).toEqual(['plain POST one undefined', `plain POST ${'x'.repeat(100_000)} undefined`]);
});

test('asked to stop, it answers what is under way, then closes with 1001', async () => {
  let finish = (): void => undefined;
  const { url, calls, transport } = await serve(
    () => new Promise<string>((resolve) => (finish = () => resolve('done'))),
  );
  const busy = await enter(url);
  const idle = await enter(url);
  busy.send(call(1));
  await expect.poll(() => calls.length).toBe(1);
  const stopped = transport.stop();
  // Before the busy one has finished.
  expect(await idle.closed).toEqual([1001, 'The server is stopping.']);
  busy.send(call(2));
  await busy.receive(2);
  expect(await refusal(url)).toBe(503);
  finish();
  expect(await busy.closed).toEqual([1001, 'The server is stopping.']);
  await stopped;
  expect(busy.received.slice(1)).toEqual([
    refused(2, -32603, 'The server is stopping.'),
    { jsonrpc: '2.0', id: 1, result: done },
  ]);
  expect(calls.length).toBe(1);
});

test('asked to stop, work that takes too long is aborted, unanswered', async () => {
  const { url, calls, transport } = await serve(() => new Promise(() => undefined), {
    limits: { httpDrainMs: 1 },
  });
  const { send, closed, received } = await enter(url);
  send(call(1));
  await expect.poll(() => calls.length).toBe(1);
  await transport.stop();
  expect(await closed).toEqual([1001, 'The server is stopping.']);
  expect(calls[0]?.signal.aborted).toBe(true);
  expect(received.length).toBe(1);
});

test('a client that never closes its side is cut off', async () => {
  const { url, transport } = await serve(undefined, { limits: { closeTimeoutMs: 1 } });
  const { client } = await enter(url);
  client.pause();
  await turn();
  await transport.stop();
});
