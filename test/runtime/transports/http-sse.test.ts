// HTTP+SSE, the transport of 2024-11-05, for every legacy revision.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { ElicitRequestSchema, LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { UNKNOWN_SESSION } from '../../../templates/runtime/transports/http/endpoint.ts';
import * as sseFeature from '../../../templates/runtime/transports/http/sse.ts';
import { hello } from '../core/harness.ts';
import { call, error, type EventReader, gate, ping, start as startHttp } from './http-harness.ts';

const sse = { path: '/sse', messagesPath: '/messages', ...sseFeature };
const json = { 'content-type': 'application/json' };

async function start(options: Parameters<typeof startHttp>[0] = {}) {
  const server = await startHttp({ sse, ...options });
  const connect = async () => {
    const stream = await server.listen({}, '/sse');
    return { stream, endpoint: (await stream.next())?.data ?? '' };
  };
  const say = (endpoint: string, message: unknown, headers: Record<string, string | undefined> = {}) =>
    server.send(
      'POST',
      endpoint,
      { ...json, ...headers },
      typeof message === 'string' ? message : JSON.stringify(message),
    );
  const open = async (revision = '2024-11-05') => {
    const { stream, endpoint } = await connect();
    await say(endpoint, { jsonrpc: '2.0', id: 'i', method: 'initialize', params: hello(revision) });
    const opened = await stream.message();
    await say(endpoint, { jsonrpc: '2.0', method: 'notifications/initialized' });
    return { stream, endpoint, opened };
  };
  return { ...server, connect, say, open, openStreamable: server.open };
}

async function messages(stream: EventReader, count: number): Promise<unknown[]> {
  const read = [];
  while (read.length < count) read.push(await stream.message());
  return read;
}

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('a session of %s', async (revision) => {
  const { open, say } = await start({ handler: ({ log }) => log('info', 'a\nb').then(() => 'done') });
  const { stream, endpoint, opened } = await open(revision);
  expect(stream.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
  expect(opened).toMatchObject({ id: 'i', result: { protocolVersion: revision } });
  const { status, text } = await say(endpoint, call);
  expect([status, text]).toEqual([202, '']);
  expect(await messages(stream, 2)).toEqual([
    { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'a\nb' } },
    { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: 'done' }] } },
  ]);
  expect(stream.text()).not.toMatch(/^(?:id|retry):/m);
});

test('the first event names the place to post to, under an unguessable id', async () => {
  const { listen, connect } = await start();
  const stream = await listen({}, '/sse');
  expect(await stream.next()).toEqual({
    event: 'endpoint',
    data: expect.stringMatching(/^\/messages\?sessionId=[\w-]{22,}$/) as string,
  });
  expect((await connect()).endpoint).not.toBe((await connect()).endpoint);
});

const modern = {
  ...call,
  params: { name: 'x', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
};

test.each<[string, unknown, Record<string, string | undefined>, number, number, unknown]>([
  ['that is not JSON', '{', {}, 400, -32700, undefined],
  ['that is no message', '{"id":7}', {}, 400, -32600, 7],
  ['of another type', call, { 'content-type': 'text/plain' }, 415, -32600, undefined],
  ['of a version that is not supported', call, { 'mcp-protocol-version': '2020-01-01' }, 400, -32600, 2],
  ['from a foreign origin', call, { origin: 'https://evil.example' }, 403, -32600, undefined],
  ['to a foreign host', call, { host: 'evil.example' }, 403, -32600, undefined],
  ['over the limit', { ...call, x: 'x'.repeat(1_000) }, {}, 413, -32600, undefined],
])('a POST %s is refused', async (_, message, headers, want, code, id) => {
  const { open, say, counted } = await start({ limits: { bodyBytes: 500 } });
  const answer = await say((await open()).endpoint, message, headers);
  expect([answer.status, answer.json()]).toEqual([want, error(code, expect.any(String) as string, id)]);
  expect(counted.calls).toBe(0);
});

test('a request of the modern era is answered by an error on the stream: an HTTP error would end a probing client', async () => {
  const { open, say, counted } = await start();
  const { stream, endpoint } = await open();
  const { status, text } = await say(endpoint, modern);
  expect([status, text]).toEqual([202, '']);
  expect(await stream.message()).toEqual(error(-32601, expect.stringContaining('initialize') as string, 2));
  expect(counted.calls).toBe(0);
});

const ELSEWHERE = 'The session is unknown or has ended. It lives on the node that has its stream.';

test('a POST to no session, or to one of the other transport, is refused', async () => {
  const { say, counted, openStreamable, post, open } = await start();
  expect((await say('/messages', call)).json()).toEqual(
    error(-32600, '`sessionId` is missing: post to what the `endpoint` event named.', 2),
  );
  const other = (await openStreamable())['mcp-session-id'];
  const refusals = [
    await say('/messages?sessionId=none', call),
    await say(`/messages?sessionId=${other}`, call),
    await post(call, { 'mcp-session-id': (await open()).endpoint.split('=')[1] }),
  ];
  expect(refusals.map(({ status, json }) => [status, json()])).toEqual(
    [ELSEWHERE, ELSEWHERE, UNKNOWN_SESSION].map((words) => [404, error(-32600, words, 2)]),
  );
  expect(counted.calls).toBe(0);
});

test.each(['https://evil.example', 'null'])('GET from the origin %s opens nothing', async (origin) => {
  const { send, sessions } = await start();
  expect((await send('GET', '/sse', { origin })).status).toBe(403);
  expect((await send('GET', '/sse', { host: 'evil.example' })).status).toBe(403);
  expect(sessions.size).toBe(0);
});

test('other methods are refused, and without being asked for the transport is not served', async () => {
  const { send } = await start();
  expect(await send('POST', '/sse', {})).toMatchObject({ status: 405, headers: { allow: 'GET, OPTIONS' } });
  expect(await send('GET', '/messages', {})).toMatchObject({
    status: 405,
    headers: { allow: 'POST, OPTIONS' },
  });
  const { send: ask } = await startHttp();
  expect((await ask('GET', '/sse', {})).status).toBe(404);
});

test('the session ends with its stream, and the work with it', async () => {
  let isAborted = false;
  const { open, say, counted, sessions } = await start({
    handler: ({ signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve((isAborted = true)))),
  });
  const { stream, endpoint } = await open();
  await say(endpoint, call);
  await expect.poll(() => counted.calls).toBe(1);
  stream.response.destroy();
  await expect.poll(() => isAborted).toBe(true);
  expect([sessions.size, (await say(endpoint, ping)).status]).toEqual([0, 404]);
});

test('no more sessions are opened than the limit', async () => {
  const { connect, send } = await start({ limits: { sessions: 1 } });
  await connect();
  const { status, headers } = await send('GET', '/sse', {});
  expect([status, headers['retry-after']]).toEqual([503, '60']);
});

test('calls over the limit are refused on the stream', async () => {
  const { open, say, counted } = await start({ callsPerMinute: 1 });
  const { stream, endpoint } = await open();
  await say(endpoint, call);
  expect((await say(endpoint, { ...call, id: 3 })).status).toBe(202);
  const [, refused] = await messages(stream, 2);
  expect(refused).toEqual(error(-32603, 'Too many calls. Try again in 60 seconds.', 3));
  expect(counted.calls).toBe(1);
});

test('a client that reads nothing is cut off', async () => {
  const { open, sessions } = await start({ limits: { streamBacklogBytes: 100_000 } });
  const { stream, endpoint } = await open();
  const session = sessions.findAndTouch(endpoint.slice('/messages?sessionId='.length));
  while (session?.isInUse === true) {
    session.session.push({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', data: 'x'.repeat(100_000) },
    });
    await new Promise((resolve) => setImmediate(resolve));
  }
  await stream.rest();
  expect(stream.response.complete).toBe(false);
});

test('a server that stops answers what is under way, and opens no session', async () => {
  const { open: release, opened } = gate();
  const { open, say, send, counted, sessions, listener } = await start({ handler: () => opened });
  const [idle, busy] = [await open(), await open()];
  await say(busy.endpoint, call);
  await expect.poll(() => counted.calls).toBe(1);
  sessions.endListening();
  expect(await idle.stream.rest()).toEqual([]);
  expect((await send('GET', '/sse', {})).status).toBe(503);
  release();
  expect(await busy.stream.message()).toMatchObject({ id: 2, result: { content: [] } });
  await listener.close();
  expect(await busy.stream.rest()).toEqual([]);
});

test('the official client calls, is told and is asked', async () => {
  const { url } = await start({
    handler: async ({ log, elicit }) => {
      await log('info', 'working');
      const { action } = await elicit('Sure?', {
        type: 'object',
        properties: { sure: { type: 'boolean' } },
      });
      return action;
    },
  });
  const told: unknown[] = [];
  const client = new Client({ name: 'client', version: '0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' }));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    told.push(params.data);
  });
  await client.connect(new SSEClientTransport(new URL(`${url}/sse`)));
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['x']);
  expect((await client.callTool({ name: 'x' })).content).toEqual([{ type: 'text', text: 'decline' }]);
  expect(told).toEqual(['working']);
  await client.close();
});
